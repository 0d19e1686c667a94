// sim/sched/select/offer_memo.hpp — what nodes offered before, for as long as they look the same.
//
// From one placement to the next a job or two came or went: all other nodes offer what they did,
// and nodes made alike offer the same as long as the same is held of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/cluster/node_classes.hpp"
#include "sim/cluster/request.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {

class OfferMemo {
 public:
  /// For one request, to be offered nodes of one ledger for one choice.
  void begin() {
    last_ = nullptr;
    ++choice_;
  }
  /// True if what the node offers is known: offer_as_last() adds it. Else learn() comes first. Of a
  /// request that Slurm's rules were applied to for the scene's partition; `number`: the request's;
  /// `all_cores`: of those that jobs hold, too.
  [[nodiscard]] bool knows(const Scene& scene, RequestId number, const Node& node, bool all_cores);
  /// What offer_node() finds for the last node asked about, of these cores; none of them: nothing.
  void learn(const Scene& scene, const Node& node, const CoreSet& cores);
  /// True if the node is made as the last one is, and the same is held of it.
  [[nodiscard]] bool is_as_last(const Ledger& ledger, NodeId node) const {
    return last_ != nullptr && last_->key->content == ledger.content(node) &&
           last_->key->node_class == classes_[node];
  }
  /// It offers the same.
  [[nodiscard]] bool offer_as_last(const Scene& scene, const Node& node, Offers& offers) {
    if (!last_->offers) return false;
    if (last_->choice != choice_) lay_down_last(offers);
    offers.add_node(node.id, last_->place);
    weigh_last(scene, node, last_->near, offers);
    return true;
  }
  /// What the step of all cores finds of a node that offers nothing, as a test for GRES marks it
  /// (scheduling.md §5.5); for who asks to fill in.
  struct OfAllCores {
    bool is_known = false;
    std::optional<std::uint32_t> near;  ///< GPUs; none: it finds nothing either
  };
  /// Of the last node asked about.
  [[nodiscard]] OfAllCores& of_all_cores() { return last_->of_all_cores; }
  /// True if what the node offers depends on its content, and on nothing that others hold or held.
  [[nodiscard]] bool covers(const Scene& scene, const Node& node);
  /// To be called after nodes or partitions were changed.
  void forget() {
    slots_.clear();
    last_ = nullptr;
    classes_ = {};
    keeps_marks_.clear();
  }

 private:
  struct Key {
    NodeContent content;
    RequestId request{};
    PartitionId partition{};
    std::uint32_t node_class = 0;
    std::uint32_t max_nodes = 0;
    bool first = false;
    bool all_cores = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Slot {
    std::optional<Key> key;
    bool offers = false;
    std::uint32_t near = 0;
    OfAllCores of_all_cores;
    std::uint64_t choice = 0;        ///< for which it was last offered
    std::uint32_t place = 0;         ///< among the offers of that one
    Offers of_node;                  ///< of one such node alone
    std::unique_ptr<CoreFits> fits;  ///< for it, once there was one with GRES
  };
  [[nodiscard]] Slot& slot_of(const Key& key, std::size_t nodes);

  void lay_down_last(Offers& offers);
  void sort_nodes(const IdVector<NodeId, Node>& nodes);

  IdVector<NodeId, std::uint32_t> classes_;  ///< nodes made alike; empty: not yet known
  std::vector<std::uint8_t> keeps_marks_;    ///< by class: 1 if it has shared GPUs
  std::vector<Slot> slots_;                  // one answer each: the last with these bits
  Slot* last_ = nullptr;                     ///< of the last question of this choice
  std::uint64_t choice_ = 0;                 ///< counts them
  std::uint64_t learned_ = 0;                ///< offers so far
};

}  // namespace rehearse
