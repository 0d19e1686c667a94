// tests/unit/controller/quota_site.hpp — a small cluster whose accounts have quotas of CPUs.
#pragma once

#include <map>
#include <string>

#include "tests/unit/controller/small_site.hpp"

namespace rehearse::test {

/// One partition; QOS normal, and `firm`, which is not preemptible.
class QuotaSite : public SmallSite {
 public:
  explicit QuotaSite(std::size_t nodes, Reclaim reclaim = Reclaim::Quota) : SmallSite(nodes) {
    inputs.slurm_conf.has_accounting = true;
    inputs.slurm_conf.enforce.associations = true;
    inputs.slurm_conf.preempt_type = PreemptType::Qos;
    inputs.slurm_conf.preempt_mode = PreemptMode::Requeue;
    inputs.accounting.cluster = "test";
    AssociationConf& root = inputs.accounting.associations.emplace_back();
    root.account = "root";
    root.qos = {"normal", "firm"};
    inputs.accounting.qos.emplace_back().name = "normal";
    inputs.accounting.qos.emplace_back().name = "firm";
    inputs.site.policy.reclaim = reclaim;
    inputs.site.policy.non_preemptible = {"firm"};
    partition("all", 1);
  }

  /// An account with a user of the same name.
  void account(const std::string& name, std::uint64_t cpus, std::uint64_t weight = 1) {
    for (const std::string& user : {std::string(), name}) {
      AssociationConf& row = inputs.accounting.associations.emplace_back();
      row.account = name;
      row.parent = user.empty() ? "root" : name;
      row.user = user;
      row.is_default_account = !user.empty();
    }
    inputs.site.policy.quotas.push_back({name, fmt::format("cpu={}", cpus), {}, weight});
  }

  /// A job of the account's user, on one node.
  JobSpec& ask(std::int64_t submit, const std::string& account_name, unsigned cpus, Seconds runtime,
               const std::string& qos = "normal") {
    JobSpec& spec = job(submit, "all", fmt::format("-N1 -n{}", cpus), Minutes{600}, runtime);
    spec.user = spec.account = names.intern(account_name);
    spec.qos = names.intern(qos);
    accounts[static_cast<std::uint32_t>(spec.id)] = account_name;
    return spec;
  }

  std::map<std::uint32_t, std::string> accounts;  ///< of the jobs by id
  [[nodiscard]] const std::string& account_of(const Job& job) const {
    return accounts.at(static_cast<std::uint32_t>(job.id));
  }
};

}  // namespace rehearse::test
