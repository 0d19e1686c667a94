// sim/sched/preempt/quota_check.cpp — lines of policy.quotas that cannot be, or cannot be kept.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/sched/preempt/quotas.hpp"

namespace rehearse {
namespace {

std::optional<AssociationId> account_named(const Cluster& cluster, const std::string& name) {
  const auto id = cluster.names.find(name);
  return id ? cluster.accounts.find(*id, kNoName, kNoName) : std::nullopt;
}

void check_account(const Cluster& cluster, const QuotaLine& line, Diagnostics& found) {
  const auto own = account_named(cluster, line.account);
  if (!own) {
    std::vector<std::string_view> known;
    for (const Association& each : cluster.accounts.associations) {
      if (each.user == kNoName) known.push_back(cluster.names.text(each.account));
    }
    found.error(line.where,
                fmt::format("policy.quotas: there is no account {}", shown(line.account)),
                did_you_mean(line.account, known));
    return;
  }
  const auto& book = cluster.accounts.associations;
  for (auto above = book[*own].parent; above; above = book[*above].parent) {
    for (const QuotaLine& other : cluster.inputs.site.policy.quotas) {
      if (account_named(cluster, other.account) != above) continue;
      found.error(line.where,
                  fmt::format("policy.quotas: {} is below {}, which has a quota too", line.account,
                              other.account),
                  "quotas have one level: give them to the accounts above or to those below");
    }
  }
}

/// Each TRES of any line must be in all: one that is left out would be guaranteed nothing.
void check_tres(const Cluster& cluster, Diagnostics& found) {
  TresVector sum = cluster.tres.zero();
  const std::vector<TresIndex> all = quota_resources(cluster);
  for (const QuotaLine& line : cluster.inputs.site.policy.quotas) {
    std::vector<TresIndex> own;
    for (const TresAmount& each : parse_tres_amounts(line.tres, line.where, found)) {
      const auto tres = cluster.tres.find(each.tres);
      if (!tres) {
        found.error(line.where, fmt::format("policy.quotas: {} is not tracked", each.tres),
                    "add it to AccountingStorageTRES in slurm.conf");
        continue;
      }
      own.push_back(*tres);
      sum[index_of(*tres)] += each.amount;
    }
    for (const TresIndex tres : all) {
      if (std::find(own.begin(), own.end(), tres) != own.end()) continue;
      found.error(
          line.where,
          fmt::format("policy.quotas: {} has no {}, and others have", line.account,
                      cluster.tres.name(tres)),
          fmt::format("write it, {}=0 where nothing is guaranteed", cluster.tres.name(tres)));
    }
  }
  const TresVector there = cluster.configured();
  for (const TresIndex tres : all) {
    const std::uint64_t promised = sum[index_of(tres)];
    if (promised <= there[index_of(tres)]) continue;
    found.warning(
        cluster.inputs.site.policy.quotas.front().where,
        fmt::format("policy.quotas promise {} {}, and the nodes have {}: not all can be kept",
                    promised, cluster.tres.name(tres), there[index_of(tres)]));
  }
}

}  // namespace

void check_quotas(const Cluster& cluster, Diagnostics& found) {
  const PolicyConf& policy = cluster.inputs.site.policy;
  if (!policy.has_quotas()) {
    if (policy.quotas.empty()) return;
    found.note(policy.quotas.front().where, "policy.quotas are not looked at",
               "policy.reclaim: quota or fair_share");
    return;
  }
  if (policy.quotas.empty()) {
    found.error(policy.reclaim_where, "policy.reclaim: no account has a quota",
                "policy.quotas: [{account: physics, tres: gres/gpu=64}]");
    return;
  }
  for (const QuotaLine& line : policy.quotas) {
    check_account(cluster, line, found);
    const auto same = [&](const QuotaLine& other) { return other.account == line.account; };
    const auto first = std::find_if(policy.quotas.begin(), policy.quotas.end(), same);
    if (&*first == &line) continue;
    found.error(line.where, fmt::format("policy.quotas: {} is there twice", shown(line.account)));
  }
  check_tres(cluster, found);
  found.note(
      policy.reclaim_where,
      fmt::format("policy.reclaim stands in the place of PreemptType: {} accounts have quotas, "
                  "others are guaranteed nothing",
                  policy.quotas.size()));
  for (const std::string& name : policy.non_preemptible) {
    const auto id = cluster.names.find(name);
    if (id && cluster.accounts.find_qos(*id)) continue;
    found.error(policy.non_preemptible_where,
                fmt::format("policy.non_preemptible: there is no QOS {}", shown(name)),
                "names of qos.txt");
  }
}

}  // namespace rehearse
