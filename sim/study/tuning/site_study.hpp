// sim/study/tuning/site_study.hpp — the study that `rehearse tune SITE --objective …` means.
#pragma once

#include <string>
#include <vector>

#include "sim/study/load_site.hpp"
#include "sim/study/study_conf.hpp"

namespace rehearse {

/// What the command line says instead of a study's file.
struct SiteTuning {
  std::string site;
  std::vector<std::string> objectives;  ///< `wait_mean`, `partition/gpu/p95_wait`, `most:NAME`
  std::vector<std::string> keys;  ///< `PriorityWeightAge`, `KEY=1..100`, `KEY=A|B`; none: default
};

/// What of it cannot be; a usage error.
struct SiteTuningError {
  std::string what, hint;
};

inline constexpr std::uint64_t kSiteTuningSamples = 48;
/// Jobs that users cancel while they wait: of most traces some.
inline constexpr double kSiteTuningUnstarted = 0.002;

/// `options` as they are loaded; `today` has been loaded with them, its jobs or none. Throws
/// SiteTuningError.
[[nodiscard]] StudyConf study_of_site(const SiteTuning& asked, const LoadOptions& options,
                                      const LoadedSite& today);

}  // namespace rehearse
