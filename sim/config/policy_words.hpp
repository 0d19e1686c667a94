// sim/config/policy_words.hpp — the choices of the section `policy`, as site.yaml has them.
#pragma once

#include <string_view>

#include "sim/config/policy_conf.hpp"

namespace rehearse {

/// `easy`, `fair_share`.
[[nodiscard]] std::string_view to_text(PolicyBackfill backfill);
[[nodiscard]] std::string_view to_text(Reclaim reclaim);

}  // namespace rehearse
