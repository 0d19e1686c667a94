// sim/config/account_edit.hpp — `sacctmgr modify … set KEY=VALUE`, on what was read before.
#pragma once

#include <string>
#include <string_view>

#include "sim/config/accounting.hpp"

namespace rehearse {

/// Sets one value of a QOS; -1 takes a limit away. Of a TRES list only what is named changes.
/// `key` may end in + or - where it is a list of names. Findings at `where`.
void set_qos_value(QosConf& qos, std::string_view key, std::string_view value,
                   const SourcePosition& where, Diagnostics& found);
/// The same of an association's own values.
void set_association_value(AssociationConf& association, std::string_view key,
                           std::string_view value, const SourcePosition& where, Diagnostics& found);

/// The entries of `before` that `text` does not name, then those of `after`.
[[nodiscard]] TresAmounts merged_tres(const TresAmounts& before, const TresAmounts& after,
                                      std::string_view text);
/// Merges each list of limits that differs from `before`.
void merge_limits(LimitConf& limits, const LimitConf& before, std::string_view text);

}  // namespace rehearse
