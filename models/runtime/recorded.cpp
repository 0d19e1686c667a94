// models/runtime/recorded.cpp — recorded run times plus the latencies of the daemons.
#include "models/runtime/recorded.hpp"

namespace rehearse {
std::optional<Time> program_end(Time start, const TrueRun& run,
                                const SiteConf::Controller& daemons) {
  if (run.outcome == RunOutcome::UntilKilled) return std::nullopt;
  return Time{whole_second(start) + run.runtime} + into_last_second(run) + daemons.launch_latency;
}

PrologTimes prolog_times(const SlurmConf& conf, const SiteConf::Controller& daemons) {
  PrologTimes times;
  if (conf.has_prolog_slurmctld) times.configuring += daemons.prolog_slurmctld;
  if (conf.has_prolog) {
    (conf.prolog_at_allocation ? times.configuring : times.within) += daemons.prolog;
  }
  return times;
}

Duration clean_up_time(bool killed, const SiteConf::Controller& daemons) {
  return daemons.completion_latency + (killed ? daemons.kill_latency : Duration{0}) +
         daemons.epilog;
}

}  // namespace rehearse
