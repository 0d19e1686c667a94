// sim/controller/job_keeper.hpp — what users and admins do to jobs: hold, release, requeue, cancel,
// suspend, top and update (lifecycle.md §10).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/job_command.hpp"

namespace rehearse {

class Controller;

/// A part of the controller. Commands come from an administrator.
class JobKeeper {
 public:
  explicit JobKeeper(Controller& controller) : c_(controller) {}

  /// `text`: the command as typed. What slurmctld refuses is told to the observer.
  void carry_out(const ActOnJobs& command, std::string_view text);
  void carry_out(const UpdateJobs& command, std::string_view text);
  void carry_out(const CancelJobs& command, std::string_view text);

  /// A pending task of the array becomes a record of its own, the others go on as another (§9).
  /// `position`: in the spec's array.
  Job& split_off(Job& meta, std::uint32_t position);
  void cancel(Job& job);
  /// Who waited in the trace until it was cancelled is cancelled then. Where it runs here it goes
  /// on only if its run time is known: else it would hold its nodes to its limit.
  void cancel_if_due(Job& job);
  /// After the clean-up: held as `requeuehold` leaves it.
  void hold_requeued(Job& job);

 private:
  using Refusal = std::optional<std::string>;  ///< slurmctld's words; none: done

  /// The records that are meant; tasks of an array are split off it.
  [[nodiscard]] std::vector<Job*> records_of(const JobTarget& target);
  [[nodiscard]] std::vector<Job*> records_of_tasks(const JobTarget& target);
  [[nodiscard]] bool is_known(const Job& job) const;
  [[nodiscard]] JobTarget whole_of(const JobTarget& target) const;
  template <typename Act>
  void for_each_record(const std::vector<JobTarget>& targets, std::string_view text, Act act);

  Refusal act_on(Job& job, JobAction action);
  Refusal hold(Job& job, JobAction action);
  Refusal release(Job& job);
  Refusal requeue(Job& job, JobAction action);
  Refusal change_suspension(Job& job, JobAction action);
  Refusal top(Job& job);

  // sim/controller/job_updates.cpp
  Refusal update(Job& job, const UpdateJobs& change);
  Refusal check(const Job& job, const UpdateJobs& change) const;
  Refusal move(Job& job, const UpdateJobs& change);
  Refusal join_running(Job& job, const std::string& name);
  Refusal change_request(Job& job, const RequestChange& change);
  void keep_raised_cpus(Job& job, const RequestChange& change);
  Refusal exchange_licenses(Job& job, const RequestChange& change);
  Refusal change_dependency(Job& job, const std::string& text);
  void change_limit(Job& job, const UpdateJobs& change);
  void move_end(Job& job, SlurmTime end);
  Refusal keep_nodes(Job& job, const std::vector<NameId>& keep);
  [[nodiscard]] std::vector<NodeId> nodes_to_give(const Job& job,
                                                  const std::vector<NameId>& keep) const;
  void change_priority(Job& job, const UpdateJobs& change);
  void change_times(Job& job, const UpdateJobs& change);
  void change_rest(Job& job, const UpdateJobs& change);
  /// The job's own copy of its spec, to be changed.
  JobSpec& amend(Job& job);

  Controller& c_;
};

}  // namespace rehearse
