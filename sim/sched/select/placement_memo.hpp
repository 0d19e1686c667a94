// sim/sched/select/placement_memo.hpp — placements that were found before, by what they depend on.
//
// Backfill asks the same question again and again: each cycle, and for each job of one shape, of a
// few nodes that look as they did. A placement depends on the request and on what is held on the
// nodes that could serve it, whatever ledger says so and whatever the time: so answers outlive
// cycles. Nothing is looked up that more than this shapes: cores kept by reservations, shared
// cores, the "ever run" test.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/allocation.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/select/effective_request.hpp"
#include "sim/sched/select/near_notes.hpp"

namespace rehearse {

class PlacementMemo {
 public:
  /// 128 bits over all that the answer depends on. That two questions of a run share them without
  /// being one is less likely than a broken memory.
  struct Key {
    std::uint64_t high = 0, low = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Answer {
    std::optional<Allocation> allocation;  ///< of place(): none: does not fit
    std::optional<NodeSet> nodes;          ///< of choose(): the same
    NearNotes notes;                       ///< what the search left behind
    std::uint32_t refused_cpus = 0;        ///< of nodes chosen that are short of memory
    bool lacks_cores = false;              ///< of nodes chosen: for the tasks dealt to them
  };
  enum class Asked : std::uint8_t { Allocation, Nodes };

  PlacementMemo() : slots_(kSlots) {}

  /// True if the query's answer depends on nothing but what its key is made of.
  [[nodiscard]] static bool covers(const PlacementQuery& query);
  /// `request`: the query's, as its partition rules it.
  [[nodiscard]] static Key key_of(const PlacementQuery& query, const EffectiveRequest& request,
                                  const IdVector<NodeId, Node>& nodes, Asked asked);

  /// A start changes what the next question is about, and hundreds of nodes hardly ever look as
  /// they did before: where such questions are in vain, only some are asked.
  [[nodiscard]] bool is_worth_asking(const PlacementQuery& query);
  /// Null: not known, or forgotten to make room.
  [[nodiscard]] const Answer* find(const Key& key, const PlacementQuery& query);
  void remember(const Key& key, Answer answer);
  /// To be called after nodes or partitions were changed.
  void forget();

 private:
  static constexpr std::size_t kSlots = 8192;  // one answer each: the last with these low bits
  struct Slot {
    Key key;
    std::optional<Answer> answer;
  };
  [[nodiscard]] static std::size_t slot_of(const Key& key) { return key.low % kSlots; }
  [[nodiscard]] static bool is_large(const PlacementQuery& query);

  std::vector<Slot> slots_;
  std::uint32_t large_ = 0, asked_ = 0, found_ = 0;  ///< large questions; of late, those asked
};

}  // namespace rehearse
