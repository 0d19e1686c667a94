// tests/fuzz/targets/events_csv.cpp — events.csv, and the commands in it.
#include "sim/controller/admin_command.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/text_in_a_file.hpp"

namespace rehearse::test {
namespace {

constexpr std::string_view kConf =
    "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nGresTypes=gpu\n"
    "NodeName=n[1-4] CPUs=8 RealMemory=1000 Gres=gpu:a100:2 Feature=x\n"
    "PartitionName=p Nodes=ALL Default=YES\nPartitionName=q Nodes=n1\n";

}  // namespace

void fuzz_events_csv(std::string_view text) {
  Diagnostics found;
  const auto lines = read_admin_events(TextInAFile(text).path(), found);
  SiteInputs inputs;
  inputs.slurm_conf = parse_slurm_conf(kConf, "slurm.conf", "/nonexistent", {}, found);
  inputs.accounting = parse_sacctmgr_dump(
      "Cluster - 'c'\nParent - 'root'\nAccount - 'a'\n"
      "Parent - 'a'\nUser - 'u'\n",
      "assoc.dump", found);
  inputs.accounting.qos.emplace_back().name = "normal";
  NamePool names;
  RequestTable requests;
  const Cluster cluster(inputs, names, requests, found);
  (void)understand_commands(lines, cluster, names, found);
}

}  // namespace rehearse::test
