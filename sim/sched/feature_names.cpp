// sim/sched/feature_names.cpp — the features of an expression, looked for among those of all nodes.
#include "sim/sched/feature_names.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/cluster/features.hpp"

namespace rehearse {

bool FeatureNames::are_valid(NameId expression) {
  if (expression == kNoName) return true;
  const auto [at, is_new] = known_.try_emplace(expression, false);
  if (!is_new) return at->second;
  const auto features = FeatureExpression::parse(cluster_.names.text(expression));
  if (!features) return false;
  const std::vector<std::string_view> names = features->features();
  return at->second = std::all_of(names.begin(), names.end(), [&](std::string_view feature) {
           return nodes_with_feature(cluster_.nodes, cluster_.names, feature).any();
         });
}

}  // namespace rehearse
