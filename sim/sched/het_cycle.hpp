// sim/sched/het_cycle.hpp — what a backfill cycle has found of heterogeneous jobs (scheduling.md
// §11).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// A component for which there is an estimate.
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
  void clear() {
    groups_.clear();
    places_.clear();
    without_start_.clear();
    end_tests();
  }

  /// The component is tried; until there is an estimate for it the others of its job are not.
  void try_component(JobId leader, JobIndex job) {
    in_test_ = job;
    const auto at = find(leader);
    const auto is_it = [job](const HetComponent& each) { return each.job == job; };
    if (at != groups_.end() && std::any_of(at->components.begin(), at->components.end(), is_it)) {
      return;
    }
    if (!lacks_start(leader, job)) without_start_.push_back({leader, job});
  }
  /// The component that was tried last, while the cycle tests.
  [[nodiscard]] std::optional<JobIndex> in_test() const { return in_test_; }
  void end_tests() { in_test_.reset(); }
  /// True: another component was tried in vain, or can start after `latest` alone.
  [[nodiscard]] bool gives_up(JobId leader, JobIndex job, SlurmTime latest) const {
    const auto is_late = [&](const HetComponent& each) {
      return each.job != job && each.start > latest;
    };
    const auto at = find(leader);
    if (at != groups_.end() && std::any_of(at->components.begin(), at->components.end(), is_late)) {
      return true;
    }
    return std::any_of(without_start_.begin(), without_start_.end(),
                       [&](const Tried& each) { return each.leader == leader && each.job != job; });
  }

  /// The latest of the starts noted of the components tested before; none: none was tested.
  [[nodiscard]] std::optional<SlurmTime> latest(JobId leader) const {
    const auto at = find(leader);
    return at == groups_.end() ? std::nullopt : std::optional(at->latest());
  }
  /// Of several estimates, and of several partitions, the earliest start counts.
  void note(JobId leader, const HetComponent& component) {
    std::erase(without_start_, Tried{leader, component.job});
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

  /// A component comes to a place on the map. True: it gets none there, as another job that starts
  /// no earlier in this partition comes, in another partition of both, before this place.
  [[nodiscard]] bool crosses(JobId leader, PartitionId partition, SlurmTime start) {
    place(leader, partition, start);
    const Place own = *find_place(leader, partition);
    for (const Place& other : places_) {
      if (other.partition != partition || other.leader == leader || other.start < own.start)
        continue;
      if (other.start == own.start && other.order > own.order) continue;
      for (const Place& there : places_) {
        if (there.leader != other.leader || there.partition == partition) continue;
        if (there.start < own.start && find_place(leader, there.partition)) return true;
      }
    }
    return false;
  }

 private:
  struct Place {
    JobId leader{};
    PartitionId partition{};
    SlurmTime start;  ///< of several components in one partition the latest
    std::size_t order = 0;
  };

  void place(JobId leader, PartitionId partition, SlurmTime start) {
    for (Place& known : places_) {
      if (known.leader != leader || known.partition != partition) continue;
      known.start = std::max(known.start, start);
      return;
    }
    places_.push_back({leader, partition, start, places_.size()});
  }
  [[nodiscard]] std::optional<Place> find_place(JobId leader, PartitionId partition) const {
    const auto at = std::find_if(places_.begin(), places_.end(), [&](const Place& each) {
      return each.leader == leader && each.partition == partition;
    });
    return at == places_.end() ? std::nullopt : std::optional(*at);
  }
  [[nodiscard]] std::vector<HetGroup>::const_iterator find(JobId leader) const {
    return std::find_if(groups_.begin(), groups_.end(),
                        [leader](const HetGroup& each) { return each.leader == leader; });
  }

  struct Tried {
    JobId leader{};
    JobIndex job{};
    bool operator==(const Tried&) const = default;
  };

  [[nodiscard]] bool lacks_start(JobId leader, JobIndex job) const {
    return std::find(without_start_.begin(), without_start_.end(), Tried{leader, job}) !=
           without_start_.end();
  }

  std::vector<HetGroup> groups_;  // by first test
  std::vector<Place> places_;     // by first place
  std::optional<JobIndex> in_test_;
  std::vector<Tried> without_start_;  // tried, and no estimate so far
};

}  // namespace rehearse
