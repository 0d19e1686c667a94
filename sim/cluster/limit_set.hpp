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
[[nodiscard]] QosLimits resolve_limits(const QosConf& conf, const TresTable& tres,
                                       Diagnostics& found);

/// Every table of TRES in a set of limits, as `visit(table, as written, its key)`.
template <typename Visit>
void for_each_tres(LimitSet& limits, const LimitConf& conf, const Visit& visit) {
  visit(limits.grp_tres, conf.grp_tres, "GrpTRES");
  visit(limits.grp_tres_mins, conf.grp_tres_mins, "GrpTRESMins");
  visit(limits.grp_tres_run_mins, conf.grp_tres_run_mins, "GrpTRESRunMins");
  visit(limits.max_tres_per_job, conf.max_tres_per_job, "MaxTRES");
  visit(limits.max_tres_per_node, conf.max_tres_per_node, "MaxTRESPerNode");
  visit(limits.max_tres_mins_per_job, conf.max_tres_mins_per_job, "MaxTRESMins");
}
template <typename Visit>
void for_each_tres(QosLimits& limits, const QosConf& conf, const Visit& visit) {
  for_each_tres(static_cast<LimitSet&>(limits), conf.limits, visit);
  visit(limits.max_tres_per_user, conf.max_tres_per_user, "MaxTRESPerUser");
  visit(limits.max_tres_per_account, conf.max_tres_per_account, "MaxTRESPerAccount");
  visit(limits.max_tres_run_mins_per_user, conf.max_tres_run_mins_per_user, "MaxTRESRunMinsPU");
  visit(limits.max_tres_run_mins_per_account, conf.max_tres_run_mins_per_account,
        "MaxTRESRunMinsPA");
  visit(limits.min_tres_per_job, conf.min_tres_per_job, "MinTRES");
}

/// limits.md §1.4: each TRES that `own` does not set is taken from `above`.
void inherit_tres(TresLimits& own, const TresLimits& above);

template <typename Value>
void inherit(std::optional<Value>& own, const std::optional<Value>& above) {
  if (!own) own = above;
}

}  // namespace rehearse
