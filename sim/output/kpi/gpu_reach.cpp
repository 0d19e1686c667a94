// sim/output/kpi/gpu_reach.cpp — sets of nodes by what jobs ask for, and the nodes that they tell
// apart.
#include "sim/output/kpi/gpu_reach.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/cluster/features.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/output/kpi/asked_gpus.hpp"

namespace rehearse {
namespace {

/// True if `list`, names with commas, has this one.
bool has_name(std::string_view list, std::string_view name) {
  const auto names = text::split_at(list, ',');
  return std::any_of(names.begin(), names.end(),
                     [&](const text::Piece& each) { return each.text == name; });
}

/// `a100` of `gres:gpu:a100:2` and of `gres/gpu:a100=2`; empty: no type is named.
std::string_view type_in(std::string_view words) {
  constexpr std::string_view kGpu = "gpu:";
  const std::size_t at = words.find(kGpu);
  if (at == words.npos) return {};
  const std::string_view rest = words.substr(at + kGpu.size());
  const std::string_view type = rest.substr(0, rest.find_first_of(":=,("));
  const bool is_count = type.find_first_not_of("0123456789") == type.npos;
  return is_count ? std::string_view() : type;
}

class ReachFinder {
 public:
  explicit ReachFinder(const Result& result) : result_(result), asked_(result) {
    for (std::size_t node = 0; node < nodes().size(); ++node) {
      if (nodes()[node].gpu_milli > 0) gpus_.push_back(node);
    }
  }

  GpuReach find() {
    GpuReach reach;
    const RunColumns& runs = result_.runs;
    reach.set_of_run.assign(runs.size(), kNoRow);
    for (std::size_t row = 0; row < runs.size(); ++row) {
      const std::string_view shared = asked_.shares(row);
      if (runs.requested_gpus[row] > 0 || !shared.empty()) {
        reach.set_of_run[row] = set_of(row, shared);
      }
    }
    name_pools(reach);
    return reach;
  }

 private:
  [[nodiscard]] const std::vector<NodeFacts>& nodes() const { return result_.cluster.nodes; }

  /// Of the nodes with GPUs, by position in gpus_.
  using Members = std::vector<bool>;

  std::uint32_t set_of(std::size_t row, std::string_view shared) {
    const RunColumns& runs = result_.runs;
    const Asked asked{runs.requested_partitions[row], runs.constraints[row],
                      runs.tres_per_node[row], runs.requested_tres[row], shared};
    const auto known = sets_by_asked_.find(asked);
    if (known != sets_by_asked_.end()) return known->second;
    const auto next = static_cast<std::uint32_t>(sets_.size());
    const auto [set, is_new] = sets_.emplace(members_of(asked), next);
    return sets_by_asked_.emplace(asked, set->second).first->second;
  }

  using Asked =
      std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::string_view>;

  [[nodiscard]] Members members_of(const Asked& asked) const {
    const auto& [partitions, constraints, per_node, tres, shared] = asked;
    const ResultNames& names = result_.names;
    std::string_view type = type_in(text_of(names.text, per_node));
    if (type.empty()) type = type_in(text_of(names.tres_set, tres));
    Members members = with_features(text_of(names.constraints, constraints));
    const auto wanted = text::split_at(text_of(names.partition_list, partitions), ',');
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      const NodeFacts& node = nodes()[gpus_[i]];
      const bool is_there =
          wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const auto& each) {
            return has_name(node.partitions, each.text);
          });
      const bool has_it =
          shared.empty() ? type.empty() || has_type(node, type) : units_of(node.gres, shared) > 0;
      if (!is_there || !has_it) members[i] = false;
    }
    return members;
  }

  [[nodiscard]] static bool has_type(const NodeFacts& node, std::string_view type) {
    const std::string words = "gpu:" + std::string(type) + ":";
    return node.gres.find(words) != std::string::npos;
  }

  [[nodiscard]] Members with_features(const std::string& constraints) const {
    const auto expression =
        constraints.empty() ? std::nullopt : FeatureExpression::parse(constraints);
    if (!expression) return Members(gpus_.size(), true);
    const NodeSet able = expression->any([this](std::string_view feature) {
      NodeSet nodes_with(gpus_.size());
      for (std::size_t i = 0; i < gpus_.size(); ++i) {
        if (has_name(nodes()[gpus_[i]].features, feature)) nodes_with.set(i);
      }
      return nodes_with;
    });
    Members members(gpus_.size());
    for (std::size_t i = 0; i < members.size(); ++i) members[i] = able.test(i);
    return members;
  }

  void name_pools(GpuReach& reach) const {
    std::vector<const Members*> sets(sets_.size());
    for (const auto& [members, set] : sets_) sets[set] = &members;
    std::map<Members, std::uint32_t> pools;  // by the sets that have the node
    std::vector<std::size_t> sharers;        // by pool
    reach.pool_of_node.assign(nodes().size(), kNoRow);
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      Members of(sets.size());
      for (std::size_t set = 0; set < sets.size(); ++set) of[set] = (*sets[set])[i];
      const auto next = static_cast<std::uint32_t>(pools.size());
      const auto [pool, is_new] = pools.emplace(std::move(of), next);
      reach.pool_of_node[gpus_[i]] = pool->second;
    }
    reach.pool_count = pools.size();
    reach.pools.resize(sets.size());
    sharers.resize(pools.size());
    for (const auto& [of, pool] : pools) {
      sharers[pool] = static_cast<std::size_t>(std::count(of.begin(), of.end(), true));
      for (std::size_t set = 0; set < sets.size(); ++set) {
        if (of[set]) reach.pools[set].push_back(pool);
      }
    }
    for (auto& each : reach.pools) {
      std::sort(each.begin(), each.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sharers[a] != sharers[b] ? sharers[a] < sharers[b] : a < b;
      });
    }
    order_sets(sets, reach);
  }

  void order_sets(const std::vector<const Members*>& sets, GpuReach& reach) const {
    std::vector<std::uint64_t> gpus(sets.size());
    for (std::size_t set = 0; set < sets.size(); ++set) {
      reach.order.push_back(static_cast<std::uint32_t>(set));
      for (std::size_t i = 0; i < gpus_.size(); ++i) {
        if ((*sets[set])[i]) gpus[set] += nodes()[gpus_[i]].gpu_milli;
      }
    }
    std::sort(reach.order.begin(), reach.order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return gpus[a] != gpus[b] ? gpus[a] < gpus[b] : a < b;
    });
  }

  const Result& result_;
  AskedGpus asked_;
  std::vector<std::size_t> gpus_;  // nodes that have some
  std::map<Asked, std::uint32_t> sets_by_asked_;
  std::map<Members, std::uint32_t> sets_;
};

}  // namespace

GpuReach gpu_reach(const Result& result) {
  return ReachFinder(result).find();
}

}  // namespace rehearse
