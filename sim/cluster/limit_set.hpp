// sim/cluster/limit_set.hpp — limits as written, resolved against the TRES table.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/cluster/account.hpp"
#include "sim/cluster/tres.hpp"
#include "sim/config/accounting.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// Amounts by TRES; a name that is not tracked is an error at `where`, told with `key`.
[[nodiscard]] TresLimits resolve_tres(const TresAmounts& amounts, std::string_view key,
                                      const TresTable& tres, const SourcePosition& where,
                                      Diagnostics& found);
/// Own values only; nothing is inherited yet.
[[nodiscard]] LimitSet resolve_limits(const LimitConf& conf, const TresTable& tres,
                                      const SourcePosition& where, Diagnostics& found);

/// limits.md §1.4: each TRES that `own` does not set is taken from `above`.
void inherit_tres(TresLimits& own, const TresLimits& above);

template <typename Value>
void inherit(std::optional<Value>& own, const std::optional<Value>& above) {
  if (!own) own = above;
}

}  // namespace rehearse
