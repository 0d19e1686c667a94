// sim/output/views/tres_order.cpp — the two orders of TRES, one made of the other.
#include "sim/output/views/tres_order.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/config/text_scan.hpp"

namespace rehearse {

TresTable tres_table(const ClusterFacts& cluster) {
  return TresTable(cluster.tres);
}

std::string in_tres_order(const TresTable& table, std::string_view sacct) {
  std::vector<std::pair<std::size_t, std::string_view>> entries;
  for (const text::Piece& entry : text::split_at(sacct, ',')) {
    if (entry.text.empty()) continue;
    const auto known = table.find(entry.text.substr(0, entry.text.find('=')));
    entries.emplace_back(known ? index_of(*known) : table.size(), entry.text);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const auto& [order, entry] : entries) {
    if (!text.empty()) text += ',';
    text += entry;
  }
  return text;
}

}  // namespace rehearse
