// sim/sched/preempt/quotas.cpp — who holds what of his quota, and who has borrowed.
//
// A heterogeneous job is one run: it asks for the sum of its components in the account, has the
// level of the last of them, and is not preemptible if one of them is not.
#include "sim/sched/preempt/quotas.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/config/accounting.hpp"
#include "sim/sched/job_tests.hpp"

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

/// The job, or all components of its heterogeneous job: they were submitted one after another, and
/// stand so in the job list.
template <typename Use>
void for_each_component(const Cluster& cluster, const Job& job, Use use) {
  use(job);
  const auto leader = het_leader(job);
  const std::size_t own = index_of(job.index);
  if (!leader || own >= cluster.jobs.size() || &cluster.jobs[job.index] != &job) return;
  const auto at = [&](std::size_t i) -> const Job& { return cluster.jobs[id_at<JobIndex>(i)]; };
  for (std::size_t i = own; i > 0 && het_leader(at(i - 1)) == leader; --i) use(at(i - 1));
  for (std::size_t i = own + 1; i < cluster.jobs.size() && het_leader(at(i)) == leader; ++i) {
    use(at(i));
  }
}

/// What the job's account must have for it to start: its components start together or not at all.
template <typename Amounts, typename AccountOf>
TresVector wanted_by(const Cluster& cluster, const Job& job, Amounts amounts,
                     AccountOf account_of) {
  TresVector wanted = amounts(job.request_tres);
  for_each_component(cluster, job, [&](const Job& each) {
    if (&each == &job || !each.is_pending() || account_of(each) != account_of(job)) return;
    add(wanted, amounts(each.request_tres));
  });
  return wanted;
}

/// In the queue the first component stands for all.
bool is_counted_with_leader(const Job& job) {
  return het_leader(job) && job.spec->extras->het_offset > 0;
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
  bool is_firm = false;  // a heterogeneous job goes whole: one such component keeps it all
  for_each_component(cluster_, job, [&](const Job& each) {
    const auto qos = each.qos ? index_of(*each.qos) : firm_qos_.size();
    is_firm = is_firm || (qos < firm_qos_.size() && firm_qos_[qos] != 0);
  });
  return !is_firm;
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
  if (seen_ == running_.changes() && cluster_.recalls) return;
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
  std::map<JobId, QuotaLevel> of_het;  // it goes whole, so it has borrowed what its last part has
  for (const Job* job : running_.by_end()) {
    if (const auto leader = het_leader(*job)) {
      QuotaLevel& highest = of_het.try_emplace(*leader, kNoLevel).first->second;
      highest = std::max(highest, levels_[index_of(job->index)]);
    }
  }
  if (of_het.empty()) return;
  for (const Job* job : running_.by_end()) {
    if (const auto leader = het_leader(*job)) levels_[index_of(job->index)] = of_het.at(*leader);
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
    if (const auto leader = het_leader(job); leader && leader == het_leader(but)) continue;
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
  const TresVector wanted = wanted_by(
      cluster_, job, [this](const TresVector& of) { return amounts(of); },
      [this](const Job& each) { return account_of(each); });
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
  const TresVector wanted = wanted_by(
      cluster_, preemptor, [this](const TresVector& of) { return amounts(of); },
      [this](const Job& each) { return account_of(each); });
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
  const TresVector wanted = wanted_by(
      quotas_.cluster_, job, [this](const TresVector& of) { return quotas_.amounts(of); },
      [this](const Job& each) { return quotas_.account_of(each); });
  TresVector held = at < held_.size() ? held_[at] : TresVector(wanted.size(), 0);
  if (!is_counted_with_leader(job)) add(held, wanted);
  return std::max<QuotaLevel>(quotas_.level(quotas_.accounts_[at], held, wanted), 0);
}

void Quotas::Queue::starts(const Job& job) {
  if (is_counted_with_leader(job)) return;
  const std::size_t at = quotas_.account_of(job);
  const TresVector wanted = wanted_by(
      quotas_.cluster_, job, [this](const TresVector& of) { return quotas_.amounts(of); },
      [this](const Job& each) { return quotas_.account_of(each); });
  if (at >= held_.size()) held_.resize(at + 1, TresVector(wanted.size(), 0));
  add(held_[at], wanted);
}

}  // namespace rehearse
