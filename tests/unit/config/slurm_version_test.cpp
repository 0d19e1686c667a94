// tests/unit/config/slurm_version_test.cpp — the table of releases, and what reading slurm.conf
// does otherwise by it, each switch both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/config/lint.hpp"
#include "sim/config/slurm_version.hpp"
#include "tests/unit/config/conf_support.hpp"

namespace rehearse::test {
namespace {

constexpr SlurmVersion k2205{22, 5}, k2302{23, 2}, k2311{23, 11}, k2411{24, 11}, k2505{25, 5};

TEST(VersionTable, HasNothingOf2205AndOnlyGrows) {
  EXPECT_TRUE(differences_in_force(k2205).empty());
  std::size_t before = 0;
  for (const SlurmVersion version : {k2302, k2311, SlurmVersion{24, 5}, k2411, k2505}) {
    const std::size_t now = differences_in_force(version).size();
    EXPECT_GT(now, before) << to_text(version);
    before = now;
  }
  EXPECT_EQ(before, version_differences().size());
}

TEST(VersionTable, NamesEachDifferenceOnceWithItsSection) {
  std::set<std::string> seen;
  for (const VersionDifference& one : version_differences()) {
    EXPECT_TRUE(seen.insert(std::string(one.what)).second) << one.what;
    EXPECT_NE(one.section.find(".md §"), std::string_view::npos) << one.what;
    EXPECT_GT(one.since, k2205) << one.what;
    EXPECT_LE(one.what.size(), 88U) << one.what << ": a summary has 100 columns";
  }
}

TEST(VersionTable, SwitchesAtTheReleaseOfTheRow) {
  const VersionDifference row = difference_of(Change::PlanEndsRoundedUp);
  EXPECT_EQ(row.since, k2411);
  EXPECT_FALSE(has({24, 5}, Change::PlanEndsRoundedUp));
  EXPECT_TRUE(has(k2411, Change::PlanEndsRoundedUp));
  EXPECT_TRUE(has(k2505, Change::PlanEndsRoundedUp));
  EXPECT_EQ(to_text(row),
            "since 24.11: the end of a plan is rounded up to bf_resolution, not down "
            "(scheduling.md §13)");
}

/// What a release says of these lines amid a small cluster.
struct ReadBy {
  SlurmConf conf;
  std::string errors, warnings;
};

ReadBy read_as(SlurmVersion version, const std::string& lines) {
  Read read = read_text(std::string(kHead) + lines + "\n" + std::string(kTail), {}, version);
  ReadBy all{std::move(read.conf), {}, {}};
  for (const std::string& text : read.errors) all.errors += text + "\n";
  for (const std::string& text : read.others) all.warnings += text + "\n";
  return all;
}

TEST(DefaultsByRelease, OfSelectionAndPriorityChangedIn2311) {  // scheduling.md §13
  const ReadBy before = read_as(k2302, ""), after = read_as(k2311, "");
  EXPECT_EQ(before.conf.select_type, SelectType::Linear);
  EXPECT_EQ(after.conf.select_type, SelectType::ConsTres);
  EXPECT_EQ(before.conf.priority.type, PriorityType::Basic);
  EXPECT_EQ(after.conf.priority.type, PriorityType::Multifactor);
}

TEST(PluginsByRelease, ConsResWentIn2311) {  // formats.md §9
  const std::string lines = "SelectType=select/cons_res\nSelectTypeParameters=CR_Core";
  EXPECT_EQ(read_as(k2302, lines).errors, "");
  EXPECT_NE(read_as(k2311, lines).errors.find("select/cons_res was removed in 23.11"),
            std::string::npos);
}

TEST(PluginsByRelease, TopologiesCameIn2311And2505) {  // formats.md §6.1
  EXPECT_NE(read_as(k2302, "TopologyPlugin=topology/default").errors, "");
  EXPECT_EQ(read_as(k2311, "TopologyPlugin=topology/default").errors, "");
  EXPECT_NE(read_as(k2411, "TopologyPlugin=topology/flat").errors, "");
  EXPECT_EQ(read_as(k2505, "TopologyPlugin=topology/flat").errors, "");
}

TEST(WordsByRelease, DeferBatchIsDeferUntil2302) {  // scheduling.md §2.2
  const std::string lines = "SchedulerParameters=defer_batch";
  EXPECT_TRUE(read_as(k2205, lines).conf.scheduler_parameters.defer);
  const ReadBy after = read_as(k2302, lines);
  EXPECT_FALSE(after.conf.scheduler_parameters.defer);
  EXPECT_TRUE(after.conf.scheduler_parameters.defer_batch);
}

TEST(WordsByRelease, GresFlagsOfTheSiteCameIn2311AndAreToldNotToBeSimulated) {  // gres.md §4.7
  const std::string lines =
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core,LL_SHARED_GRES";
  EXPECT_NE(read_as(k2302, lines).errors.find("LL_SHARED_GRES"), std::string::npos);
  const ReadBy after = read_as(k2311, lines);
  EXPECT_EQ(after.errors, "");
  EXPECT_NE(after.warnings.find("accepted, but not simulated"), std::string::npos);
}

TEST(PreemptWords, AreReadFromTheKeyOfTheirRelease) {  // preemption.md §1
  const std::string old_words =
      "SchedulerParameters=preempt_youngest_first,preempt_reorder_count=3";
  const std::string new_words =
      "PreemptParameters=strict_order,reorder_count=0,min_exempt_priority=500,strict_ordre";
  const ReadBy before = read_as(k2205, old_words);
  EXPECT_EQ(before.warnings, "");
  EXPECT_TRUE(before.conf.preempt_parameters.youngest_first);
  EXPECT_EQ(before.conf.preempt_parameters.reorder_count, 3U);
  const ReadBy late = read_as(k2302, old_words);  // still understood there
  EXPECT_EQ(late.warnings, "");
  EXPECT_TRUE(late.conf.preempt_parameters.youngest_first);
  EXPECT_EQ(late.conf.preempt_parameters.reorder_count, 3U);
  const ReadBy both = read_as(k2302, old_words + "\n" + new_words);
  EXPECT_TRUE(both.conf.preempt_parameters.youngest_first);
  EXPECT_EQ(both.conf.preempt_parameters.reorder_count, 0U);
  const ReadBy after = read_as(k2302, new_words);
  EXPECT_TRUE(after.conf.preempt_parameters.strict_order);
  EXPECT_EQ(after.conf.preempt_parameters.reorder_count, 0U);
  EXPECT_EQ(after.conf.preempt_parameters.min_exempt_priority, 500U);
  EXPECT_NE(after.warnings.find("'strict_ordre' is no word of it"), std::string::npos);
}

TEST(PreemptWords, PriorityIsAFlagOfTheModeFrom2505On) {
  const std::string lines = "PreemptType=preempt/qos\nPreemptMode=CANCEL,PRIORITY";
  EXPECT_NE(read_as(k2411, lines).errors.find("PRIORITY came with 25.05"), std::string::npos);
  EXPECT_EQ(read_as(k2505, lines).errors, "");
  EXPECT_TRUE(read_as(k2505, lines).conf.preempt_priority);
}

TEST(KeysByRelease, ComeAndGo) {  // formats.md §6.6
  EXPECT_EQ(read_as(k2205, "SlurmctldPlugstack=x").errors, "");
  EXPECT_NE(read_as(k2302, "SlurmctldPlugstack=x").errors, "");
  EXPECT_NE(read_as(k2205, "PreemptParameters=strict_order").errors, "");
  EXPECT_EQ(read_as(k2302, "PreemptParameters=strict_order").errors, "");
}

}  // namespace
}  // namespace rehearse::test
