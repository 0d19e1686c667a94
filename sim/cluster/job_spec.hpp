// sim/cluster/job_spec.hpp — a job as it was submitted, and what its program will do. Never
// changes: `scontrol update` gives the job another one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/core/compact_optional.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// How a job's program ends if it is left alone.
enum class RunOutcome : std::uint8_t {
  Completed,    ///< exit 0 after `runtime`
  Failed,       ///< another exit code after `runtime`
  Cancelled,    ///< its user cancels it `runtime` after the start
  OutOfMemory,  ///< ends OUT_OF_MEMORY after `runtime`
  NodeFailure,  ///< the recorded run ended by NODE_FAIL; replayed as COMPLETED unless events say so
  UntilKilled,  ///< runs beyond any limit: a TIMEOUT whose true length nobody knows
};

/// The truth about a run that Slurm learns only when it ends.
struct TrueRun {
  Seconds runtime{0};  ///< wall time without suspensions; not used with UntilKilled
  /// How far into its last second it ran: sacct cuts that away, a controller's log tells it.
  CompactOptional<Duration> last_second;
  Seconds suspended{0};  ///< how long the recorded run stood still
  /// The most memory that it was seen to hold on a node [MiB]; none: not recorded.
  CompactOptional<std::uint64_t> max_rss_mib;
  std::int32_t exit_code = 0;  ///< negative: it dies of this signal, where --signal sends one
  /// Type of the GPUs that the recorded run held (AllocTRES); kNoName: not told, or several.
  NameId gpu_type = kNoName;
  RunOutcome outcome = RunOutcome::Completed;
  /// Recorded beyond its limit, and yet it ended by itself: no time-limit scan came in between.
  bool outlived_limit = false;
  /// It waits for the clock (`sleep N`): a suspension does not put off its end.
  bool sleeps = false;
  /// It never ran in the trace, and nothing tells for how long it would have.
  bool is_unknown = false;
};

/// One task of a job array: its index, the id it had in the recording, and its truth.
struct ArrayTask {
  std::uint32_t index = 0;
  JobId id{};  ///< 0: not known; the controller gives the next one
  TrueRun run;
  CompactOptional<SlurmTime> cancel_at;
  CompactOptional<SlurmTime> recorded_start, recorded_end;
};

/// What only few jobs have.
struct JobExtras {
  std::string dependency;  ///< as written after --dependency=
  std::optional<bool> kill_on_invalid_dep;
  std::string reservation;
  std::string array_text;               ///< `0-9%3` as written
  std::uint32_t array_max_running = 0;  ///< 0: no %N
  std::vector<ArrayTask> array;         ///< ascending index; not empty: this spec is a whole array
  JobId het_leader{};                   ///< 0: not heterogeneous
  std::uint32_t het_offset = 0;
  std::optional<std::uint32_t> direct_priority;  ///< --priority of an operator
  std::optional<SlurmTime> deadline;
  std::string signal;
  std::string wckey;
};

/// Owned; a copy of the owner has its own.
class OwnExtras : public std::unique_ptr<JobExtras> {
 public:
  using std::unique_ptr<JobExtras>::unique_ptr;
  OwnExtras(std::unique_ptr<JobExtras>&& other) noexcept  // NOLINT(google-explicit-constructor)
      : std::unique_ptr<JobExtras>(std::move(other)) {}
  OwnExtras(const OwnExtras& other)
      : std::unique_ptr<JobExtras>(other ? std::make_unique<JobExtras>(*other) : nullptr) {}
  OwnExtras(OwnExtras&&) noexcept = default;
  OwnExtras& operator=(const OwnExtras& other) { return *this = OwnExtras(other); }
  OwnExtras& operator=(OwnExtras&&) noexcept = default;
  ~OwnExtras() = default;
};

/// A submission. Times are UTC. The spec of an array stands for all of its tasks. A trace of ten
/// million jobs holds as many of these: what is seldom given goes to the extras.
struct JobSpec {
  JobId id{};  ///< JobIDRaw of the trace; of an array: the array's id
  NameId name = kNoName, user = kNoName, account = kNoName, qos = kNoName;
  NameId partitions = kNoName;  ///< as asked, comma list; kNoName: the default partition
  RequestId request{};
  std::int32_t nice = 0;
  Time submit;
  CompactOptional<SlurmTime> begin;     ///< --begin, or Eligible of the trace where that is later
  CompactOptional<Minutes> time_limit;  ///< none: not given; kUnlimited: asked for as UNLIMITED
  CompactOptional<Minutes> time_min;
  TrueRun run;
  CompactOptional<SlurmTime>
      cancel_at;  ///< never started in the trace: cancelled then (JobKeeper::cancel_if_due)
  CompactOptional<SlurmTime> recorded_start, recorded_end;  ///< of the trace, for calibration
  /// Of a copy that was drawn: when the job that it is made of ended, moved as its submission was.
  CompactOptional<SlurmTime> copied_end;
  std::uint64_t source_row = 0;  ///< line of the trace that it came from
  OwnExtras extras;
  std::optional<bool> requeue;  ///< none: JobRequeue of slurm.conf
  bool batch = true;            ///< false: salloc or srun
  bool held = false;            ///< -H
  bool no_kill = false;         ///< goes on without a node that fails
};

}  // namespace rehearse
