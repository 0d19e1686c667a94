// sim/config/account_edit.cpp — a TRES list is changed entry by entry, as sacctmgr does.
#include "sim/config/account_edit.hpp"

#include <algorithm>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

bool same(const TresAmounts& a, const TresAmounts& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.tres == other.tres && one.amount == other.amount;
  });
}

}  // namespace

TresAmounts merged_tres(const TresAmounts& before, const TresAmounts& after,
                        std::string_view text) {
  std::vector<std::string> named;
  for (const std::string_view item : split_list(text)) {
    named.push_back(to_lower(item.substr(0, item.rfind('='))));
  }
  TresAmounts merged;
  for (const TresAmount& each : before) {
    if (std::find(named.begin(), named.end(), each.tres) == named.end()) merged.push_back(each);
  }
  merged.insert(merged.end(), after.begin(), after.end());
  return merged;
}

void merge_limits(LimitConf& limits, const LimitConf& before, std::string_view text) {
  for (const auto member : {&LimitConf::grp_tres, &LimitConf::grp_tres_mins,
                            &LimitConf::grp_tres_run_mins, &LimitConf::max_tres_per_job,
                            &LimitConf::max_tres_per_node, &LimitConf::max_tres_mins_per_job}) {
    if (same(limits.*member, before.*member)) continue;
    limits.*member = merged_tres(before.*member, limits.*member, text);
  }
}

}  // namespace rehearse
