// tests/unit/sched/limits_site.hpp — a cluster with limits enforced, and jobs that run on it.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "sim/sched/limits.hpp"
#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {

/// Four nodes of 64 CPUs; partition `batch` over all; user emil (and fred) in account chem.
class LimitsSite : public ::testing::Test {
 protected:
  LimitsSite() {
    site.inputs.slurm_conf.enforce = {.associations = true, .limits = true, .qos = true};
    site.inputs.slurm_conf.accounting_storage_tres = {"gres/gpu", "gres/gpu:a100",
                                                      "license/matlab"};
    site.nodes(4, 64, 100000);
    site.partition("batch", 4);
    site.account("chem", "root");
    site.user("emil", "chem");
    site.user("fred", "chem");
  }

  /// Rows by name; only before build().
  AssociationConf& row(const std::string& account, const std::string& user = "") {
    for (AssociationConf& one : site.inputs.accounting.associations) {
      if (one.account == account && one.user == user) return one;
    }
    throw std::out_of_range(account);
  }
  QosConf& qos_row(const std::string& name) {
    for (QosConf& one : site.inputs.accounting.qos) {
      if (one.name == name) return one;
    }
    row("root").qos.push_back(name);
    return site.qos(name);
  }
  PartitionConf& partition_row() { return site.inputs.slurm_conf.partitions[0]; }

  void build() {
    site.build();
    limits = std::make_unique<Limits>(site.cluster());
  }

  /// A pending job of emil's with a QOS and `cpus` CPUs on `nodes` nodes.
  Job& job(std::uint32_t cpus, const std::string& qos = "normal", std::uint32_t nodes = 1,
           const std::string& user = "emil") {
    Request request;
    request.min_cpus = cpus;
    request.min_nodes = nodes;
    Job& added = site.job(user, "chem", request);
    added.qos = site.cluster().accounts.find_qos(site.names.intern(qos));
    added.request_tres = limits->request_vector(added, site.cluster().partitions[PartitionId{0}]);
    return added;
  }

  NodeSet nodes(std::initializer_list<std::size_t> members) {
    NodeSet set(site.cluster().nodes.size());
    for (const std::size_t node : members) set.set(node);
    return set;
  }

  /// The answer of the two tests around node selection for a job that would run there.
  Reason test(const Job& job, std::initializer_list<std::size_t> where = {0}) {
    if (const auto reason = limits->invalid(job)) return *reason;
    if (const auto reason = limits->before_selection(job, job.partition)) return *reason;
    TresVector selected = job.request_tres;
    selected[index_of(TresTable::kNode)] = where.size();
    return limits->after_selection(job, job.partition, selected, nodes(where))
        .value_or(Reason::None);
  }

  void start(Job& job, std::initializer_list<std::size_t> where = {0}, std::int64_t now = 0) {
    if (!is_submitted(job)) submit(job);
    job.state = JobState::Running;
    job.start = at(now);
    job.alloc_tres = job.request_tres;
    job.alloc_tres[index_of(TresTable::kNode)] = where.size();
    job.allocated_nodes = nodes(where);
    if (!job.time_limit) job.time_limit = Minutes{60};
    limits->job_started(job);
  }
  void stop(Job& job, bool requeued = false) {
    limits->job_stopped(job, requeued);
    job.state = requeued ? JobState::Pending : JobState::Completed;
  }
  void submit(Job& job, std::uint32_t tasks = 1) {
    limits->job_submitted(job, tasks);
    submitted_.push_back(job.index);
  }
  /// The reason of a refusal; None: accepted.
  Reason refused(Job& job, std::uint32_t tasks = 1) {
    const auto refusal = limits->check_submit(job, tasks);
    return refusal ? refusal->reason : Reason::None;
  }
  Qos& qos(const std::string& name) {
    return site.cluster().accounts.qos[*site.cluster().accounts.find_qos(site.names.intern(name))];
  }

  SiteBuilder site;
  std::unique_ptr<Limits> limits;

 private:
  [[nodiscard]] bool is_submitted(const Job& job) const {
    return std::find(submitted_.begin(), submitted_.end(), job.index) != submitted_.end();
  }
  std::vector<JobIndex> submitted_;
};

}  // namespace rehearse::test
