// sim/output/version_json.hpp — what the emulated release does otherwise than 22.05, for scripts.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/config/slurm_version.hpp"

namespace rehearse {

/// `[{"since": "23.11", "what": …, "section": "scheduling.md §13", "simulated": true} …]`.
[[nodiscard]] nlohmann::ordered_json differences_json(SlurmVersion version);

}  // namespace rehearse
