// sim/study/simulate.hpp — one simulation of a loaded site, and its record.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "sim/controller/observer.hpp"
#include "sim/controller/opening.hpp"
#include "sim/controller/run_status.hpp"
#include "sim/output/result.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

struct Simulation {
  Result result;
  RunStatus status = RunStatus::Complete;
  OpeningCounts opened;          ///< of a site that begins in the middle
  std::string refused_commands;  ///< RefusedCommands::text()
};

/// Runs the site once. `others` are told everything beside the recorder. Uses the site up: a second
/// run needs a second load.
[[nodiscard]] Simulation simulate(LoadedSite& site, const std::vector<Observer*>& others,
                                  const std::atomic<bool>* interrupted);

}  // namespace rehearse
