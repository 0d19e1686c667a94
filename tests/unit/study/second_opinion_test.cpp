// tests/unit/study/second_opinion_test.cpp — the first fact that two runs do not share is found.
#include "sim/study/second_opinion.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

constexpr SlurmTime kNow{Seconds{1'000}};

class SecondOpinion : public testing::Test {
 protected:
  SecondOpinion() {
    job.id = JobId{7};
    job.state = JobState::Running;
    NodeShare& share = job.allocation.nodes.emplace_back();
    share.node = NodeId{2};
    share.cpus = 4;
    first.job_submitted(job, kNow);
    first.job_started(job, kNow + Seconds{1});
  }
  Job job;
  FactLog first{true};
  FactComparison second{first, nullptr};
};

TEST_F(SecondOpinion, IsOfOneMindWhereAllFactsAreTheSame) {
  second.job_submitted(job, kNow);
  second.job_started(job, kNow + Seconds{1});
  EXPECT_FALSE(second.difference());
  EXPECT_EQ(second.agreed(), 2U);
  EXPECT_FALSE(second.stop());
}

TEST_F(SecondOpinion, StopsAtAnotherPlaceOfTheSameJob) {
  second.job_submitted(job, kNow);
  job.allocation.nodes.front().devices.push_back({.gres = 0, .device = 1, .units = 1});
  second.job_started(job, kNow + Seconds{1});
  second.job_ended(job, false, kNow + Seconds{9});
  const auto difference = second.difference();
  ASSERT_TRUE(difference && difference->first && difference->second);
  EXPECT_EQ(difference->first->what, "job starts");
  EXPECT_EQ(difference->second->what, "job starts");
  EXPECT_EQ(second.agreed(), 1U);
  EXPECT_TRUE(second.stop());
}

TEST_F(SecondOpinion, TellsWhatItDidNotTell) {
  second.job_submitted(job, kNow);
  const auto difference = second.difference();
  ASSERT_TRUE(difference && difference->first);
  EXPECT_EQ(difference->first->at, kNow + Seconds{1});
  EXPECT_FALSE(difference->second);
}

}  // namespace
}  // namespace rehearse::test
