// sim/controller/run_ending.hpp — how a run of a job ended, and what becomes of the job.
#pragma once

#include <cstdint>

#include "sim/cluster/job.hpp"

namespace rehearse {

enum class AfterEnd : std::uint8_t { Gone, Requeued };

struct RunEnding {
  JobState state;
  Reason reason;
  AfterEnd after;
  bool killed;
};

}  // namespace rehearse
