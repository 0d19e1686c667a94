// tests/unit/sched/job_counts_test.cpp — whom bf_max_job_… count together (scheduling.md §8.1).
#include "sim/sched/job_counts.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

constexpr PartitionId kOne{0}, kTwo{1};

/// Jobs of one user, of two associations of his and of none.
struct JobCountsOfAUser : ::testing::Test {
  JobSpec spec;
  Job of_a = of(AssociationId{1}), of_b = of(AssociationId{2}), of_none = of(std::nullopt);
  SchedulerParameters parameters;
  JobCounts counts;

  bool admit(const Job& job, PartitionId partition) {
    return counts.admit(job, partition, parameters);
  }

 private:
  Job of(std::optional<AssociationId> association) {
    spec.user = NameId{7};
    Job job;
    job.spec = &spec;
    job.association = association;
    return job;
  }
};

TEST_F(JobCountsOfAUser, CountByAssociation) {
  // counted_users.py [V]: with bf_max_job_user=1 a user of two accounts has a job of each looked
  // at.
  parameters.bf_max_job_user = 1;
  EXPECT_TRUE(admit(of_a, kOne));
  EXPECT_TRUE(admit(of_b, kOne));
  EXPECT_FALSE(admit(of_a, kTwo));
  EXPECT_FALSE(admit(of_b, kTwo));
  counts.begin_cycle();
  EXPECT_TRUE(admit(of_a, kOne));
}

TEST_F(JobCountsOfAUser, WithoutAssociationsCountTogether) {
  parameters.bf_max_job_user = 1;
  EXPECT_TRUE(admit(of_none, kOne));
  EXPECT_FALSE(admit(of_none, kTwo));
}

TEST_F(JobCountsOfAUser, InAPartitionCountWhateverTheAccount) {
  parameters.bf_max_job_user_part = 1;
  EXPECT_TRUE(admit(of_a, kOne));
  EXPECT_FALSE(admit(of_b, kOne));
  EXPECT_TRUE(admit(of_b, kTwo));
}

TEST_F(JobCountsOfAUser, LeftOutByOneCountAddToNone) {
  parameters.bf_max_job_assoc = 2;
  parameters.bf_max_job_part = 1;
  EXPECT_TRUE(admit(of_a, kOne));
  EXPECT_FALSE(admit(of_a, kOne));  // the partition's count
  EXPECT_TRUE(admit(of_a, kTwo));
  EXPECT_TRUE(admit(of_b, PartitionId{2}));
}

}  // namespace
}  // namespace rehearse::test
