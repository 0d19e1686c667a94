// sim/study/report/kpi_groups.hpp — the figures of the groups of one scope, found by name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/output/kpi/kpi.hpp"

namespace rehearse {

struct KpiGroup {
  std::string name;
  std::map<std::string, double, std::less<>> figures;
  /// NaN: there is no such figure.
  [[nodiscard]] double get(std::string_view figure) const;
};

/// Groups of a scope, those with most jobs first; sizes in their own order.
[[nodiscard]] std::vector<KpiGroup> kpi_groups(const Kpis& kpis, std::string_view scope);

}  // namespace rehearse
