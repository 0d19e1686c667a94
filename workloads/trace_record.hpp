// workloads/trace_record.hpp — one row of a trace, typed: a run of a job or of an array task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/cluster/job_spec.hpp"
#include "sim/cluster/request.hpp"
#include "sim/config/sbatch_args.hpp"
#include "sim/core/compact_optional.hpp"

namespace rehearse {

/// How the row says that the run ended. States that mean the same here are one.
enum class RowState : std::uint8_t {
  Completed,
  Failed,
  OutOfMemory,
  Timeout,
  Deadline,
  Cancelled,
  NodeFail,
  CutShort,  ///< PREEMPTED, REQUEUED, BOOT_FAIL: not by itself, and not by its user
  Resizing,
  Running,
  Pending,
  Revoked,
};

/// A SubmitLine, read once for all the rows that have it.
struct SubmitLine {
  SbatchArgs args;
  Request request;
  bool is_told = false;  ///< false: the line has no part for this component
  bool readable = false;
  bool is_whole = false;  ///< no script whose #SBATCH lines could ask for more
  bool sleeps = false;    ///< the script of --wrap is a `sleep` and no more
};

struct TraceRecord {
  std::uint64_t line = 0;
  std::uint32_t job_id = 0;  ///< before `_` and `+`
  std::uint32_t raw_id = 0;  ///< JobIDRaw; 0: not told
  std::optional<std::uint32_t> task, het_offset;
  std::string_view rest;  ///< of `123_[5-9%2]`, between the brackets; data() null: not such a row
  NameId name = kNoName, user = kNoName, account = kNoName, partition = kNoName, qos = kNoName,
         reservation = kNoName, wckey = kNoName;
  RequestId request{};
  const SubmitLine* submit_line = nullptr;  ///< null: none, or it cannot be read
  std::uint32_t submit_line_position = 0;   ///< among the reader's, where there is one
  SlurmTime submit;
  CompactOptional<SlurmTime> eligible, start, end;
  Seconds elapsed{0};  ///< without the time suspended
  Seconds suspended{0};
  bool not_yet_eligible = false;  ///< Eligible says `Unknown`, which is not to say nothing
  bool sleeps = false;            ///< its script is a `sleep` and no more
  bool without_row = false;       ///< read from the SubmitLine of another component
  CompactOptional<Minutes> time_limit;
  RowState state = RowState::Completed;
  std::int32_t exit_code = 0;  ///< negative: a signal
  bool started = false;
  CompactOptional<std::uint64_t> max_rss_mib;  ///< of the job or any of its steps
  std::uint64_t gpus = 0;
  NameId gpu_type = kNoName;  ///< of the GPUs that it held; kNoName: not told, or several
};

}  // namespace rehearse
