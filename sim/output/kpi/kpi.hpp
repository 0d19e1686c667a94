// sim/output/kpi/kpi.hpp — figures of merit as data: each with unit, meaning, formula and
// denominator.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// What a figure means. The text stands once, in definitions.cpp.
struct KpiDefinition {
  std::string_view name, units, long_name, formula, denominator;
};

/// One figure: of the whole run (scope `all`, no group) or of one partition, account, QOS, size,
/// job class, reason or state. NaN: there is nothing to measure.
struct Kpi {
  std::string scope, group, name;
  double value = 0;
};

struct Kpis {
  std::vector<Kpi> values;  ///< scope by scope, groups in order of the cluster's tables
  [[nodiscard]] const Kpi* find(std::string_view scope, std::string_view group,
                                std::string_view name) const;
  /// Of the whole run; NaN if there is no such figure.
  [[nodiscard]] double overall(std::string_view name) const;
};

[[nodiscard]] std::span<const KpiDefinition> kpi_definitions();
[[nodiscard]] const KpiDefinition* find_kpi_definition(std::string_view name);

/// Every figure of a run. Pure: the same result gives the same bits.
[[nodiscard]] Kpis compute_kpis(const Result& result);

/// The linear-interpolated quantile of `sorted` (Hyndman and Fan's type 7, numpy's default).
/// `q` in [0, 1]; NaN if there are no values.
[[nodiscard]] double quantile(std::span<const double> sorted, double q);

/// `0`, `1`, `2-3`, `4-7`, `8`, `9-16`, `17+` GPUs. A share of a device counts as one.
inline constexpr std::size_t kSizeClassCount = 7;
[[nodiscard]] std::size_t size_class(std::uint64_t gpus);
[[nodiscard]] std::string_view size_class_text(std::size_t size_class);

}  // namespace rehearse
