// models/runtime/recorded.hpp — how long a run takes when the trace says it: the replay model.
#pragma once

#include <optional>

#include "sim/cluster/job_spec.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// How far into its last second a run goes. Elapsed is the difference of two times cut to seconds:
/// the end lies somewhere in its second, and where nothing tells more, the middle is the reading
/// without bias.
[[nodiscard]] inline Duration into_last_second(const TrueRun& run) {
  constexpr Duration kMiddle{500000};
  return run.last_second.value_or(kMiddle);
}

/// When the program of a run that starts at `start` ends by itself; none: it runs until it is
/// killed. Launch latency [site.yaml controller.launch_latency] delays the program, not the
/// allocation.
[[nodiscard]] std::optional<Time> program_end(Time start, const TrueRun& run,
                                              const SiteConf::Controller& daemons);

/// What prologs take of a run: before its script may start and its limit begins to count
/// (PrologSlurmctld, and Prolog with PrologFlags=Alloc: CONFIGURING), and within the job's own time
/// (Prolog without it). Nothing where slurm.conf names no such program (lifecycle.md §4).
struct PrologTimes {
  Duration configuring{0}, within{0};
};
[[nodiscard]] PrologTimes prolog_times(const SlurmConf& conf, const SiteConf::Controller& daemons);

/// From the end of a run to the last of its nodes being clean: completion latency and epilog, and
/// the death of its processes where the controller ended it.
[[nodiscard]] Duration clean_up_time(bool killed, const SiteConf::Controller& daemons);

}  // namespace rehearse
