// tests/unit/sched/job_counts_test.cpp — whom bf_max_job_… count together (scheduling.md §8.1).
#include "sim/sched/job_counts.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

constexpr PartitionId kOne{0}, kTwo{1};

struct User {
  JobSpec spec;
  Job of(std::optional<AssociationId> association) {
    spec.user = NameId{7};
    Job job;
    job.spec = &spec;
    job.association = association;
    return job;
  }
};

TEST(JobCounts, OfAUserCountByAssociation) {
  // counted_users.py [V]: with bf_max_job_user=1 a user of two accounts has a job of each looked
  // at.
  User di;
  const Job of_a = di.of(AssociationId{1}), of_b = di.of(AssociationId{2});
  SchedulerParameters parameters;
  parameters.bf_max_job_user = 1;
  JobCounts counts;
  EXPECT_TRUE(counts.admit(of_a, kOne, parameters));
  EXPECT_TRUE(counts.admit(of_b, kOne, parameters));
  EXPECT_FALSE(counts.admit(of_a, kTwo, parameters));
  EXPECT_FALSE(counts.admit(of_b, kTwo, parameters));
  counts.begin_cycle();
  EXPECT_TRUE(counts.admit(of_a, kOne, parameters));
}

TEST(JobCounts, OfAUserWithoutAssociationsCountTogether) {
  User di;
  const Job job = di.of(std::nullopt);
  SchedulerParameters parameters;
  parameters.bf_max_job_user = 1;
  JobCounts counts;
  EXPECT_TRUE(counts.admit(job, kOne, parameters));
  EXPECT_FALSE(counts.admit(job, kTwo, parameters));
}

TEST(JobCounts, OfAUserInAPartitionCountWhateverTheAccount) {
  User di;
  const Job of_a = di.of(AssociationId{1}), of_b = di.of(AssociationId{2});
  SchedulerParameters parameters;
  parameters.bf_max_job_user_part = 1;
  JobCounts counts;
  EXPECT_TRUE(counts.admit(of_a, kOne, parameters));
  EXPECT_FALSE(counts.admit(of_b, kOne, parameters));
  EXPECT_TRUE(counts.admit(of_b, kTwo, parameters));
}

TEST(JobCounts, WhoIsLeftOutByOneCountAddsToNone) {
  User di;
  const Job of_a = di.of(AssociationId{1}), of_b = di.of(AssociationId{2});
  SchedulerParameters parameters;
  parameters.bf_max_job_assoc = 2;
  parameters.bf_max_job_part = 1;
  JobCounts counts;
  EXPECT_TRUE(counts.admit(of_a, kOne, parameters));
  EXPECT_FALSE(counts.admit(of_a, kOne, parameters));  // the partition's count
  EXPECT_TRUE(counts.admit(of_a, kTwo, parameters));
  EXPECT_TRUE(counts.admit(of_b, PartitionId{2}, parameters));
}

}  // namespace
}  // namespace rehearse::test
