// models/runtime/checkpoint.hpp — work that a job saves while it runs, so that a requeue loses less
// of it: an assumption of site.yaml, none by default.
#pragma once

#include "sim/config/site_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// What a job has to do and how much of it earlier runs have saved.
struct WorkLeft {
  Seconds all{0};   ///< the run time of the trace: work without checkpoints
  Seconds kept{0};  ///< saved; 0: begins anew
};

/// How long a run lasts if nothing ends it: the rest of the work, a `cost` after each `interval` of
/// it but the last, and `restart` where it goes on from a checkpoint. Whole seconds, rounded up.
[[nodiscard]] Seconds run_time(const WorkLeft& work, const SiteConf::Checkpoint& conf);

/// What is saved in all after a run of `ran`: whole intervals whose checkpoint was finished.
[[nodiscard]] Seconds work_kept(const WorkLeft& work, Seconds ran,
                                const SiteConf::Checkpoint& conf);
/// The same where a signal let the program save all that it had done.
[[nodiscard]] Seconds work_kept_by_signal(const WorkLeft& work, Seconds ran,
                                          const SiteConf::Checkpoint& conf);

}  // namespace rehearse
