// sim/study/report/kpi_groups.cpp — one walk over all figures.
#include "sim/study/report/kpi_groups.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse {

double KpiGroup::get(std::string_view figure) const {
  const auto found = figures.find(figure);
  return found == figures.end() ? std::nan("") : found->second;
}

std::vector<KpiGroup> kpi_groups(const Kpis& kpis, std::string_view scope) {
  std::vector<KpiGroup> groups;
  std::map<std::string, std::size_t, std::less<>> place;
  for (const Kpi& kpi : kpis.values) {
    if (kpi.scope != scope) continue;
    const auto [at, is_new] = place.emplace(kpi.group, groups.size());
    if (is_new) groups.push_back({kpi.group, {}});
    groups[at->second].figures[kpi.name] = kpi.value;
  }
  if (scope == "size") return groups;
  const char* const by = scope == "reason" ? "pending_hours" : "jobs";
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const KpiGroup& x, const KpiGroup& y) { return x.get(by) > y.get(by); });
  return groups;
}

}  // namespace rehearse
