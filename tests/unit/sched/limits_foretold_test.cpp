// tests/unit/sched/limits_foretold_test.cpp — limits after selection, told from what is known of it
// beforehand (limits.md §6.4).
#include <gtest/gtest.h>

#include "tests/unit/sched/limits_site.hpp"

namespace rehearse::test {
namespace {

class Foretold : public LimitsSite {
 protected:
  /// Of a job with so many CPUs, of which all allocations have as many on one node.
  [[nodiscard]] std::optional<AfterSelection> of(const Job& job, std::uint32_t cpus) {
    const auto known = limits->certain_amounts(job, {.cpus = cpus, .most_nodes = 1});
    return limits->foretold(job, job.partition, known);
  }
};

TEST_F(Foretold, IsTheAnswerAfterSelection) {
  qos_row("normal").max_tres_per_user = {{"cpu", 30}};
  row("chem").limits.grp_tres = {{"cpu", 40}};
  build();
  start(job(16));
  start(job(16, "normal", 1, "fred"));
  EXPECT_EQ(of(job(8), 8)->over, std::nullopt);
  EXPECT_EQ(of(job(12), 12)->over, Reason::AssocGrpCpuLimit);
  EXPECT_EQ(of(job(15), 15)->over, Reason::QOSMaxCpuPerUserLimit) << "a QOS comes first";
}

TEST_F(Foretold, DependsOnThePlaceWhereALimitLooksAtOtherAmounts) {
  row("chem", "emil").limits.max_tres_per_job = {{"mem", 1000}};
  build();
  EXPECT_FALSE(of(job(8), 8).has_value());
  EXPECT_EQ(of(job(8, "normal", 1, "fred"), 8)->over, std::nullopt) << "nothing is set for fred";
}

TEST_F(Foretold, IsNotConcernedByLimitsThatAreHidden) {
  qos_row("normal").limits.max_tres_per_job = {{"mem", 1000}};
  qos_row("part").limits.max_tres_per_job = {{"cpu", 10}};
  row("chem", "emil").limits.max_tres_per_job = {{"cpu", 5}};
  partition_row().qos = "part";
  build();
  Job& one = job(8, "part");
  EXPECT_EQ(of(one, 8)->over, std::nullopt) << "the QOS has another limit of the kind";
  EXPECT_EQ(of(job(12, "part"), 12)->over, Reason::QOSMaxCpuPerJobLimit);
  EXPECT_FALSE(of(job(8), 8).has_value()) << "the second QOS looks at memory";
}

TEST_F(Foretold, GoesByLimitsThatWereChanged) {
  row("chem").limits.grp_tres = {{"cpu", 10}};
  build();
  Job& one = job(12);
  EXPECT_EQ(of(one, 12)->over, Reason::AssocGrpCpuLimit);
  site.association("chem").limits.grp_tres[0] = 20;
  limits->limits_changed();
  EXPECT_EQ(of(one, 12)->over, std::nullopt);
}

}  // namespace
}  // namespace rehearse::test
