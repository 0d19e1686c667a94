// tests/unit/study/explanation_test.cpp — whole waits in spans, ids as users write them, who went
// first.
#include "sim/study/explanation/explanation.hpp"

#include <gtest/gtest.h>

#include "sim/study/explanation/job_lookup.hpp"
#include "tests/unit/study/crowd.hpp"

namespace rehearse::test {
namespace {

TEST(Explanation, SpansOfEveryJobCoverItsWholeWait) {
  const Crowd crowd(100);
  const Side side = crowd.run({});
  const RunColumns& r = side.result.runs;
  for (std::uint32_t row = 0; row < r.size(); ++row) {
    const auto spans = spans_of(side.result, row);
    std::int64_t at = r.submit[row];
    for (const ReasonSpan& span : spans) {
      EXPECT_EQ(span.begin, at) << "job " << r.job_id[row];
      at = span.end;
    }
    EXPECT_EQ(at, r.start[row]) << "job " << r.job_id[row];
  }
}

TEST(Explanation, OvertakersWereLaterAndStartedFirst) {
  const Crowd crowd(100);
  const Side side = crowd.run({"NodeName=n4:State=DOWN"});
  const RunColumns& r = side.result.runs;
  std::size_t found = 0;
  for (std::uint32_t row = 0; row < r.size(); row += 7) {
    const Explanation explanation = explain_job(side.result, row);
    ASSERT_EQ(explanation.runs.size(), 1U);
    std::size_t expected = 0;
    for (std::size_t other = 0; other < r.size(); ++other) {
      expected += r.submit[other] > r.submit[row] && r.start[other] < r.start[row] ? 1U : 0U;
    }
    const auto& all = explanation.runs.front().overtakers;
    EXPECT_EQ(all.size(), expected);
    found += all.size();
    for (const Overtaker& each : all) {
      if (each.rule == OvertakeRule::Priority) {
        EXPECT_GT(each.priority, each.own_priority);
      }
      if (each.rule == OvertakeRule::Backfill) {
        EXPECT_LE(each.priority, each.own_priority);
        EXPECT_EQ(r.started_by[each.row], static_cast<std::uint8_t>(StartedBy::Backfill));
      }
    }
  }
  EXPECT_GT(found, 20U);
}

TEST(Explanation, PrioritiesEndAtTheOneOfTheStart) {
  const Crowd crowd(100);
  const Side side = crowd.run({"NodeName=n4:State=DOWN"});
  const RunColumns& r = side.result.runs;
  for (std::uint32_t row = 0; row < r.size(); row += 11) {
    const Explanation explanation = explain_job(side.result, row);
    const auto& priorities = explanation.runs.front().priorities;
    ASSERT_FALSE(priorities.empty());
    if (priorities.back().time != r.start[row]) continue;  // started when it became eligible
    EXPECT_EQ(priorities.back().parts.total, std::int64_t{r.priority[row]});
  }
}

TEST(Explanation, EveryReasonHasAMeaning) {
  for (std::size_t i = 0; i < kReasonCount; ++i) {
    EXPECT_GT(meaning_of(static_cast<Reason>(i)).size(), 10U) << i;
  }
  EXPECT_NE(meaning_of(Reason::QOSMaxGRESPerUser).find("one user"), std::string::npos);
  EXPECT_NE(meaning_of(Reason::AssocGrpGRES).find("association"), std::string::npos);
  EXPECT_EQ(meaning_of(Reason::MaxGRESRunMinsPerUser),
            "a limit of its QOS (or its partition's QOS): run-minutes (what runs, times what is "
            "left), for one user");
  EXPECT_EQ(meaning_of(Reason::AssocMaxJobsLimit),
            "a limit of its association (user, account or a parent): running jobs, for this "
            "association alone");
  EXPECT_NE(meaning_of(Reason::QOSMinGRES).find("less than the least"), std::string::npos);
}

TEST(Explanation, PendingJobsByReasonAddUpToTheWaits) {
  const Crowd crowd(100);
  const Side side = crowd.run({});
  const ReasonTable table = reasons_over_time(side.result, even_begins(side.result, 3600, 0));
  double hours = 0;
  for (std::size_t bucket = 0; bucket < table.time.size(); ++bucket) {
    const std::int64_t begin = std::max(side.result.begin, table.time[bucket]);
    const std::int64_t end = std::min(side.result.end, table.time[bucket] + 3600);
    for (const double mean : table.mean[bucket])
      hours += mean * static_cast<double>(end - begin) / 3600;
  }
  double waits = 0;
  const RunColumns& r = side.result.runs;
  for (std::size_t row = 0; row < r.size(); ++row) {
    waits += static_cast<double>(r.start[row] - r.submit[row]) / 3600;
  }
  EXPECT_NEAR(hours, waits, 1e-6 * waits);
}

TEST(Explanation, DaysBeginAtMidnightOfTheSiteThoughItsClockIsChanged) {
  Result result;
  result.cluster.time_zone = "Europe/Berlin";
  const auto at = [](std::string_view text) {
    return TimeZone::utc().read(text)->time_since_epoch().count();
  };
  result.begin = at("2026-03-28T12:00:00");
  result.end = at("2026-03-30T23:00:00");
  EXPECT_EQ(day_begins(result),
            (std::vector<std::int64_t>{at("2026-03-27T23:00:00"), at("2026-03-28T23:00:00"),
                                       at("2026-03-29T22:00:00"), at("2026-03-30T22:00:00")}));
  result.begin = at("2026-03-27T22:59:11");  // its 24 hours go over the short day
  EXPECT_EQ(day_begins(result).size(), 5U);
  result.begin = at("2026-10-24T21:30:00");
  result.end = at("2026-10-26T00:00:00");
  EXPECT_EQ(day_begins(result),
            (std::vector<std::int64_t>{at("2026-10-23T22:00:00"), at("2026-10-24T22:00:00"),
                                       at("2026-10-25T23:00:00")}));
}

/// What find_jobs answers for a wrong id.
std::string hint_of(const Result& result, std::string_view id) {
  try {
    (void)find_jobs(result, id);
  } catch (const InputError& error) {
    return error.findings().front().what + " / " + error.findings().front().hint;
  }
  return "found";
}

TEST(JobLookup, TellsTheNearestIds) {
  const Crowd crowd(50);
  const Side side = crowd.run({});
  EXPECT_EQ(find_jobs(side.result, "7").rows.size(), 1U);
  EXPECT_EQ(find_jobs(side.result, "6+1").rows, find_jobs(side.result, "7").rows);
  EXPECT_NE(hint_of(side.result, "99").find("the nearest are 50"), std::string::npos);
  EXPECT_NE(hint_of(side.result, "7_1").find("7 is no array"), std::string::npos);
  EXPECT_NE(hint_of(side.result, "x7").find("is not a job id"), std::string::npos);
  EXPECT_NE(hint_of(side.result, "7.batch").find("ask for its job, 7"), std::string::npos);
}

}  // namespace
}  // namespace rehearse::test
