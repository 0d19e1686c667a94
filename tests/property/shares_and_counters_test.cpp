// tests/property/shares_and_counters_test.cpp — what must hold of shares and counters in any tree.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/sched/limits.hpp"
#include "sim/sched/priority/fair_tree.hpp"
#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {
namespace {

/// Shares and usage of up to five accounts with up to four users each; few values, so that ties
/// come.
struct DrawnUser {
  int shares = 1, usage = 0;
};
using DrawnTree = std::vector<std::pair<int, std::vector<DrawnUser>>>;

DrawnTree draw_tree() {
  const auto user = rc::gen::map(rc::gen::pair(rc::gen::inRange(-1, 4), rc::gen::inRange(0, 4)),
                                 [](std::pair<int, int> p) {
                                   return DrawnUser{p.first, p.second};
                                 });
  const auto users = rc::gen::resize(4, rc::gen::container<std::vector<DrawnUser>>(user));
  DrawnTree tree;
  const int accounts = *rc::gen::inRange(1, 6);
  for (int i = 0; i < accounts; ++i) tree.emplace_back(*rc::gen::inRange(-1, 4), *users);
  return tree;
}

std::optional<std::uint32_t> shares_of(int drawn) {
  if (drawn < 0) return std::nullopt;  // `parent`
  return static_cast<std::uint32_t>(drawn);
}

/// Ranks of all users in drawing order, names starting with `prefix`.
std::vector<double> ranks(const DrawnTree& tree, const std::string& prefix, SiteBuilder& site) {
  for (std::size_t a = 0; a < tree.size(); ++a) {
    const std::string account = prefix + "acct" + std::to_string(a);
    site.account(account, "root", shares_of(tree[a].first));
    for (std::size_t u = 0; u < tree[a].second.size(); ++u) {
      site.user(prefix + std::to_string(a) + "user" + std::to_string(u), account,
                shares_of(tree[a].second[u].shares));
    }
  }
  Cluster& cluster = site.build();
  std::vector<double> result;
  for (std::size_t a = 0; a < tree.size(); ++a) {
    for (std::size_t u = 0; u < tree[a].second.size(); ++u) {
      site.use(prefix + "acct" + std::to_string(a),
               prefix + std::to_string(a) + "user" + std::to_string(u),
               tree[a].second[u].usage * 100.0L);
    }
  }
  FairTree(cluster.accounts).update();
  for (std::size_t a = 0; a < tree.size(); ++a) {
    for (std::size_t u = 0; u < tree[a].second.size(); ++u) {
      result.push_back(site.association(prefix + "acct" + std::to_string(a),
                                        prefix + std::to_string(a) + "user" + std::to_string(u))
                           .fair_share);
    }
  }
  return result;
}

RC_GTEST_PROP(FairTree, DoesNotReadNames, ()) {
  const DrawnTree tree = draw_tree();
  SiteBuilder plain, renamed;
  RC_ASSERT(ranks(tree, "", plain) == ranks(tree, "zz_", renamed));
}

RC_GTEST_PROP(FairTree, RanksSiblingsByTheirLevelFairShare, ()) {
  SiteBuilder site;
  const auto all = ranks(draw_tree(), "", site);
  const AccountBook& book = site.cluster().accounts;
  for (const double rank : all) RC_ASSERT(rank > 0.0 && rank <= 1.0);
  for (const Association& parent : book.associations) {
    for (const AssociationId left : parent.children) {
      for (const AssociationId right : parent.children) {
        const Association &a = book.associations[left], &b = book.associations[right];
        if (a.user == kNoName || b.user == kNoName) continue;
        if (a.level_fs > b.level_fs) RC_ASSERT(a.fair_share >= b.fair_share);
      }
    }
  }
}

RC_GTEST_PROP(Counters, ReturnToNothingWhenAllJobsAreGone, ()) {
  SiteBuilder site;
  site.inputs.slurm_conf.enforce = {.associations = true, .limits = true};
  site.nodes(4, 8, 1000);
  site.partition("one", 4).qos = "first";
  site.partition("two", 4).qos = "second";
  site.qos("first").usage_factor = 0.3;
  site.qos("second");
  site.account("chem", "root");
  site.account("sub", "chem");
  site.user("emil", "chem");
  site.user("fred", "sub");
  Cluster& cluster = site.build();
  Limits limits(cluster);

  std::vector<Job*> running, waiting;
  const int count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    const bool fred = *rc::gen::arbitrary<bool>();
    Job& job = site.job(fred ? "fred" : "emil", fred ? "sub" : "chem");
    job.qos = id_at<QosId>(*rc::gen::inRange<std::size_t>(0, 3));
    job.partitions = {PartitionId{0}, PartitionId{1}};
    job.begin = at(0);
    job.priority = 1;
    limits.job_submitted(job, 1);
    limits.update_accrual(job, at(i));
    waiting.push_back(&job);
  }
  std::int64_t now = 100;
  while (!waiting.empty() || !running.empty()) {
    const bool starts = !waiting.empty() && (running.empty() || *rc::gen::arbitrary<bool>());
    if (starts) {
      Job& job = *waiting.back();
      waiting.pop_back();
      if (*rc::gen::inRange(0, 4) == 0) {
        limits.job_removed(job, 1);
        continue;
      }
      job.partition = id_at<PartitionId>(*rc::gen::inRange<std::size_t>(0, 2));
      job.state = JobState::Running;
      job.start = at(now);
      job.time_limit = Minutes{*rc::gen::inRange(1, 30)};
      job.allocated_nodes = NodeSet(4);
      job.allocated_nodes.set(*rc::gen::inRange<std::size_t>(0, 4));
      job.alloc_tres = cluster.tres.zero();
      job.alloc_tres[0] = *rc::gen::inRange<std::uint64_t>(1, 9);
      job.alloc_tres[index_of(TresTable::kNode)] = 1;
      limits.job_started(job);
      running.push_back(&job);
    } else {
      Job& job = *running.front();
      running.erase(running.begin());
      const bool requeued = *rc::gen::inRange(0, 5) == 0;
      limits.job_stopped(job, requeued);
      job.state = requeued ? JobState::Pending : JobState::Completed;
      job.accrue.reset();
      if (requeued) waiting.push_back(&job);
    }
    const std::int64_t before = now;
    now += *rc::gen::inRange(1, 400);
    limits.tick(at(now), at(before), running);
  }
  const auto is_nothing = [](const auto& use) {
    return use.submitted_jobs == 0 && use.running_jobs == 0 && use.accruing_jobs == 0 &&
           std::all_of(use.in_use.begin(), use.in_use.end(), [](auto n) { return n == 0; });
  };
  for (const Association& association : cluster.accounts.associations) {
    RC_ASSERT(is_nothing(association.counters));
    for (const auto seconds : association.counters.committed_s) RC_ASSERT(seconds == 0U);
  }
  for (const Qos& qos : cluster.accounts.qos) {
    RC_ASSERT(is_nothing(qos.counters));
    for (const auto seconds : qos.counters.committed_s) RC_ASSERT(seconds == 0U);
    for (const auto& [name, share] : qos.by_user) RC_ASSERT(is_nothing(share));
    for (const auto& [name, share] : qos.by_account) RC_ASSERT(is_nothing(share));
  }
}

}  // namespace
}  // namespace rehearse::test
