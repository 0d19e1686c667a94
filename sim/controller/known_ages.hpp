// sim/controller/known_ages.hpp — since when arrays under %N age, by the priorities of a
// recording's tests.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/cluster/job.hpp"
#include "sim/config/priority_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Whether an array ages from the pass on that found it eligible is a toss between two threads
/// (priority.md §3.1). Simulated it does; in the recording it can have lost that toss, and have
/// begun to age at any later slot of its %N.
class KnownAges {
 public:
  struct Since {
    std::optional<SlurmTime> accrue;  ///< none: it does not age yet
  };
  /// It waits with a free slot, first seen now.
  void found_eligible(const Job& job, SlurmTime now);
  /// By the first test of an ageing job that tells: since when it does, if later than simulated.
  /// `told`: the priority that the recording tested it with; 0: it did not.
  [[nodiscard]] std::optional<Since> later(const Job& job, std::uint32_t told,
                                           const PriorityConf& conf);

 private:
  std::map<JobId, std::vector<SlurmTime>> eligible_;  // by array, ascending
  std::map<JobId, SlurmTime> settled_;                // by job: the clock that has been looked at
};

}  // namespace rehearse
