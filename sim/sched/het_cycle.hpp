// sim/sched/het_cycle.hpp — what a backfill cycle has found of heterogeneous jobs (scheduling.md
// §11).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// A component for which there is a place on the map.
struct HetComponent {
  JobIndex job{};
  PartitionId partition{};
  std::optional<ReservationId> reservation;
  Minutes limit{0};
  SlurmTime start;
};

/// The components of one job, in the order in which the cycle tested them.
struct HetGroup {
  JobId leader{};
  std::vector<HetComponent> components;

  [[nodiscard]] SlurmTime latest() const {
    return std::max_element(
               components.begin(), components.end(),
               [](const HetComponent& a, const HetComponent& b) { return a.start < b.start; })
        ->start;
  }
};

/// Of the present cycle; the next one begins without it.
class HetCycle {
 public:
  void clear() { groups_.clear(); }

  /// Where the components tested before have their latest start; none: none was tested.
  [[nodiscard]] std::optional<SlurmTime> latest(JobId leader) const {
    const auto at = find(leader);
    return at == groups_.end() ? std::nullopt : std::optional(at->latest());
  }
  /// Of several partitions the earliest start counts.
  void note(JobId leader, const HetComponent& component) {
    auto at = std::find_if(groups_.begin(), groups_.end(),
                           [leader](const HetGroup& each) { return each.leader == leader; });
    if (at == groups_.end()) at = groups_.insert(groups_.end(), HetGroup{leader, {}});
    for (HetComponent& known : at->components) {
      if (known.job != component.job) continue;
      if (component.start < known.start) known = component;
      return;
    }
    at->components.push_back(component);
  }
  [[nodiscard]] const std::vector<HetGroup>& groups() const { return groups_; }

 private:
  [[nodiscard]] std::vector<HetGroup>::const_iterator find(JobId leader) const {
    return std::find_if(groups_.begin(), groups_.end(),
                        [leader](const HetGroup& each) { return each.leader == leader; });
  }

  std::vector<HetGroup> groups_;  // by first test
};

}  // namespace rehearse
