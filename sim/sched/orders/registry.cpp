// sim/sched/orders/registry.cpp — the rules of rules.def by their names.
#include "sim/sched/orders/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {

#define REHEARSE_ORDER_RULE(name, idea) OrderRule name;
#include "sim/sched/orders/rules.def"
#undef REHEARSE_ORDER_RULE

namespace {

struct NamedRule {
  std::string_view name, idea;
  OrderRule* rule;
};

constexpr auto kRules = std::to_array<NamedRule>({
#define REHEARSE_ORDER_RULE(name, idea) {#name, idea, &(name)},
#include "sim/sched/orders/rules.def"
#undef REHEARSE_ORDER_RULE
});

}  // namespace

OrderRule* find_order_rule(std::string_view name) {
  const auto at = std::find_if(kRules.begin(), kRules.end(),
                               [&](const NamedRule& each) { return each.name == name; });
  return at == kRules.end() ? nullptr : at->rule;
}

void check_order(const PolicyConf& conf, Diagnostics& found) {
  if (conf.order == kSlurmsOwn) return;
  if (find_order_rule(conf.order) != nullptr) {
    found.note(
        conf.order_where,
        fmt::format("policy.order: {} stands in the place of PriorityType: nice values, usage "
                    "and fair share do not count",
                    conf.order));
    return;
  }
  std::string all = fmt::format("{} (PriorityType)", kSlurmsOwn);
  std::vector<std::string_view> names{kSlurmsOwn};
  for (const NamedRule& each : kRules) {
    names.push_back(each.name);
    all += fmt::format(", {} ({})", each.name, each.idea);
  }
  const std::string near = did_you_mean(conf.order, names);
  found.error(conf.order_where, fmt::format("policy.order: {} is no rule", shown(conf.order)),
              near.empty() ? "one of " + all : near);
}

}  // namespace rehearse
