// sim/controller/node_keeper.hpp — what becomes of nodes and of the daemons on them: the states
// that an admin sets, silence and its discovery, the return to service (lifecycle.md §11, §12).
//
// The truth about a daemon is kept apart from what slurmctld knows of it: a node that died is shown
// as it was until pings fail.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "models/failure/failure_process.hpp"
#include "sim/controller/admin_command.hpp"
#include "sim/controller/events.hpp"
#include "sim/controller/hung_nodes.hpp"
#include "sim/controller/ping_clock.hpp"
#include "sim/controller/run_ending.hpp"

namespace rehearse {

class Controller;

class NodeKeeper {
 public:
  explicit NodeKeeper(Controller& controller) : c_(controller), hung_(controller) {}

  /// The run begins: daemons answer.
  void begin();
  /// `scontrol update NodeName=… State=…`
  void update(const UpdateNodes& update);
  /// `scontrol reconfigure`: weights and features are those of slurm.conf again, states stay.
  void reconfigure();
  /// A daemon or a whole node dies or comes back.
  void change(const ChangeDaemons& change);
  void on(const NodeFact& fact);
  /// slurmctld was away: its rounds begin anew.
  void controller_returned();

  /// Power saving sets it DOWN: it did not come up; or its jobs are to end.
  void give_up(Node& node, std::string_view reason) { set_down(node, reason); }
  void end_jobs(const Node& node) { fail_jobs(node); }

  /// It has come up after a boot that slurmctld asked for: whatever it was, its daemon answers.
  void booted_by_order(NodeId node);

  // What the life of jobs asks and tells.
  void job_started(const Job& job);
  /// The nodes that hold its COMPLETING have answered, or are DOWN; else it is asked again.
  [[nodiscard]] bool has_clean_nodes(Job& job);
  void job_cleaned(const Job& job);
  /// Some node of the failure model is broken, and will be repaired.
  [[nodiscard]] bool expects_repair() const { return broken_ > 0; }
  /// The clean-up of a run was told by a node that had been set DOWN meanwhile because of a boot:
  /// slurmctld does not notice that the job is to be submitted anew (lifecycle.md §11).
  [[nodiscard]] bool is_unnoticed(const Job& job) const {
    return unnoticed_.contains({job.index, job.run_number});
  }
  void leave_unnoticed(const Job& job) { unnoticed_.emplace(job.index, job.run_number); }
  /// Its program died with a node: nobody will report its end.
  [[nodiscard]] bool is_lost(const Job& job) const {
    return lost_.contains({job.index, job.run_number});
  }

 private:
  struct Daemon {
    Time heard;            ///< last message to slurmctld that is not the answer to a ping
    bool silent = false;   ///< slurmd does not answer
    bool crashed = false;  ///< nor does its node run: jobs there are dead
    bool not_responding_down = false;  ///< DOWN because it did not answer
    std::uint32_t asked = 0;           ///< questions so far: an answer to an older one is void
  };

  void set(Node& node, const NodeStateChange& change);
  void resume(Node& node);
  void set_down(Node& node, std::string_view reason);
  /// Jobs on the node are requeued, or end as NODE_FAIL. True if there were some.
  bool fail_jobs(const Node& node);  // sim/controller/failed_jobs.cpp
  void fail_components(Job& failed, AfterEnd after, NodeId node);
  void drop_down_nodes(Job& job);
  void ask(Node& node, Time at);
  void answered(Node& node);
  [[nodiscard]] bool asks_for_a_pass() const;
  void ping_round();
  void schedule_round();
  enum class Registers : std::uint8_t { OnTheSameBoot, AfterABoot };
  void fell_silent(NodeId node, bool crashed);
  void came_back(NodeId node, Registers how);
  /// When the first ping will come that does not leave the node out.
  [[nodiscard]] Time next_ping(NodeId node);
  /// When a recording has the node answer to what was done to it just now; none: not known.
  [[nodiscard]] std::optional<Time> recorded_answer(NodeId node) const;
  void returns(NodeId node, Registers how);
  void give_up_silent(Node& node);
  /// What a recording has slurmctld notice of nodes that do not answer.
  void expect_known_silences();
  void requeue_missing(const Node& node);
  void clean_again();
  void begin_failures();  // sim/controller/node_failures.cpp
  void failure_due();
  void changed(const Node& node);
  [[nodiscard]] Daemon& daemon(NodeId node) { return daemons_[index_of(node)]; }

  Controller& c_;
  HungNodes hung_;
  std::vector<Daemon> daemons_;
  std::optional<PingClock> pings_;
  std::optional<Time> round_due_;
  using Run = std::pair<JobIndex, std::uint64_t>;  ///< job and run number
  std::set<Run> lost_;
  std::set<Run> unnoticed_;
  std::optional<FailureProcess> failures_;
  std::optional<NodeFailure> next_failure_;
  std::uint32_t broken_ = 0;       ///< by the failure model
  std::vector<JobIndex> unclean_;  ///< ended, and waiting for a silent node
};

}  // namespace rehearse
