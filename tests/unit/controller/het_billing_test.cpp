// tests/unit/controller/het_billing_test.cpp — what the components of a heterogeneous job are
// billed (priority.md §6.2), as scripts/reference/experiments/het_billing.py asked a slurmctld.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/component.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kLimits = "AccountingStorageEnforce=associations,limits,qos\n";

/// What the first component is billed; `options` alone if there is to be no second one.
double billing(const std::string& options, bool is_heterogeneous, const std::string& enforced,
               const std::string& priority = "multifactor",
               const std::string& parameters = "CR_Core") {
  RunSite site("SelectType=select/cons_tres\nSelectTypeParameters=" + parameters +
               "\nPriorityType=priority/" + priority + "\nGresTypes=gpu\n" + enforced +
               "AccountingStorageTRES=gres/gpu,gres/gpu:a100\n"
               "NodeName=a[1-3] CPUs=16 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000 "
               "Gres=gpu:a100:4\n"
               "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE "
               "TRESBillingWeights=\"CPU=1,Mem=10G,GRES/gpu:a100=1000,GRES/gpu=10000\"\n");
  Diagnostics found;
  site.inputs().gres_conf = parse_gres_conf(
      "NodeName=a[1-3] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n", "gres.conf", ".", found);
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  root.qos = {"normal"};
  const auto ask = [&](std::uint32_t id, const std::string& words) -> JobSpec& {
    JobSpec& spec = site.job(id, 10, 100, ask_request(words, site.names()));
    spec.account = site.names().intern("root");
    spec.partitions = site.names().intern("all");
    return spec;
  };
  JobSpec& first = ask(1, options);
  if (is_heterogeneous) {
    make_component(first, 1, 0);
    make_component(ask(2, "-n1 --mem=1024"), 1, 1);
  }
  double billed = -1;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id == JobId{1} && job.is_running() && job.billing) billed = *job.billing;
    }
  };
  site.run();
  return std::floor(billed);
}

TEST(BillingOfComponents, GoesByWhatWasAskedForBesideTheCpusThatTheyGot) {
  struct Case {
    const char* options;
    int alone, with_memory, as_component;
  };
  for (const Case& each : {Case{"-n1 --mem=1024", 2, 12, 12},
                           {"-n3 --mem-per-cpu=1024", 4, 44, 44},
                           {"-n1 --gres=gpu:1 --mem=2048", 11002, 11022, 10022},
                           {"-n1 --gres=gpu:a100:2 --mem=2048", 22002, 22022, 22022},
                           {"-N1 --exclusive --mem=2048", 44016, 44036, 36},
                           {"-N2 -n2 --mem=1024", 4, 24, 24},
                           {"-n3 -c1 --ntasks-per-core=1 --mem-per-cpu=1024", 6, 66, 66}}) {
    for (const bool memory : {false, true}) {
      const std::string parameters = memory ? "CR_Core_Memory" : "CR_Core";
      const int alone = memory ? each.with_memory : each.alone;
      EXPECT_EQ(billing(each.options, false, kLimits, "multifactor", parameters), alone)
          << each.options << ' ' << parameters;
      EXPECT_EQ(billing(each.options, true, kLimits, "multifactor", parameters), each.as_component)
          << each.options << ' ' << parameters;
    }
  }
}

TEST(BillingOfComponents, IsThatOfAnyJobWithoutLimitsOrUsage) {
  EXPECT_EQ(billing("-n1 --gres=gpu:1 --mem=2048", true, ""), 11002);
  EXPECT_EQ(billing("-n1 --gres=gpu:1 --mem=2048", true, kLimits, "basic"), 11002);
}

}  // namespace
}  // namespace rehearse::test
