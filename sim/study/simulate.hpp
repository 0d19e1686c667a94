// sim/study/simulate.hpp — one simulation of a loaded site, with its record and how it was made.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/observer.hpp"
#include "sim/controller/opening.hpp"
#include "sim/controller/run_status.hpp"
#include "sim/output/provenance.hpp"
#include "sim/output/result.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

struct Simulation {
  Result result;
  RunStatus status = RunStatus::Complete;
  OpeningCounts opened;  ///< of a site that begins in the middle
};

/// Runs the site once. `others` are told everything beside the recorder. Uses the site up: a second
/// run needs a second load.
[[nodiscard]] Simulation simulate(LoadedSite& site, const std::vector<Observer*>& others,
                                  const std::atomic<bool>* interrupted);

/// Which program made it.
struct ProgramVersion {
  std::string_view release, commit;
};

/// The birth certificate of a run: every input with its SHA-256, the resolved configuration, and
/// the command that makes the result again.
[[nodiscard]] Provenance provenance_of(const LoadedSite& site, const LoadOptions& options,
                                       const ProgramVersion& program, std::string command);

}  // namespace rehearse
