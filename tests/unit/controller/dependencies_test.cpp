// tests/unit/controller/dependencies_test.cpp — the text of --dependency (lifecycle.md §8).
#include "sim/controller/dependencies.hpp"

#include <gtest/gtest.h>

#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {
namespace {

TEST(ParseDependencies, ReadsTypesIdsTasksAndDelays) {
  const auto list = parse_dependencies("after:10+5:11,afterok:12_3,singleton");
  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->items.size(), 4U);
  EXPECT_FALSE(list->any);
  EXPECT_EQ(list->items[0].kind, DependencyKind::After);
  EXPECT_EQ(list->items[0].target, JobId{10});
  EXPECT_EQ(list->items[0].delay, Minutes{5});
  EXPECT_EQ(list->items[1].delay, Minutes{5}) << "22.05 keeps the delay for the following ids";
  EXPECT_EQ(list->items[2].task, 3U);
  EXPECT_EQ(list->items[3].kind, DependencyKind::Singleton);
}

TEST(ParseDependencies, TakesTheLastSeparatorForAll) {
  EXPECT_TRUE(parse_dependencies("afterok:1,afterany:1?afterok:2")->any);
  EXPECT_FALSE(parse_dependencies("afterok:1?afterany:1,afterok:2")->any);
}

TEST(ParseDependencies, ReadsAWholeArrayWrittenWithAStar) {
  const auto list = parse_dependencies("afterany:7_*");
  ASSERT_TRUE(list.has_value());
  EXPECT_FALSE(list->items[0].task.has_value());
}

TEST(ParseDependencies, RefusesWhatSlurmRefuses) {
  for (const char* text : {"", "afterok", "afterok:", "afterok:x", "whenever:1", "afterok:1;2",
                           "afterok:1_", "after:1+"}) {
    EXPECT_FALSE(parse_dependencies(text).has_value()) << text;
  }
}

TEST(UnknownJobs, AreThoseNeverSubmittedOrPurgedButNotThoseBeforeTheRun) {
  // lifecycle.md §8: from 23.02 on an afterok or afternotok of theirs is refused at submission.
  SiteBuilder site;
  site.nodes(1, 4, 1000);
  site.partition("batch", 1);
  Cluster& cluster = site.build();
  RecordPurges purges(cluster.conf.min_job_age);
  purges.begin(at(0));
  Dependencies dependencies(cluster, purges);
  Job& job = site.job("emil", "root");
  job.id = JobId{10};
  dependencies.know(job);
  const auto unknown = [&](std::string_view text, std::int64_t now) {
    return dependencies.names_an_unknown_job(*parse_dependencies(text), at(now));
  };
  EXPECT_FALSE(unknown("afterok:10", 0)) << "it is pending";
  EXPECT_TRUE(unknown("afterok:11", 0));
  EXPECT_TRUE(unknown("afternotok:11", 0));
  EXPECT_FALSE(unknown("afterany:11", 0)) << "only these two ask for the outcome";
  EXPECT_FALSE(unknown("afterok:9", 0)) << "it ran before the first job of the run";
  job.state = JobState::Completed;
  job.end = at(100);
  EXPECT_FALSE(unknown("afterok:10", 419)) << "at 400 s it is old enough, and nobody looks";
  EXPECT_TRUE(unknown("afterok:10", 420)) << "purged";
}

// [V: scripts/reference/experiments/purge_minute.py]
TEST(RecordPurges, ComeOnceAMinuteOrOnceInMinJobAgeWhereThatIsLess) {  // lifecycle.md §1
  const auto gone_at = [](Seconds age, std::int64_t end) {
    RecordPurges purges(age);
    purges.begin(at(10));
    std::int64_t now = end;
    while (!purges.took(at(end), at(now)) && now < end + 1000) ++now;
    return now;
  };
  EXPECT_EQ(gone_at(Seconds{90}, 160), 250) << "as old as MinJobAge is old enough";
  EXPECT_EQ(gone_at(Seconds{90}, 161), 310);
  EXPECT_EQ(gone_at(Seconds{90}, 220), 310);
  EXPECT_EQ(gone_at(Seconds{45}, 100), 145);
  EXPECT_EQ(gone_at(Seconds{45}, 101), 190);
  EXPECT_EQ(gone_at(Seconds{20}, 31), 70);
  EXPECT_EQ(gone_at(Seconds{0}, 31), 1031) << "never";
}

TEST(Singletons, WaitForAJobThatGoesBackToTheQueue) {  // lifecycle.md §8
  using Answer = Dependencies::Answer;
  SiteBuilder site;
  site.nodes(1, 4, 1000);
  site.partition("batch", 1);
  Cluster& cluster = site.build();
  Job& earlier = site.job("emil", "root");
  Job& later = site.job("emil", "root");
  earlier.id = JobId{10};
  later.id = JobId{11};
  earlier.state = JobState::Preempted;
  earlier.completing = true;
  const auto asks = [&](const Job& job) {
    const RecordPurges purges(cluster.conf.min_job_age);
    Dependencies dependencies(cluster, purges);
    dependencies.know(earlier);
    dependencies.know(later);
    dependencies.add(job, *parse_dependencies("singleton"));
    return dependencies.test(job, at(0));
  };
  EXPECT_EQ(asks(later), Answer::Fulfilled) << "the other one is over";
  earlier.requeues = true;
  EXPECT_EQ(asks(later), Answer::Waiting);
  earlier.state = JobState::Pending;
  earlier.completing = earlier.requeues = false;
  EXPECT_EQ(asks(later), Answer::Waiting);
  later.state = JobState::Preempted;
  later.completing = later.requeues = true;
  EXPECT_EQ(asks(earlier), Answer::Fulfilled) << "of two that pend the first goes";
}

/// Job 10, which others wait for, and job 11.
class TwoJobs : public ::testing::Test {
 protected:
  TwoJobs() {
    site_.nodes(1, 4, 1000);
    site_.partition("batch", 1);
    cluster_ = &site_.build();
    for (const std::uint32_t id : {10U, 11U}) site_.job("emil", "root").id = JobId{id};
  }
  Job& target() { return cluster_->jobs[id_at<JobIndex>(0)]; }
  Dependencies::Answer asks(std::string_view text) {
    const Job& job = cluster_->jobs[id_at<JobIndex>(1)];
    Dependencies dependencies(*cluster_, purges_);
    dependencies.know(target());
    dependencies.know(job);
    dependencies.add(job, *parse_dependencies(text));
    return dependencies.test(job, at(0));
  }
  Expansion expands(std::string_view text) {
    Dependencies dependencies(*cluster_, purges_);
    dependencies.know(target());
    return dependencies.expansion(*parse_dependencies(text), at(0));
  }

  SiteBuilder site_;
  Cluster* cluster_ = nullptr;
  RecordPurges purges_{Seconds{300}};
};

// [V: scripts/reference/experiments/expanding_jobs.py]
TEST_F(TwoJobs, ASpecialExitIsAnEndForAfternotokAlone) {
  using Answer = Dependencies::Answer;
  target().held = true;
  for (const char* text : {"afternotok:10", "afterok:10", "afterany:10"}) {
    EXPECT_EQ(asks(text), Answer::Waiting) << text << ": it is held";
  }
  target().special_exit = true;
  EXPECT_EQ(asks("afternotok:10"), Answer::Fulfilled);
  EXPECT_EQ(asks("afterok:10"), Answer::Waiting);
  EXPECT_EQ(asks("afterany:10"), Answer::Waiting);
}

// [V: scripts/reference/experiments/expanding_jobs.py]
TEST_F(TwoJobs, AreExpandedWhereThatIsPermittedAndWhileTheyRun) {
  target().state = JobState::Running;
  target().end = at(3600);
  EXPECT_EQ(expands("expand:10").refusal, "Requested operation not supported on this system");
  EXPECT_EQ(expands("after:10").refusal, "");
  cluster_->conf.scheduler_parameters.permit_job_expansion = true;
  EXPECT_EQ(expands("expand:10,after:10").end, at(3600));
  EXPECT_EQ(expands("expand:10").refusal, "");
  EXPECT_EQ(expands("expand:10:10").refusal, "Job dependency problem") << "more than one";
  EXPECT_EQ(expands("expand:12").refusal, "Job dependency problem");
  EXPECT_EQ(expands("expand:9").refusal, "") << "it ran before the first job of the run";
  EXPECT_EQ(asks("expand:10"), Dependencies::Answer::Fulfilled);
  target().state = JobState::Pending;
  EXPECT_EQ(expands("expand:10").refusal, "Job dependency problem");
}

}  // namespace
}  // namespace rehearse::test
