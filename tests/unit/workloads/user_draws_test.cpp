// tests/unit/workloads/user_draws_test.cpp — whole users are drawn, and copies are users of their
// own.
#include "workloads/user_draws.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <set>

#include "reading.hpp"
#include "tests/unit/config/findings.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kWeekSeconds = 7 * 86400;

/// Users a .. j, each with `each` jobs over three weeks and two days; the second job of each
/// depends on its first.
std::string trace_of(int each = 6) {
  std::string text =
      "JobID|User|Account|Submit|Start|End|Elapsed|Timelimit|State|ExitCode|NNodes|NCPUS|ReqTRES|"
      "SubmitLine\n";
  for (int user = 0; user < 10; ++user) {
    for (int i = 0; i < each; ++i) {
      const int id = 100 + user * each + i;
      const int day = 1 + (i * 23 + user) / each % 24;
      const std::string at = fmt::format("2025-01-{:02}T{:02}:00:00", day, 8 + user);
      const std::string line =
          i == 1 ? fmt::format("sbatch --dependency=afterany:{} job.sh", id - 1) : "sbatch job.sh";
      text += fmt::format(
          "{0}|{1}|x|{2}|{2}|2025-02-01T00:00:00|01:00:00|02:00:00|COMPLETED|0:0|1|2|"
          "billing=2,cpu=2,gres/gpu=1,node=1|{3}\n",
          id, static_cast<char>('a' + user), at, line);
    }
  }
  return text;
}

struct Drawn {
  explicit Drawn(const UserChange& change, const std::string& text = trace_of()) : read(text) {
    users = draw_users(read.trace.jobs, read.names, change);
    jobs = jobs_of_users(read.trace.jobs, users, read.names, read.requests, demand);
    for (const JobSpec& spec : jobs.specs()) {
      by_user[std::string(read.names.text(spec.user))].push_back(&spec);
    }
  }
  Reading read;
  std::vector<DrawnUserCopy> users;
  DrawnDemand demand;
  TraceJobs jobs;
  std::map<std::string, std::vector<const JobSpec*>> by_user;
};

TEST(UserDrawsOfATrace, GrowthKeepsEveryoneAndAddsCopies) {
  const Drawn drawn({false, 1.3, 5});
  EXPECT_EQ(drawn.users.size(), 13U);
  EXPECT_EQ(drawn.jobs.specs().size(), 13U * 6);
  EXPECT_EQ(drawn.by_user.size(), 13U);
  EXPECT_DOUBLE_EQ(drawn.demand.work_after / drawn.demand.work_before, 1.3);
  for (char user = 'a'; user <= 'j'; ++user) {
    const auto& jobs = drawn.by_user.at(std::string(1, user));
    ASSERT_EQ(jobs.size(), 6U);
    for (const JobSpec* job : jobs) EXPECT_TRUE(job->recorded_start.has_value());
  }
}

TEST(UserDrawsOfATrace, ACopyComesWholeWeeksLaterWithIdsOfItsOwn) {
  const Drawn drawn({false, 2, 1});
  std::set<JobId> ids;
  std::size_t moved = 0;
  for (const JobSpec& spec : drawn.jobs.specs()) EXPECT_TRUE(ids.insert(spec.id).second);
  for (const DrawnUserCopy& copy : drawn.users) {
    if (copy.name == copy.user) continue;
    EXPECT_GE(copy.weeks, 1);
    EXPECT_LT(copy.weeks, 3);
    std::multiset<std::int64_t> hours;
    for (const JobSpec* job : drawn.by_user.at(copy.user)) {
      hours.insert(epoch_seconds(job->submit) % kWeekSeconds);
    }
    for (const JobSpec* job : drawn.by_user.at(copy.name)) {
      const auto at = hours.find(epoch_seconds(job->submit) % kWeekSeconds);
      ASSERT_NE(at, hours.end()) << copy.name;
      hours.erase(at);
      EXPECT_FALSE(job->recorded_start.has_value());
      EXPECT_GE(job->submit, drawn.read.job(0).submit);
      EXPECT_LE(job->submit, drawn.read.trace.jobs.specs().back().submit);
      if (job->submit != drawn.by_user.at(copy.user).front()->submit) ++moved;
    }
  }
  EXPECT_GT(moved, 20U);
}

TEST(UserDrawsOfATrace, DependenciesStayWithinTheCopy) {
  const Drawn drawn({false, 3, 1});
  std::size_t kept = 0;
  for (const auto& [user, jobs] : drawn.by_user) {
    std::map<std::string, const JobSpec*> own;
    for (const JobSpec* job : jobs) own[std::to_string(static_cast<std::uint32_t>(job->id))] = job;
    for (const JobSpec* job : jobs) {
      if (!job->extras || job->extras->dependency.empty()) continue;
      const std::string target = job->extras->dependency.substr(9);  // afterany:
      ASSERT_TRUE(own.contains(target)) << user << " " << target;
      EXPECT_LE(own[target]->submit, job->submit);
      ++kept;
    }
  }
  EXPECT_EQ(kept + drawn.demand.dependencies_dropped, 30U);
}

TEST(UserDrawsOfATrace, ResamplingDrawsAsManyUsersWithReplacement) {
  const Drawn drawn({true, 1, 4});
  EXPECT_EQ(drawn.users.size(), 10U);
  EXPECT_EQ(drawn.by_user.size(), 10U);
  std::set<std::string> sources;
  for (const DrawnUserCopy& copy : drawn.users) sources.insert(copy.user);
  EXPECT_LT(sources.size(), 10U);
  const Drawn other({true, 1, 5});
  EXPECT_NE(drawn.demand.jobs_after == 0, true);
  std::vector<std::string> a;
  std::vector<std::string> b;
  for (const DrawnUserCopy& copy : drawn.users) a.push_back(copy.name);
  for (const DrawnUserCopy& copy : other.users) b.push_back(copy.name);
  EXPECT_NE(a, b);
}

TEST(UserDrawsOfATrace, FewerUsersAreSomeOfThemAsTheyAre) {
  const Drawn drawn({false, 0.5, 1});
  EXPECT_EQ(drawn.users.size(), 5U);
  for (const DrawnUserCopy& copy : drawn.users) EXPECT_EQ(copy.name, copy.user);
  EXPECT_EQ(drawn.jobs.specs().size(), 30U);
}

TEST(UserDrawsOfATrace, APartOfAUserIsOneWithThatProbability) {
  std::size_t more = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    more += Drawn({false, 1.05, seed}, trace_of(1)).users.size() - 10;
  }
  EXPECT_NEAR(static_cast<double>(more) / 200, 0.5, 0.15);
}

TEST(UserDrawsOfATrace, AShortTraceIsNotMoved) {
  const std::string text =
      "JobID|User|Account|Submit|Start|End|Elapsed|Timelimit|State|ExitCode|NNodes|NCPUS|ReqTRES\n"
      "1|a|x|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|01:00:00|02:00:00|"
      "COMPLETED|0:0|1|2|cpu=2,node=1\n";
  const Drawn drawn({false, 2, 1}, text);
  ASSERT_EQ(drawn.jobs.specs().size(), 2U);
  EXPECT_EQ(drawn.jobs.specs()[0].submit, drawn.jobs.specs()[1].submit);
  EXPECT_EQ(drawn.users[1].name, "a+1");
}

TEST(UserDrawsOfATrace, CopiesHaveTheAssociationsOfTheirUsers) {
  Diagnostics found;
  AccountingConf accounting = parse_sacctmgr_dump(
      "Cluster - 'c':Fairshare=1\nParent - 'root'\nAccount - 'x':Description='x':Organization='x'\n"
      "Parent - 'x'\nUser - 'a':DefaultAccount='x':Fairshare=7\n",
      "assoc.dump", found);
  add_copies({{"a", "a", 0}, {"a", "a+1", 1}, {"b", "b+1", 1}}, accounting);
  ASSERT_EQ(all_text(found), "");
  std::map<std::string, std::uint32_t> shares;
  for (const AssociationConf& each : accounting.associations) {
    if (!each.user.empty() && each.user != "root") shares[each.user] = each.fairshare.value_or(0);
  }
  EXPECT_EQ(shares, (std::map<std::string, std::uint32_t>{{"a", 7}, {"a+1", 7}}));
}

}  // namespace
}  // namespace rehearse::test
