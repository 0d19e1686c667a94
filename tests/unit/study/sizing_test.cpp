// tests/unit/study/sizing_test.cpp — the fewest nodes: held against trying every count; anomalies,
// names of nodes and targets that are wrong.
#include "sim/study/sizing/sizing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/study/crowd.hpp"

namespace rehearse::test {
namespace {

SizeRequest request_of(const Crowd& crowd, std::string_view target) {
  SizeRequest request;
  request.site = crowd.path();
  request.node_type = "gpu";
  request.target = read_target(target);
  request.max = 16;
  request.draws.draws = 200;
  return request;
}

SizeAnswer sized(SizeRequest request) {
  Diagnostics found;
  SizeStudy study(std::move(request), found);
  return study.run([](const std::vector<std::uint32_t>&) {}, nullptr);
}

/// Verdicts from a list, by count from 1; counts the questions.
struct Stub {
  std::vector<bool> meets;
  std::size_t asked = 0;
  [[nodiscard]] AskCounts ask() {
    return [this](const std::vector<std::uint32_t>& counts) {
      std::vector<CountVerdict> verdicts;
      for (const std::uint32_t count : counts) {
        ++asked;
        verdicts.push_back({meets.at(count - 1), std::nullopt});
      }
      return std::optional(std::move(verdicts));
    };
  }
};

TEST(CountSearch, FindsTheSmallestOfEveryMonotoneTarget) {
  constexpr std::uint32_t kMost = 40;
  for (std::uint32_t least = 1; least <= kMost + 1; ++least) {
    for (const std::uint32_t today : {1U, 10U, kMost}) {
      Stub stub;
      for (std::uint32_t count = 1; count <= kMost; ++count) stub.meets.push_back(count >= least);
      const CountSearch search =
          search_counts({.min = 1, .max = kMost, .today = today}, stub.ask());
      EXPECT_EQ(search.answer(), least <= kMost ? std::optional(least) : std::nullopt);
      EXPECT_LE(stub.asked, 10U) << "two bounds, today, log2(40) and a neighbour";
      EXPECT_TRUE(search.misses_above().empty());
      EXPECT_EQ(stub.asked, search.tried.size()) << "no count is run twice";
    }
  }
}

TEST(CountSearch, TellsALargerCountThatMisses) {
  Stub stub{{false, false, true, false, true, true, true, true}};
  const CountSearch search = search_counts({.min = 1, .max = 8, .today = 8}, stub.ask());
  ASSERT_TRUE(search.answer());
  // Whichever it finds, its lower neighbour misses and both neighbours were run.
  const std::uint32_t answer = *search.answer();
  EXPECT_TRUE(stub.meets[answer - 1]);
  EXPECT_FALSE(search.tried.at(answer - 1).by_run);
  EXPECT_TRUE(search.tried.contains(answer + 1));
  const CountSearch all =
      search_counts({.min = 1, .max = 8, .today = 8, .every = true}, stub.ask());
  EXPECT_EQ(all.answer(), 3U);
  EXPECT_EQ(all.misses_above(), std::vector<std::uint32_t>{4});
  EXPECT_EQ(all.tried.size(), 8U);
}

TEST(CountSearch, FindsACountBelowAMostThatMisses) {
  Stub stub{{false, false, true, true, false, false, false, false}};
  const CountSearch search = search_counts({.min = 1, .max = 8, .today = 4}, stub.ask());
  EXPECT_EQ(search.answer(), 3U);
  EXPECT_EQ(search.misses_above(), std::vector<std::uint32_t>{8});
}

TEST(CountSearch, StopsWhereItIsInterrupted) {
  const CountSearch search = search_counts(
      {.min = 1, .max = 8, .today = std::nullopt},
      [](const std::vector<std::uint32_t>&) -> std::optional<std::vector<CountVerdict>> {
        return std::nullopt;
      });
  EXPECT_FALSE(search.is_complete);
  EXPECT_FALSE(search.answer());
}

TEST(Knee, IsFarthestBelowTheChord) {
  EXPECT_EQ(knee_of({{1, 100}, {2, 20}, {3, 10}, {4, 5}, {5, 0}}), 1U);
  EXPECT_EQ(knee_of({{1, 100}, {2, 75}, {3, 50}, {4, 25}, {5, 0}}), std::nullopt) << "a line";
  EXPECT_EQ(knee_of({{1, 0}, {2, 50}, {3, 60}}), std::nullopt) << "more does not pay";
  EXPECT_EQ(knee_of({{1, 100}, {5, 0}}), std::nullopt);
}

TEST(Size, IsWhatTryingEveryCountFinds) {
  const Crowd crowd(60);
  for (const char* target : {"p95_wait(size=8) < 2h", "p50_wait < 1s"}) {
    SizeRequest request = request_of(crowd, target);
    const SizeAnswer found = sized(request);
    request.every = true;
    const SizeAnswer all = sized(request);
    ASSERT_EQ(all.tried.size(), 16U);
    EXPECT_EQ(found.search.by_draws, all.search.by_draws) << target;
    EXPECT_EQ(found.search.by_run, all.search.by_run) << target;
    // By hand: the first count that meets it in nine of ten draws.
    const auto first = std::find_if(all.tried.begin(), all.tried.end(), [](const TriedCount& one) {
      return one.target.share && *one.target.share >= 0.9;
    });
    EXPECT_EQ(all.search.by_draws,
              first == all.tried.end() ? std::nullopt : std::optional(first->count))
        << target;
    for (const TriedCount& one : found.tried) {
      EXPECT_EQ(one.schedule_fingerprint, all.at(one.count).schedule_fingerprint);
      EXPECT_EQ(one.target.share, all.at(one.count).target.share) << "the same draws";
    }
  }
}

TEST(Size, AskedOfTheRunHasItsFigures) {
  const Crowd crowd;
  const SizeAnswer answer = sized(request_of(crowd, "mean_wait < 1h and makespan < 30d"));
  const Side today = crowd.run({});
  const TriedCount& tried = answer.at(4);
  const std::vector<JobOutcome> jobs = outcomes_of(today.result, {});
  double sum = 0;
  for (const JobOutcome& job : jobs) sum += static_cast<double>(job.wait());
  EXPECT_NEAR(tried.target.figures[0].value, sum / static_cast<double>(jobs.size()), 1e-9);
  EXPECT_DOUBLE_EQ(tried.target.figures[1].value, today.kpis.overall("makespan"));
  EXPECT_FALSE(tried.target.figures[1].band) << "a figure of the whole run is in no draw";
  EXPECT_EQ(tried.schedule_fingerprint, today.result.loops.schedule_fingerprint);
  EXPECT_DOUBLE_EQ(tried.gpus, 32);
}

TEST(Size, DoesNotDependOnThreads) {
  const Crowd crowd(60);
  SizeRequest request = request_of(crowd, "mean_wait < 30min");
  const SizeAnswer one = sized(request);
  request.threads = 4;
  const SizeAnswer four = sized(request);
  EXPECT_EQ(one.sentence, four.sentence);
  ASSERT_EQ(one.tried.size(), four.tried.size());
  for (std::size_t i = 0; i < one.tried.size(); ++i) {
    EXPECT_EQ(one.tried[i].count, four.tried[i].count);
    EXPECT_EQ(one.tried[i].target.share, four.tried[i].target.share);
    EXPECT_EQ(one.tried[i].schedule_fingerprint, four.tried[i].schedule_fingerprint);
  }
}

TEST(Size, OfATargetOutOfReachIsNone) {
  const Crowd crowd(60);
  SizeRequest request = request_of(crowd, "gpu_utilization > 200%");
  const SizeAnswer answer = sized(request);
  EXPECT_FALSE(answer.search.answer());
  EXPECT_TRUE(answer.sentence.starts_with("No count of the nodes with a GPU from 1 to 16 meets"))
      << answer.sentence;
}

TEST(Size, OfFewUsersIsTheRunsOwnAndSaysSo) {
  const Crowd crowd(60);
  SizeRequest request = request_of(crowd, "mean_wait < 1h");
  request.draws.users_min = 1000;
  const SizeAnswer answer = sized(request);
  ASSERT_TRUE(answer.search.answer());
  EXPECT_EQ(answer.search.answer(), answer.search.by_run);
  EXPECT_NE(answer.sentence.find("users are too few to draw from"), std::string::npos)
      << answer.sentence;
}

TEST(Size, CountsWhatCannotRunAsMissed) {
  // Ten users with small jobs that never wait, and one job of three nodes.
  const ScratchFolder folder;
  folder.write("slurm.conf",
               "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\n"
               "SelectTypeParameters=CR_Core\nNodeName=n[1-2] CPUs=16 RealMemory=64000\n"
               "PartitionName=p Nodes=ALL Default=YES MaxTime=1-0\n");
  std::string rows =
      "JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|"
      "ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES\n";
  for (int i = 1; i <= 12; ++i) {
    const int nodes = i == 12 ? 3 : 1;
    rows += fmt::format(
        "{0}|{0}|u{0}|a|p|normal|2025-01-01T{0:02}:00:00|2025-01-01T{0:02}:00:00|"
        "2025-01-01T{0:02}:10:00|600|30|COMPLETED|0:0|{1}|{1}|cpu={1},node={1}|cpu={1},node={1}\n",
        i, nodes);
  }
  folder.write("sacct.txt", rows);
  SizeRequest request;
  request.site = folder.path();
  request.node_type = "n[1-2]";
  request.target = read_target("p95_wait < 1h");
  request.every = true;
  const SizeAnswer answer = sized(request);
  EXPECT_EQ(answer.jobs, 12U);
  EXPECT_EQ(answer.at(2).target.cannot_run, 1U);
  EXPECT_FALSE(answer.at(2).target.holds);
  EXPECT_EQ(answer.at(3).target.cannot_run, 0U);
  EXPECT_EQ(answer.search.by_run, 3U);
  // A draw without that user meets the target: about (11/12)^12 of them.
  ASSERT_TRUE(answer.at(2).target.share);
  EXPECT_NEAR(*answer.at(2).target.share, 0.352, 0.06);
  request.target = read_target("p95_wait(user=u3) < 1h");
  EXPECT_EQ(sized(request).search.answer(), 1U) << "it is no job of that target";
}

/// Where, and whether both texts are told.
void expect_refused(std::string_view text, std::size_t column, std::string_view told) {
  try {
    (void)read_target(text);
    ADD_FAILURE() << text << " reads";
  } catch (const ConditionError& error) {
    EXPECT_EQ(error.column, column) << text;
    EXPECT_NE((error.what + error.hint).find(told), std::string::npos) << error.what;
  }
}

TEST(SizeTarget, IsAConditionOnOneRun) {
  const SizeTarget target = read_target(
      "p95_wait(partition=gpu)<1h and (gpu_utilization>0.5 or wait_p95(partition=gpu)<2s)");
  ASSERT_EQ(target.figures.size(), 2U) << "the same figure by its other name is one";
  EXPECT_EQ(to_text(target.figures[0]), "wait_p95(partition=gpu)");
  expect_refused("p95_wiat < 1h", 1, "did you mean 'p95_wait'?");
  expect_refused("p95_wait < 1.1*a", 16, "side a");
  expect_refused("mean_wait < 1h and a.p95_wait < 1h", 20, "side a");
  expect_refused("worse(mean_wait)", 1, "hold two runs");
  expect_refused("1 < 2", 1, "no figure");
  expect_refused("mean_wait < 600", 13, "is a time");
  expect_refused("mean_wait", 1, "compare it");
  expect_refused("mean_wait(acount=x) < 1", 11, "did you mean 'account'?");
}

TEST(SizeTarget, OfANameThatNobodyBearsIsToldWithItsColumn) {
  const Crowd crowd(60);
  try {
    (void)sized(request_of(crowd, "mean_wait < 1h and p95_wait(account=a9) < 1h"));
    FAIL() << "no job is of account a9";
  } catch (const ConditionError& error) {
    EXPECT_EQ(error.column, 20U);
    EXPECT_EQ(error.what, "no job is of account a9");
  }
}

struct NodesOf {
  SlurmConf conf;
  GresConf gres;
};
NodesOf mixed_nodes() {
  Diagnostics found;
  NodesOf nodes;
  nodes.conf = parse_slurm_conf(
      "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu\n"
      "NodeName=a[1-3] CPUs=8 Gres=gpu:a100:4 Feature=big,fast\n"
      "NodeName=h[1-2] CPUs=8 Gres=gpu:h100:4 Feature=fast\n"
      "NodeName=h3 CPUs=16 Gres=gpu:h100:8 Feature=a100\n"
      "NodeName=u1 CPUs=8 Gres=gpu:2\nNodeName=c[1-4] CPUs=8\nPartitionName=p Nodes=ALL\n",
      "slurm.conf", ".", {}, found);
  nodes.gres = parse_gres_conf("NodeName=u1 Name=gpu Type=v100 File=/dev/nvidia[0-1]\n",
                               "gres.conf", ".", found);
  EXPECT_FALSE(found.has_errors());
  return nodes;
}

TEST(NodeKind, IsAGpuTypeAFeatureOrAHostList) {
  const NodesOf at = mixed_nodes();
  const auto hosts = [&](std::string_view name) {
    return find_node_kind(name, at.conf, at.gres).hosts;
  };
  using Hosts = std::vector<std::string>;
  EXPECT_EQ(hosts("h100"), (Hosts{"h1", "h2", "h3"}));
  EXPECT_EQ(hosts("gpu:H100"), (Hosts{"h1", "h2", "h3"}));
  EXPECT_EQ(hosts("v100"), Hosts{"u1"}) << "its type stands in gres.conf";
  EXPECT_EQ(hosts("fast"), (Hosts{"a1", "a2", "a3", "h1", "h2"}));
  EXPECT_EQ(hosts("c[2-3]"), (Hosts{"c2", "c3"}));
  EXPECT_EQ(hosts("gpu").size(), 7U);
  EXPECT_EQ(hosts("gpu:a100"), (Hosts{"a1", "a2", "a3"}));
}

TEST(NodeKind, OfTwoMeaningsOrNoneIsToldWithWhatThereIs) {
  const NodesOf at = mixed_nodes();
  for (const auto& [name, told] :
       {std::pair{"a100", "gpu:a100 (3) and nodes with feature:a100 (1)"},
        std::pair{"b200", "no nodes are 'b200'"}, std::pair{"c[3-9]", "no nodes are"},
        std::pair{"gpu:fast", "no nodes are"}}) {
    try {
      (void)find_node_kind(name, at.conf, at.gres);
      ADD_FAILURE() << name;
    } catch (const NodeKindError& error) {
      EXPECT_NE(error.what.find(told), std::string::npos) << error.what;
      EXPECT_NE(error.hint.find("gpu:h100 (3)"), std::string::npos) << error.hint;
      EXPECT_NE(error.hint.find("c[1-4]"), std::string::npos) << error.hint;
    }
  }
}

TEST(NodeKind, OfSeveralShapesSaysWhichOneGrows) {
  const NodesOf at = mixed_nodes();
  EXPECT_TRUE(find_node_kind("c[1-4]", at.conf, at.gres).doubt.empty());
  EXPECT_NE(find_node_kind("h100", at.conf, at.gres).doubt.find("like the last, h3"),
            std::string::npos);
}

}  // namespace
}  // namespace rehearse::test
