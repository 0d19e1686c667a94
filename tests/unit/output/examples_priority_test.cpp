// tests/unit/output/examples_priority_test.cpp — the worked trees of priority.md §11 as `sshare`
// prints them. Not kept by a result, and left empty: GrpTRESMins and TRESRunMins.
#include <gtest/gtest.h>

#include "sim/output/recorder.hpp"
#include "sim/output/views/view.hpp"
#include "sim/sched/priority/classic.hpp"
#include "sim/sched/priority/fair_tree.hpp"
#include "tests/unit/sched/worked_tree.hpp"

namespace rehearse::test {
namespace {

/// `sshare -a -l -P` of the worked tree after `update` has computed its shares.
template <typename Update>
std::string long_sshare(SiteBuilder& site, Update&& update) {
  add_worked_tree(site);
  Cluster& cluster = site.build();
  add_worked_usage(site);
  Recorder recorder;
  recorder.run_started(cluster, at(0));
  update(cluster);
  recorder.shares_told(cluster, kept_shares(cluster.accounts), at(0));
  recorder.run_ended(cluster, at(10), {});
  ViewOptions options;
  options.long_form = options.parsable = true;
  return sshare_view(recorder.take(true), options).text;
}

TEST(SshareExample, PrintsTheWorkedTreeUnderFairTree) {  // priority.md §11.1, §11.8
  SiteBuilder site;
  const std::string text =
      long_sshare(site, [&](Cluster& cluster) { FairTree(cluster.accounts).update(); });
  EXPECT_EQ(text,
            "Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|"
            "GrpTRESMins|TRESRunMins\n"
            "root|||0.000000|4000||1.000000||||\n"
            " root|root|1|0.012346|0|0.000000|0.000000|1.000000|inf||\n"
            " chem||20|0.246914|800|0.200000|0.200000||1.234568||\n"
            "  chem|emil|5|0.500000|600|0.150000|0.750000|0.777778|0.666667||\n"
            "  chem|fred|5|0.500000|200|0.050000|0.250000|0.888889|2.000000||\n"
            " math||20|0.246914|800|0.200000|0.200000||1.234568||\n"
            "  math|gina|1|0.500000|300|0.075000|0.375000|0.777778|1.333333||\n"
            "  math|hugo|1|0.500000|500|0.125000|0.625000|0.555556|0.800000||\n"
            " phys||40|0.493827|2400|0.600000|0.600000||0.823045||\n"
            "  astro||10|0.250000|900|0.225000|0.375000||0.666667||\n"
            "   astro|carl|1|1.000000|900|0.225000|1.000000|0.111111|1.000000||\n"
            "   astro|dora|parent|0.250000|0|0.000000|0.000000|0.222222|||\n"
            "  hep||30|0.750000|1500|0.375000|0.625000||1.200000||\n"
            "   hep|anna|10|0.500000|750|0.187500|0.500000|0.444444|1.000000||\n"
            "   hep|bela|10|0.500000|750|0.187500|0.500000|0.444444|1.000000||\n");
}

TEST(SshareExample, PrintsTheRootWithSharesAndAFactorUnderTheClassicFormula) {
  SiteBuilder site;  // priority.md §11.8 [V]: root|||1.000000|3400||1.000000|0.500000||…
  site.inputs.slurm_conf.priority.no_fair_tree = true;
  const std::string text = long_sshare(site, [&](Cluster& cluster) {
    ClassicShares shares(cluster.accounts, {.damping = 1});
    shares.update_accounts();
    shares.settle_all();
  });
  EXPECT_NE(text.find("\nroot|||1.000000|4000||1.000000|0.500000||\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n chem||20|0.246914|800|0.200000|0.200000|0.570382||\n"),
            std::string::npos);
  EXPECT_NE(text.find("\n  chem|emil|5|0.123457|600|0.150000|0.175000|0.374360||\n"),
            std::string::npos);
}

}  // namespace
}  // namespace rehearse::test
