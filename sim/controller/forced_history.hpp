// sim/controller/forced_history.hpp — a recorded history in the place of decisions, and the one who
// is asked at its passes.
//
// Jobs start where and end when the history says; whole seconds are all that it knows, so the facts
// of a second happen at its end: ends, submissions, starts, and then such ends as a log puts behind
// the starts. The loops run
// by their own clocks and find every node completing, so that they age, test and plan, and start
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/job.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

class Controller;

/// One run of a job as recorded. A requeued job has several.
struct ForcedRun {
  JobId job{};       ///< JobIDRaw
  SlurmTime submit;  ///< of a requeued job's later run: when it was back in the queue
  SlurmTime start;
  std::optional<SlurmTime> end;  ///< none: it still ran
  PartitionId partition{};
  std::vector<NodeId> nodes;  ///< ascending
  StartedBy by = StartedBy::Nobody;
  JobState outcome = JobState::Completed;
  std::optional<SlurmTime> requeued;  ///< the job went back to PENDING, when its nodes were clean
  std::optional<std::uint64_t> cpus;  ///< that it held on all nodes; none: not told
  std::optional<std::uint64_t> memory_mib;  ///< … and memory
  bool keeps_loop = false;  ///< `by` can be that of the job's run before, as sacct tells it
  bool resizes = false;     ///< it did not end: the job's next run is the same one with fewer nodes
  bool resized = false;     ///< … and this is that one: nobody started it
  bool ends_late = false;   ///< a log tells that it ended after the starts of its last second
};

/// A victim that a pass of `loop` killed to make room, or warned.
struct ForcedSignal {
  Time at;
  JobId victim{};
  JobId preemptor{};
  StartedBy loop = StartedBy::Main;
  bool warned = false;
};

/// When the asker is called.
struct AskedInstant {
  Time at;
  StartedBy loop = StartedBy::Nobody;  ///< whose pass begins then
};

struct ForcedHistory {
  std::vector<ForcedRun> runs;  ///< by start
  std::vector<AskedInstant> asked;
  std::vector<ForcedSignal> signals;  ///< ascending, as far as they are known
  std::vector<Time> ended_at;         ///< ascending: ends whose instant a log tells
};

/// The record that a forced run stands in.
struct ForcedJob {
  JobIndex job{};
  std::uint64_t run_number = 0;
};

/// What lies before a pass although the recording puts it into the pass's own second (positions in
/// ForcedHistory::runs), and the loop that is run then.
struct PassQuestion {
  StartedBy loop = StartedBy::Main;
  std::vector<std::size_t> ended;    ///< runs that end first
  std::vector<std::size_t> cleaned;  ///< ended runs whose nodes have left COMPLETING
  std::size_t submitted = 0;         ///< so many of the next submissions come first
  std::vector<std::size_t> started;  ///< runs of another pass that start first
};

/// The instant at which the facts of that second happen.
[[nodiscard]] Time end_of(SlurmTime second);

class PassAsker {
 public:
  virtual ~PassAsker() = default;
  /// The state is that before the second of pass `number` (position in ForcedHistory::asked). It is
  /// to be left as it is: Controller::apply and decide may be called
  /// in a copy of the process only.
  virtual void ask(std::size_t number, Controller& controller) = 0;
  /// The recorded run was started on its nodes, with so many CPUs.
  virtual void placed(std::size_t run, std::uint32_t cpus, SlurmTime now) = 0;
  /// The recorded run could not be started on its nodes.
  virtual void not_placed(std::size_t run, std::string_view why, SlurmTime now) = 0;
};

}  // namespace rehearse
