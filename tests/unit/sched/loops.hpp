// tests/unit/sched/loops.hpp — a small cluster with both scheduling loops, run at chosen instants.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/actions.hpp"
#include "sim/sched/backfill.hpp"
#include "sim/sched/estimate.hpp"
#include "sim/sched/limits.hpp"
#include "sim/sched/main_loop.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/running_jobs.hpp"

namespace rehearse::test {

/// `12:00:30` of some day.
[[nodiscard]] SlurmTime clock_time(std::string_view text);

/// Nodes n1, n2 … of four CPUs, one partition `batch` over all unless a test adds its own.
class Loops : public SchedulerActions {
 public:
  explicit Loops(std::size_t nodes, std::uint32_t cpus = 4);

  // Before build().
  PartitionConf& partition(const std::string& name, const std::vector<std::string>& nodes);
  SchedulerParameters& parameters() { return inputs.slurm_conf.scheduler_parameters; }
  void work_out_all_anew() { recalls_ = false; }  ///< Cluster::recalls
  void emulate(SlurmVersion version) { inputs.site.slurm_version = version; }
  void build();

  /// A pending job; each ranks behind the one before. `partition`: the first one if empty.
  Job& pending(std::string_view options, std::int64_t minutes, const std::string& partition = "");
  JobSpec& spec_of(const Job& job) { return specs_[index_of(job.index)]; }
  /// A pending array of tasks 1 … `tasks` with %`most`.
  Job& array(std::uint32_t id, std::uint32_t tasks, std::uint32_t most, std::string_view options,
             std::int64_t minutes);
  /// A job that runs on exactly these nodes until `end`.
  Job& running(std::string_view options, const std::vector<std::string>& nodes,
               std::string_view end, const std::string& partition = "");
  void stop(Job& job);

  /// Priorities, and the usage that tests go by, may be others from now on.
  void tick() { queue_->all_reprioritized(); }
  PassResult pass(std::string_view at, PassDepth depth = PassDepth::Full);
  CycleResult cycle(std::string_view at);
  /// Else backfill leaves out plans that keep nobody from a start.
  void keep_plans(bool keep) { backfill_->keep_plans(keep); }

  /// `n1:4 n2:1` of a job that runs, else `pending`.
  [[nodiscard]] std::string where(const Job& job) const;
  /// `12:30:00 n1,n2` of a job that is planned, else `none`.
  [[nodiscard]] std::string plan(const Job& job) const;
  [[nodiscard]] NodeId node(const std::string& name) const;
  [[nodiscard]] Estimator& estimator() { return *estimator_; }
  [[nodiscard]] const SelectPlugin& select() const { return *select_; }
  /// Ids of the victims in the order in which they were signalled; each has ended at once.
  [[nodiscard]] const std::vector<JobId>& victims() const { return victims_; }

  SiteInputs inputs;
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  std::unique_ptr<Cluster> cluster;
  std::unique_ptr<SchedWeights> weights;  ///< as after a submission test over all nodes
  std::unique_ptr<NodeChoice> choice;

 private:
  Job& add(const Request& request, std::optional<Minutes> limit, const std::string& partition);
  Job* start(Job& job, PartitionId partition, Allocation allocation, StartedBy by) override;
  Job* split_off(Job&) override { return nullptr; }
  void set_reason(Job& job, Reason reason, std::string_view text) override;
  bool is_independent(Job& job, SlurmTime now) override;
  [[nodiscard]] bool is_volatile(const Job&, SlurmTime) const override { return false; }
  void hold(Job& job, Reason reason) override;
  void end_pending(Job& job, JobState state, Reason reason) override;
  void preempt(Job& job, std::span<Job* const> victims) override;
  [[nodiscard]] std::uint32_t running_tasks(const Job& job) const override;

  bool recalls_ = true;
  std::deque<JobSpec> specs_;
  std::unique_ptr<Limits> limits_;
  std::unique_ptr<SelectPlugin> select_;
  RunningJobs running_;
  std::unique_ptr<Preemption> preemption_;
  std::vector<JobId> victims_;
  std::unique_ptr<PendingQueue> queue_;
  std::unique_ptr<Estimator> estimator_;
  std::unique_ptr<MainLoop> main_loop_;
  std::unique_ptr<Backfill> backfill_;
  std::map<JobId, std::uint32_t> running_tasks_;
  std::uint32_t next_id_ = 101;
  std::uint32_t next_priority_ = 1000000;
  SlurmTime now_;
};

}  // namespace rehearse::test
