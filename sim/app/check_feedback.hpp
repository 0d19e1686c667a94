// sim/app/check_feedback.hpp — what `rehearse check` tells of submissions that answer to ends.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/study/load_site.hpp"

namespace rehearse {

/// One line of an open replay; else what was linked, and what could not be.
[[nodiscard]] std::string feedback_text(const LoadedSite& site);
[[nodiscard]] nlohmann::ordered_json feedback_json(const LoadedSite& site);

}  // namespace rehearse
