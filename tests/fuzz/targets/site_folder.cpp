// tests/fuzz/targets/site_folder.cpp — what stands in a site beside its configuration: a snapshot,
// a recording's meta.json, log and samples, and how it all fits together.
#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/study/load_site.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "workloads/recorded_history.hpp"
#include "workloads/recorded_tables.hpp"

namespace rehearse::test {
namespace {

constexpr std::string_view kConf =
    "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nGresTypes=gpu\n"
    "PriorityType=priority/multifactor\nPriorityFlags=NO_FAIR_TREE\nLicenses=a:3\n"
    "NodeName=n[1-4] CPUs=8 RealMemory=1000 Gres=gpu:a100:2 Feature=x\n"
    "PartitionName=p Nodes=ALL Default=YES\nPartitionName=q Nodes=n1\n";

/// Names that `==> NAME` may begin; the rest of a text is a comment.
constexpr std::array<std::string_view, 16> kFiles = {
    "assoc.dump",         "qos.txt",
    "usage.txt",          "reservations.txt",
    "node_events.txt",    "events.csv",
    "later.conf",         "runtimes.csv",
    "sacct.txt",          "site.yaml",
    "meta.json",          "slurmctld.log",
    "snapshot/taken.txt", "snapshot/squeue.txt",
    "snapshot/nodes.txt", "samples/sprio_sshare.txt"};

/// Of a text its parts behind `==> NAME`, as files of the folder.
void write_parts(const ScratchFolder& folder, std::string_view text) {
  constexpr std::string_view kBegin = "==> ";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    const std::size_t end = std::min(text.find("\n==> ", line), text.size());
    if (text.substr(at).starts_with(kBegin)) {
      const std::string_view name = text.substr(at + kBegin.size(), line - at - kBegin.size());
      const bool known = std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end();
      if (known && line < end) (void)folder.write(name, text.substr(line + 1, end - line));
    }
    at = end + 1;
  }
}

}  // namespace

void fuzz_site_folder(std::string_view text) {
  const ScratchFolder folder;
  (void)folder.write("slurm.conf", kConf);
  write_parts(folder, text);
  Diagnostics found;
  LoadOptions options;
  const auto taken = folder.path() / "snapshot" / "taken.txt";
  if (std::filesystem::exists(taken)) options.start_from = "snapshot";
  const auto site = load_site(folder.path(), options, found);
  (void)recorded_clock(*site);
  (void)read_recorded_tables(folder.path() / "samples", found);
  if (!site->jobs_path) return;
  (void)read_recorded_runs(InputStream(*site->jobs_path), site->sacct, *site->cluster, found);
}

}  // namespace rehearse::test
