// sim/sched/last_cycle.hpp — what the last backfill cycle found, for the next one to find again.
//
// Most cycles see the cluster as the one before: nothing started, ended or came back. A search then
// leads where it led as long as the map holds the same plans before it and time has passed no edge
// of a slot that its first step looked at; so it is remembered with what it depended on, and done
// again only where one of these is different. The map itself is always built anew.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/sched/forecast.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/select/near_notes.hpp"

namespace rehearse {

/// What a search depends on, beside the map and the states ahead.
struct SearchInputs {
  JobIndex job{};
  PartitionId partition{};
  RequestId request{};
  Minutes limit{0};
  NodeCounts counts;
  bool any_switches = false;
  NodeSet nodes;            ///< up, configured for the job, nobody else's
  std::uint64_t marks = 0;  ///< Estimator::marks() of them
  friend bool operator==(const SearchInputs&, const SearchInputs&) = default;
};

enum class SearchEnd : std::uint8_t { Nothing, BeyondWindow, Planned, OverLimit };

struct FoundSearch {
  SearchInputs inputs;
  SearchEnd end = SearchEnd::Nothing;
  bool is_counted = false;                  ///< among the tries
  bool was_told = false;                    ///< knew its CPUs: none was asked for them
  std::optional<std::uint32_t> total_cpus;  ///< that it gave the job
  SlurmTime start;                          ///< but for Nothing
  /// Of a plan; or what a job would start on that a limit stops: others are held against theirs.
  const Forecast* forecast = nullptr;
  SlurmTime good_before = SlurmTime::max();
  std::size_t plans_before = 0;  ///< on the map in its cycle
  NearNotes left;                ///< what its tests left to others

  /// Among the tries from now on; 1 if it was not before.
  std::uint32_t count() { return std::exchange(is_counted, true) ? 0 : 1; }
};

class LastCycle {
 public:
  /// A cycle begins. `state`: of the estimator; `usable`: what the map begins with, until `end`.
  /// `comparable`: its searches depend on nothing that is not in SearchInputs.
  void begin(bool comparable, std::uint64_t state, const NodeSet& usable, SlurmTime end);
  /// A job was started, or others may have come in between: searches from now on are of a cycle of
  /// their own.
  void spoil();

  /// The search of the last cycle with these inputs, on a map with the same plans; null: none that
  /// is still good. `latest_plan`: later starts are not planned.
  [[nodiscard]] const FoundSearch* find(const SearchInputs& inputs, SlurmTime now,
                                        SlurmTime latest_plan);
  [[nodiscard]] bool keeps() const { return keeps_; }
  /// `found.plans_before` is filled in here.
  void keep(FoundSearch found);
  /// The map takes nodes out of [begin, end).
  void planned(SlurmTime begin, SlurmTime end, const NodeSet& nodes);

 private:
  struct Planned {
    SlurmTime begin, end;
    NodeSet nodes;
    bool begins_inside = true, ends_inside = true;  ///< of the map
    friend bool operator==(const Planned&, const Planned&) = default;
  };
  struct Cycle {
    std::uint64_t state = 0;
    NodeSet usable;
    SlurmTime end;
    std::vector<FoundSearch> found;  ///< as they were made
    std::vector<Planned> plans;
  };

  bool keeps_ = false;   ///< the present cycle is of use to the next
  bool agrees_ = false;  ///< its plans so far are those of the last
  std::size_t plans_ = 0;
  std::size_t next_ = 0;  ///< of the last cycle's searches
  Cycle last_, present_;
  std::vector<std::uint32_t> first_of_;  ///< by job: its first search of the last cycle
};

}  // namespace rehearse
