// tests/unit/sched/site_builder.hpp — a small cluster by hand, for tests of priority and limits.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse::test {

class SiteBuilder {
 public:
  SiteInputs inputs;
  NamePool names;
  RequestTable requests;
  Diagnostics found;

  SiteBuilder() {
    inputs.slurm_conf.priority.type = PriorityType::Multifactor;
    inputs.slurm_conf.has_accounting = true;
    inputs.accounting.cluster = "test";
    account("root", "").qos = {"normal"};
    inputs.accounting.qos.emplace_back().name = "normal";
  }

  AssociationConf& account(const std::string& name, const std::string& parent,
                           std::optional<std::uint32_t> shares = 1) {
    AssociationConf& row = inputs.accounting.associations.emplace_back();
    row.account = name;
    row.parent = parent;
    row.fairshare = shares;
    return row;
  }

  AssociationConf& user(const std::string& name, const std::string& account_name,
                        std::optional<std::uint32_t> shares = 1) {
    AssociationConf& row = inputs.accounting.associations.emplace_back();
    row.account = row.parent = account_name;
    row.user = name;
    row.fairshare = shares;
    row.is_default_account = true;
    return row;
  }

  QosConf& qos(const std::string& name) {
    QosConf& added = inputs.accounting.qos.emplace_back();
    added.name = name;
    return added;
  }

  /// `count` nodes n0, n1 … of one kind, as sockets × cores of one thread.
  void nodes(std::size_t count, std::uint32_t cpus, std::uint64_t memory_mib,
             const std::string& gres = "") {
    const std::size_t first = inputs.slurm_conf.nodes.size();
    for (std::size_t i = first; i < first + count; ++i) {
      NodeConf& node = inputs.slurm_conf.nodes.emplace_back();
      node.name = "n" + std::to_string(i);
      node.cpus = node.cores_per_socket = cpus;
      node.real_memory_mib = memory_mib;
      node.gres = gres;
    }
  }

  /// A partition over the first `count` nodes.
  PartitionConf& partition(const std::string& name, std::size_t count) {
    PartitionConf& added = inputs.slurm_conf.partitions.emplace_back();
    added.name = name;
    for (std::size_t i = 0; i < count; ++i) added.nodes.push_back("n" + std::to_string(i));
    return added;
  }

  Cluster& build() {
    cluster_ = std::make_unique<Cluster>(inputs, names, requests, found);
    for (const Diagnostic& finding : found.all()) {
      if (finding.severity == Severity::Error) ADD_FAILURE() << to_text(finding);
    }
    return *cluster_;
  }
  [[nodiscard]] Cluster& cluster() { return *cluster_; }

  /// A pending job of `user` in `account` that has passed its submission.
  Job& job(const std::string& user_name, const std::string& account_name,
           const Request& request = {}) {
    JobSpec& spec = specs_.emplace_back();
    spec.user = names.intern(user_name);
    spec.account = names.intern(account_name);
    spec.request = requests.intern(request);
    Job& added = cluster_->jobs.add();
    added.id = JobId{static_cast<std::uint32_t>(cluster_->jobs.size())};
    spec.id = added.id;
    added.spec = &spec;
    added.request = spec.request;
    added.association = cluster_->accounts.find(spec.account, spec.user, kNoName);
    added.qos = QosId{0};
    added.partitions = {PartitionId{0}};
    added.request_tres = cluster_->tres.zero();
    return added;
  }
  [[nodiscard]] JobSpec& spec_of(const Job& job) { return specs_[index_of(job.index)]; }

  [[nodiscard]] Association& association(const std::string& account_name,
                                         const std::string& user_name = "") {
    const auto id =
        cluster_->accounts.find(names.intern(account_name), names.intern(user_name), kNoName);
    if (!id) throw std::out_of_range("no association " + account_name + "/" + user_name);
    return cluster_->accounts.associations[*id];
  }

  /// Adds usage to a user and all above.
  void use(const std::string& account_name, const std::string& user_name, long double amount) {
    Association* above = &association(account_name, user_name);
    above->usage.raw += amount;
    while (above->parent) {
      above = &cluster_->accounts.associations[*above->parent];
      above->usage.raw += amount;
    }
  }

 private:
  std::unique_ptr<Cluster> cluster_;
  std::deque<JobSpec> specs_;
};

[[nodiscard]] inline SlurmTime at(std::int64_t seconds) {
  return from_epoch_seconds(seconds);
}

}  // namespace rehearse::test
