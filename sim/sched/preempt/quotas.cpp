// sim/sched/preempt/quotas.cpp — who holds what of his quota, and who has borrowed.
#include "sim/sched/preempt/quotas.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/config/accounting.hpp"

namespace rehearse {
namespace {

constexpr QuotaLevel kWhole = 1'000'000'000, kMostAmount = 9 * kWhole;

Reason reason_of(TresIndex tres) {
  if (tres == TresTable::kCpu) return Reason::AssocGrpCpuLimit;
  if (tres == TresTable::kMem) return Reason::AssocGrpMemLimit;
  if (tres == TresTable::kNode) return Reason::AssocGrpNodeLimit;
  if (tres == TresTable::kBilling) return Reason::AssocGrpBilling;
  return Reason::AssocGrpGRES;
}

void add(TresVector& sum, const TresVector& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace

std::vector<TresIndex> quota_resources(const Cluster& cluster) {
  std::vector<TresIndex> resources;
  Diagnostics told;  // by check_quotas
  for (const QuotaLine& line : cluster.inputs.site.policy.quotas) {
    for (const TresAmount& each : parse_tres_amounts(line.tres, line.where, told)) {
      if (const auto tres = cluster.tres.find(each.tres)) resources.push_back(*tres);
    }
  }
  std::sort(resources.begin(), resources.end());
  resources.erase(std::unique(resources.begin(), resources.end()), resources.end());
  return resources;
}

Quotas::Quotas(const Cluster& cluster, const RunningJobs& running)
    : cluster_(cluster),
      running_(running),
      fair_share_(cluster.inputs.site.policy.reclaim == Reclaim::FairShare),
      resources_(quota_resources(cluster)),
      all_quotas_(resources_.size(), 0) {
  const PolicyConf& policy = cluster.inputs.site.policy;
  const TresVector nothing(resources_.size(), 0);
  Diagnostics told;
  for (const QuotaLine& line : policy.quotas) {
    by_name_.emplace(cluster.names.intern(line.account), accounts_.size());
    Account& account = accounts_.emplace_back(Account{nothing, nothing, nothing});
    account.weight = line.over_quota_weight;
    for (const TresAmount& each : parse_tres_amounts(line.tres, line.where, told)) {
      const auto tres = cluster.tres.find(each.tres);
      if (!tres) continue;
      const auto at = std::lower_bound(resources_.begin(), resources_.end(), *tres);
      account.quota[static_cast<std::size_t>(at - resources_.begin())] = each.amount;
    }
    add(all_quotas_, account.quota);
  }
  for (const Qos& qos : cluster.accounts.qos) {
    const auto& firm = policy.non_preemptible;
    const std::string_view name = cluster.names.text(qos.name);
    firm_qos_.push_back(std::find(firm.begin(), firm.end(), name) != firm.end() ? 1 : 0);
  }
}

std::size_t Quotas::account_of(const Job& job) const {
  const auto& book = cluster_.accounts.associations;
  const NameId own = job.association ? book[*job.association].account : kNoName;
  for (auto at = job.association; at; at = book[*at].parent) {
    const auto known = by_name_.find(book[*at].account);
    if (known != by_name_.end()) return known->second;
  }
  // Without a line: an account of its own, that is guaranteed nothing.
  const auto known = by_name_.find(own);
  if (known != by_name_.end()) return known->second;
  const TresVector nothing(resources_.size(), 0);
  accounts_.push_back({nothing, nothing, nothing});
  return by_name_.emplace(own, accounts_.size() - 1).first->second;
}

TresVector Quotas::amounts(const TresVector& of) const {
  TresVector own;
  for (const TresIndex tres : resources_) {
    own.push_back(index_of(tres) < of.size() ? of[index_of(tres)] : 0);
  }
  return own;
}

bool Quotas::is_preemptable(const Job& job) const {
  return !job.qos || index_of(*job.qos) >= firm_qos_.size() || firm_qos_[index_of(*job.qos)] == 0;
}

/// Of an account that has `held`, for a job that holds or wants `wanted` of it.
QuotaLevel Quotas::level(const Account& account, const TresVector& held,
                         const TresVector& wanted) const {
  QuotaLevel highest = kNoLevel;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (wanted[i] == 0) continue;
    const auto most = static_cast<std::uint64_t>(kMostAmount);  // no product leaves 64 bits
    const auto beyond = static_cast<std::int64_t>(std::min(held[i], most)) -
                        static_cast<std::int64_t>(std::min(account.quota[i], most));
    const auto whole =
        static_cast<std::int64_t>(std::clamp<std::uint64_t>(all_quotas_[i], 1, most));
    // Rounded away from 0: a borrower's level is never 0.
    const QuotaLevel share = beyond * kWhole / whole / static_cast<std::int64_t>(account.weight);
    highest = std::max(highest, beyond > 0 ? share + 1 : share);
  }
  return highest;
}

void Quotas::refresh() const {
  if (seen_ == running_.changes()) return;
  seen_ = running_.changes();
  levels_.resize(cluster_.jobs.size(), kNoLevel);
  std::vector<std::tuple<std::size_t, bool, SlurmTime, JobIndex>> runs;
  for (const Job* job : running_.by_end()) {
    runs.emplace_back(account_of(*job), is_preemptable(*job), *job->start, job->index);
  }
  std::sort(runs.begin(), runs.end());
  for (Account& account : accounts_) {
    account.held.assign(resources_.size(), 0);
    account.firm.assign(resources_.size(), 0);
  }
  for (const auto& [at, preemptable, start, index] : runs) {
    Account& account = accounts_[at];
    const TresVector own = amounts(cluster_.jobs[index].alloc_tres);
    add(account.held, own);
    if (!preemptable) add(account.firm, own);
    levels_[index_of(index)] = level(account, account.held, own);
  }
}

QuotaLevel Quotas::level_of(const Job& running) const {
  refresh();
  return levels_[index_of(running.index)];
}

TresVector Quotas::with_cleared(std::size_t account, TresVector held, const Job& but,
                                bool firm_only) const {
  for (const JobIndex index : cleared_for_) {
    const Job& job = cluster_.jobs[index];
    if (!job.is_pending() || index == but.index || account_of(job) != account) continue;
    if (!firm_only || !is_preemptable(job)) add(held, amounts(job.request_tres));
  }
  return held;
}

void Quotas::clears_for(const Job& job) {
  std::erase_if(cleared_for_, [&](JobIndex index) {
    return index == job.index || !cluster_.jobs[index].is_pending();
  });
  cleared_for_.push_back(job.index);
}

std::optional<Reason> Quotas::refuses(const Job& job) const {
  if (is_preemptable(job)) return std::nullopt;
  refresh();
  const std::size_t at = account_of(job);
  const Account& account = accounts_[at];
  const TresVector wanted = amounts(job.request_tres);
  TresVector firm = with_cleared(at, account.firm, job, true);
  add(firm, wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] > 0 && firm[i] > account.quota[i]) return reason_of(resources_[i]);
  }
  return std::nullopt;
}

bool Quotas::may_reclaim(const Job& preemptor, const Job& victim) const {
  if (!is_preemptable(victim) || refuses(preemptor)) return false;
  refresh();
  const QuotaLevel theirs = level_of(victim);
  const TresVector wanted = amounts(preemptor.request_tres);
  if (theirs <= 0) return false;
  const std::size_t at = account_of(preemptor);
  TresVector held = with_cleared(at, accounts_[at].held, preemptor, false);
  add(held, wanted);
  const QuotaLevel ours = level(accounts_[at], held, wanted);
  if (ours == kNoLevel) return false;
  // What is not preemptible takes from its own account's borrowers what they took from it.
  if (at == account_of(victim)) return !is_preemptable(preemptor);
  return ours <= 0 || (fair_share_ && ours < theirs);
}

Quotas::Queue::Queue(const Quotas& quotas) : quotas_(quotas) {
  quotas.refresh();
  for (const Account& account : quotas.accounts_) held_.push_back(account.held);
}

QuotaLevel Quotas::Queue::level_of_next(const Job& job) const {
  const std::size_t at = quotas_.account_of(job);
  const TresVector wanted = quotas_.amounts(job.request_tres);
  TresVector held = at < held_.size() ? held_[at] : TresVector(wanted.size(), 0);
  add(held, wanted);
  return std::max<QuotaLevel>(quotas_.level(quotas_.accounts_[at], held, wanted), 0);
}

void Quotas::Queue::starts(const Job& job) {
  const std::size_t at = quotas_.account_of(job);
  const TresVector wanted = quotas_.amounts(job.request_tres);
  if (at >= held_.size()) held_.resize(at + 1, TresVector(wanted.size(), 0));
  add(held_[at], wanted);
}

}  // namespace rehearse
