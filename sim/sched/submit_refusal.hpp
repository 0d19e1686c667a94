// sim/sched/submit_refusal.hpp — a submission that slurmctld does not take.
#pragma once

#include <string>

#include "sim/cluster/reason.hpp"

namespace rehearse {

/// Why slurmctld refused a submission: the reason and the text that sbatch prints.
struct SubmitRefusal {
  Reason reason = Reason::None;
  std::string message;
};

}  // namespace rehearse
