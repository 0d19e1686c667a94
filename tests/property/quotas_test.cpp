// tests/property/quotas_test.cpp — whatever is asked: a quota is met while there is demand for it,
// what is not preemptible never borrows, and nobody within its quota is evicted.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/unit/controller/quota_site.hpp"

namespace rehearse::test {
namespace {

const std::map<std::string, int> kQuotas{{"a", 5}, {"b", 3}, {"c", 0}};
/// From a demand to the start that it is due: eviction, and the next pass at the latest.
constexpr std::int64_t kPatience = 180;

/// Watches who holds what. CPUs are counted by account, the runs in the order of Quotas.
class WatchedQuotas final : public QuotaSite {
 public:
  WatchedQuotas(std::size_t nodes, Reclaim reclaim) : QuotaSite(nodes, reclaim) {
    for (const auto& [name, cpus] : kQuotas) {
      if (cpus > 0) account(name, static_cast<std::uint64_t>(cpus));
      if (cpus == 0) account(name, 0);
    }
  }
  bool firm_within = true, only_borrowers = true;
  std::int64_t longest_lack = 0;

 private:
  [[nodiscard]] bool is_firm(const Job& job) const {
    return cluster->names.text(cluster->accounts.qos[*job.qos].name) == "firm";
  }
  [[nodiscard]] int held(const std::string& account, bool firm_only) const {
    int sum = 0;
    for (const Job* job : running_) {
      if (account_of(*job) == account && (!firm_only || is_firm(*job))) sum += cpus_of(*job);
    }
    return sum;
  }
  [[nodiscard]] static int cpus_of(const Job& job) {
    return static_cast<int>(job.alloc_tres[index_of(TresTable::kCpu)]);
  }

  /// What was lacking since the last event.
  void look(SlurmTime now) {
    for (const auto& [name, quota] : kQuotas) {
      bool lacks = false;
      SlurmTime asked = now;
      for (const Job& job : cluster->jobs) {
        if (!job.is_pending() || account_of(job) != name || is_firm(job)) continue;
        const SlurmTime eligible =
            std::max(whole_second(job.submit), job.begin.value_or(SlurmTime{}));
        const int wanted = static_cast<int>(job.request_tres[index_of(TresTable::kCpu)]);
        if (eligible > now || held_.at(name) + wanted > quota) continue;
        lacks = true;
        asked = std::min(asked, eligible);
      }
      if (!lacks) {
        since_.erase(name);
      } else {
        const SlurmTime since = since_.try_emplace(name, std::max(asked, last_)).first->second;
        longest_lack = std::max(longest_lack, (now - since).count());
      }
    }
    last_ = now;
  }
  void changed() {
    for (const auto& [name, quota] : kQuotas) {
      held_[name] = held(name, false);
      firm_within = firm_within && held(name, true) <= quota;
    }
  }

  void run_started(const Cluster& /*cluster*/, SlurmTime /*now*/) override { changed(); }
  void job_submitted(const Job& /*job*/, SlurmTime now) override { look(now); }
  void job_started(const Job& job, SlurmTime now) override {
    look(now);
    running_.insert(&job);
    changed();
  }
  void job_ended(const Job& job, bool requeued, SlurmTime now) override {
    look(now);
    running_.erase(&job);
    changed();
    SmallSite::job_ended(job, requeued, now);
  }
  /// In the order of an account's runs, the victim begins or lies beyond the quota. What was
  /// evicted just before it for the same job counts as still there.
  void job_preempted(const Job& victim, const Job& preemptor, SlurmTime now) override {
    if (last_preemptor_ != &preemptor || last_eviction_ != now) evicted_.clear();
    last_preemptor_ = &preemptor;
    last_eviction_ = now;
    std::set<std::pair<std::pair<bool, SlurmTime>, JobIndex>> line;
    std::map<JobIndex, int> cpus;
    for (const Job* job : running_) {
      if (account_of(*job) != account_of(victim)) continue;
      line.insert({{!is_firm(*job), *job->start}, job->index});
      cpus[job->index] = cpus_of(*job);
    }
    for (const auto& [index, gone] : evicted_) {
      if (gone.account != account_of(victim)) continue;
      line.insert({{true, gone.start}, index});
      cpus[index] = gone.cpus;
    }
    int sum = 0;
    for (const auto& [rank, index] : line) {
      sum += cpus[index];
      if (index == victim.index) break;
    }
    only_borrowers = only_borrowers && !is_firm(victim) && sum > kQuotas.at(account_of(victim));
    evicted_[victim.index] = {account_of(victim), *victim.start, cpus_of(victim)};
    SmallSite::job_preempted(victim, preemptor, now);
  }

  struct Gone {
    std::string account;
    SlurmTime start;
    int cpus = 0;
  };
  std::set<const Job*> running_;
  std::map<std::string, int> held_;
  std::map<std::string, SlurmTime> since_;
  SlurmTime last_;
  const Job* last_preemptor_ = nullptr;
  SlurmTime last_eviction_;
  std::map<JobIndex, Gone> evicted_;
};

void draw_jobs(WatchedQuotas& site, unsigned most_cpus) {
  const auto jobs = *rc::gen::inRange<std::size_t>(5, 40);
  std::int64_t submit = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    submit += *rc::gen::inRange<std::int64_t>(0, 200);
    const auto account = *rc::gen::element<std::string>("a", "b", "c");
    const auto qos = *rc::gen::element<std::string>("normal", "normal", "normal", "firm");
    const bool firm = qos == "firm" && account != "c";  // those of c would never start
    site.ask(submit, account, *rc::gen::inRange(1U, most_cpus + 1),
             Seconds{*rc::gen::inRange<std::int64_t>(10, 3000)}, firm ? qos : "normal");
  }
}

RC_GTEST_PROP(Quotas, OfJobsOfOneCpuAreMetWhileThereIsDemandForThem, (bool fair_share)) {
  WatchedQuotas site(2, fair_share ? Reclaim::FairShare : Reclaim::Quota);
  draw_jobs(site, 1);
  site.run();
  RC_ASSERT(site.firm_within);
  RC_ASSERT(site.only_borrowers);
  RC_ASSERT(site.longest_lack <= kPatience);
  RC_CLASSIFY(!site.warnings.empty(), "reclaimed");
}

RC_GTEST_PROP(Quotas, OfJobsOfAnySizeAreKeptToAndAllJobsEnd, (bool fair_share)) {
  WatchedQuotas site(3, fair_share ? Reclaim::FairShare : Reclaim::Quota);
  draw_jobs(site, 3);
  site.run();
  RC_ASSERT(site.firm_within);
  RC_ASSERT(site.only_borrowers);
  const bool all_finished = std::all_of(site.cluster->jobs.begin(), site.cluster->jobs.end(),
                                        [](const Job& job) { return job.is_finished(); });
  RC_ASSERT(all_finished);
}

}  // namespace
}  // namespace rehearse::test
