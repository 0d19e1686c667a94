// sim/app/check_gpus.hpp — what `rehearse check` tells of a site's GPUs: which model each is, and
// why.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/study/load_site.hpp"

namespace rehearse {

/// A heading and a line a kind of device; nothing for a cluster without GPUs.
[[nodiscard]] std::vector<std::string> gpu_lines(const LoadedSite& site);
/// The same as a list of objects.
[[nodiscard]] nlohmann::ordered_json gpus_json(const LoadedSite& site);

}  // namespace rehearse
