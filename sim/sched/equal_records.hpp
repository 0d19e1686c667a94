// sim/sched/equal_records.hpp — what a backfill cycle found for a record, for equal ones behind it.
//
// Users submit many jobs of one kind. Behind the last plan of a cycle the map stays as it is, and
// each of them is led where the first was.
#pragma once

#include <compare>
#include <map>

#include "sim/sched/last_cycle.hpp"

namespace rehearse {

class EqualRecords {
 public:
  /// The map, the running jobs or the instant are no longer the same.
  void forget() { found_.clear(); }

  /// The search since then with these inputs, of whatever job; null: none. Good until forget().
  [[nodiscard]] const FoundSearch* find(const SearchInputs& inputs) const {
    const auto found = found_.find(key_of(inputs));
    const bool is_equal = found != found_.end() && found->second.inputs.nodes == inputs.nodes &&
                          found->second.inputs.marks == inputs.marks;
    return is_equal ? &found->second : nullptr;
  }
  void keep(const FoundSearch& found) { found_.insert_or_assign(key_of(found.inputs), found); }

 private:
  struct Key {
    PartitionId partition{};
    RequestId request{};
    Minutes limit{0};
    std::uint32_t min = 0, max = 0, req = 0;
    bool any_switches = false;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  static Key key_of(const SearchInputs& inputs) {
    const NodeCounts& counts = inputs.counts;
    return {inputs.partition, inputs.request, inputs.limit,       counts.min,
            counts.max,       counts.req,     inputs.any_switches};
  }

  std::map<Key, FoundSearch> found_;
};

}  // namespace rehearse
