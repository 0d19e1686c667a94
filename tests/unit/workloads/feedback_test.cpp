// tests/unit/workloads/feedback_test.cpp — who is thought to have waited for what, told from when
// jobs were submitted and when they ended.
#include "workloads/feedback.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "workloads/closed_replay.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kZero = 1'700'000'000;
constexpr std::int64_t kMinute = 60, kHour = 3600;

SlurmTime second(std::int64_t at) {
  return from_epoch_seconds(kZero + at);
}

/// A job of user 1 unless told; times in seconds.
JobSpec job(std::uint32_t id, std::int64_t submit, std::int64_t end, std::uint32_t user = 1) {
  JobSpec spec;
  spec.id = JobId{id};
  spec.user = NameId{user};
  spec.submit = Time{second(submit)};
  spec.recorded_start = second(submit);
  spec.recorded_end = second(end);
  return spec;
}

FeedbackConf think_time() {
  FeedbackConf conf;
  conf.mode = FeedbackMode::ThinkTime;
  return conf;
}

FeedbackPlan plan_of(std::vector<JobSpec> specs, const FeedbackConf& conf = think_time(),
                     const FixedSubmissions& fixed = {}) {
  return plan_feedback(TraceJobs(std::move(specs)), conf, fixed);
}

/// `after_end 0 +60`: the rule, the position, the distance in seconds.
std::string link(const FeedbackPlan& plan, std::size_t at) {
  const SubmitLink& link = plan.links.at(at);
  if (link.rule == SubmitRule::Recorded) return "recorded";
  return std::string(to_text(link.rule)) + " " + std::to_string(link.of) + " +" +
         std::to_string(std::chrono::duration_cast<Seconds>(link.distance).count());
}

TEST(FeedbackPlan, AJobSoonAfterAnEndWaitedForIt) {
  const auto plan = plan_of({job(1, 0, 600), job(2, 660, 900)});
  EXPECT_EQ(link(plan, 0), "recorded");
  EXPECT_EQ(link(plan, 1), "after_end 0 +60");
}

TEST(FeedbackPlan, ALongThinkTimeIsASessionOfItsOwn) {
  const auto specs = {job(1, 0, 600), job(2, 600 + 20 * kMinute, 9000),
                      job(3, 9001 + 20 * kMinute, 20000)};
  const auto plan = plan_of(specs);
  EXPECT_EQ(link(plan, 1), "after_end 0 +1200");
  EXPECT_EQ(link(plan, 2), "recorded");
  FeedbackConf linked = think_time();
  linked.sessions = SessionStart::Linked;
  EXPECT_EQ(link(plan_of(specs, linked), 2), "after_end 1 +1201");
}

TEST(FeedbackPlan, WhatComesWhileTheLastIsActiveIsOfItsBatch) {
  const auto plan =
      plan_of({job(1, 0, 600), job(2, 660, 5000), job(3, 700, 800), job(4, 710, 720)});
  EXPECT_EQ(link(plan, 2), "with_batch 1 +40");
  EXPECT_EQ(link(plan, 3), "with_batch 1 +50");  // from the first, not from the last
}

TEST(FeedbackPlan, ABatchOfARecordedJobIsRecorded) {
  const auto plan = plan_of({job(1, 0, 5000), job(2, 10, 5000)});
  EXPECT_EQ(link(plan, 1), "recorded");
}

TEST(FeedbackPlan, ALongPauseEndsABatchThoughItsJobsRunOn) {
  const auto specs = {job(1, 0, 600), job(2, 660, 90000), job(3, 661 + kHour, 90000)};
  EXPECT_EQ(link(plan_of(specs), 2), "recorded");
  FeedbackConf patient = think_time();
  patient.session_gap = Duration{2 * kHour * 1'000'000};
  EXPECT_EQ(link(plan_of(specs, patient), 2), "with_batch 1 +3601");
}

TEST(FeedbackPlan, OfSeveralEndsTheLastOneCounts) {
  // 1 ends after 2, of which 3 would otherwise be thought to have waited.
  const auto plan = plan_of({job(1, 0, 650), job(2, 10, 300), job(3, 700, 800)});
  EXPECT_EQ(link(plan, 2), "after_end 0 +50");
}

TEST(FeedbackPlan, AnEndInTheSecondOfTheSubmissionMayHaveComeAfterIt) {
  const auto plan = plan_of({job(1, 0, 600), job(2, 600, 900)});
  EXPECT_EQ(link(plan, 1), "recorded");
}

TEST(FeedbackPlan, UsersDoNotWaitForEachOther) {
  const auto plan = plan_of({job(1, 0, 600, 1), job(2, 660, 900, 2)});
  EXPECT_EQ(link(plan, 1), "recorded");
}

TEST(FeedbackPlan, ACancelledJobEndsWhenItIsCancelled) {
  JobSpec cancelled = job(1, 0, 0);
  cancelled.recorded_start.reset();
  cancelled.recorded_end.reset();
  cancelled.cancel_at = second(600);
  EXPECT_EQ(link(plan_of({cancelled, job(2, 660, 900)}), 1), "after_end 0 +60");
}

TEST(FeedbackPlan, AnArrayEndsWithItsLastTaskAndAnUnknownEndIsNone) {
  JobSpec array = job(1, 0, 100);
  array.extras = std::make_unique<JobExtras>();
  for (const std::int64_t end : {100, 500}) {
    ArrayTask& task = array.extras->array.emplace_back();
    task.recorded_start = second(10);
    task.recorded_end = second(end);
  }
  EXPECT_EQ(link(plan_of({array, job(2, 560, 900)}), 1), "after_end 0 +60");
  EXPECT_EQ(link(plan_of({array, job(2, 160, 900)}), 1), "recorded");  // of its batch
  array.extras->array.back().recorded_end.reset();
  const auto plan = plan_of({array, job(2, 560, 900)});
  EXPECT_EQ(link(plan, 1), "recorded");
  EXPECT_EQ(plan.survey.without_end, 2U);
  EXPECT_EQ(plan.survey.jobs, 3U);
}

TEST(FeedbackPlan, ComponentsStayTogether) {
  JobSpec first = job(2, 660, 660), second_part = job(3, 660, 900);
  for (JobSpec* part : {&first, &second_part}) {
    part->extras = std::make_unique<JobExtras>();
    part->extras->het_leader = JobId{2};
  }
  const auto plan = plan_of({job(1, 0, 600), first, second_part});
  EXPECT_EQ(link(plan, 1), "after_end 0 +60");
  EXPECT_EQ(link(plan, 2), "with_batch 1 +0");
}

TEST(FeedbackPlan, WhatCommandsNameAndWhoIsUnknownStay) {
  const auto plan = plan_of({job(1, 0, 600), job(2, 660, 900)}, think_time(), {{JobId{2}}, {}});
  EXPECT_EQ(link(plan, 1), "recorded");
  EXPECT_EQ(plan.survey.fixed, 1U);
  JobSpec nobody = job(2, 660, 900);
  nobody.user = kNoName;
  const auto other = plan_of({job(1, 0, 600), nobody});
  EXPECT_EQ(link(other, 1), "recorded");
  EXPECT_EQ(other.survey.without_user, 1U);
}

/// Ends job `id` at `at` for the replay.
void end(ClosedReplay& replay, std::uint32_t id, std::int64_t at) {
  Job record;
  record.id = JobId{id};
  record.end = second(at);
  replay.job_ended(record, false, second(at));
}

std::pair<std::uint32_t, std::int64_t> given(ClosedReplay& replay) {
  const auto spec = replay.next();
  if (!spec) return {0, 0};
  return {static_cast<std::uint32_t>(spec->id), epoch_seconds(spec->submit) - kZero};
}
using Given = std::pair<std::uint32_t, std::int64_t>;

TEST(ClosedReplay, GivesWhatIsDueNextThoughItBecameKnownLater) {
  const TraceJobs jobs({job(1, 0, 600), job(2, 660, 900), job(9, 500, 800, 2)});
  const FeedbackPlan plan = plan_feedback(jobs, think_time(), {});
  ClosedReplay replay(jobs, plan);
  EXPECT_EQ(given(replay), Given(1, 0));
  EXPECT_EQ(given(replay), Given(9, 500));
  EXPECT_FALSE(replay.is_outdated());
  end(replay, 1, 100);  // early: 2 comes at 160, before 9
  ASSERT_TRUE(replay.is_outdated());
  replay.take_back();
  EXPECT_EQ(given(replay), Given(2, 160));
  EXPECT_EQ(given(replay), Given(9, 500));
  EXPECT_EQ(given(replay), Given(0, 0));
  EXPECT_FALSE(replay.is_outdated());
}

TEST(ClosedReplay, TimesThatCountFromTheSubmissionMoveWithIt) {
  JobSpec later = job(2, 660, 900);
  later.begin = second(700);
  later.cancel_at = second(800);
  const TraceJobs jobs({job(1, 0, 600), later});
  const FeedbackPlan plan = plan_feedback(jobs, think_time(), {});
  ClosedReplay replay(jobs, plan);
  (void)replay.next();
  end(replay, 1, 1000);
  const auto spec = replay.next();
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->submit, Time{second(1060)});
  EXPECT_EQ(spec->begin, second(1100));
  EXPECT_EQ(spec->cancel_at, second(1200));
}

TEST(ClosedReplay, ARequeueIsNoEndAndARefusalKeepsTheRecordedDistance) {
  const TraceJobs jobs({job(1, 0, 600), job(2, 660, 900)});
  const FeedbackPlan plan = plan_feedback(jobs, think_time(), {});
  ClosedReplay replay(jobs, plan);
  const auto first = replay.next();
  Job record;
  record.id = JobId{1};
  replay.job_ended(record, true, second(50));
  EXPECT_EQ(replay.held_back(), 1U);
  replay.job_rejected(*first, "no", second(0));
  EXPECT_EQ(replay.held_back(), 0U);
  EXPECT_EQ(given(replay), Given(2, 660));
}

TEST(ClosedReplay, AJobComesAfterThoseThatItNames) {
  // 3 names 2, which waits for 1; the record has 3 hours later, in a session of its own.
  JobSpec third = job(3, 660 + 5 * kHour, 700 + 5 * kHour);
  third.extras = std::make_unique<JobExtras>();
  third.extras->dependency = "afterok:2";
  const TraceJobs jobs({job(1, 0, 600), job(2, 660, 900), third});
  const FeedbackPlan plan = plan_feedback(jobs, think_time(), {});
  ClosedReplay replay(jobs, plan);
  EXPECT_EQ(given(replay), Given(1, 0));
  EXPECT_EQ(given(replay), Given(0, 0));
  end(replay, 1, 50000);
  EXPECT_EQ(given(replay), Given(2, 50060));
  EXPECT_EQ(given(replay), Given(3, 50060));
}

}  // namespace
}  // namespace rehearse::test
