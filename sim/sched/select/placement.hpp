// sim/sched/select/placement.hpp — one placement test from candidates to an allocation
// (scheduling.md §6.3).
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cluster/topology.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/select/choose.hpp"
#include "sim/sched/select/core_view.hpp"
#include "sim/sched/select/offer.hpp"
#include "sim/sched/select/offer_memo.hpp"
#include "sim/sched/select/prepared_request.hpp"

namespace rehearse {

/// The parts of the plugin that tests of one query share; memory for offers is reused.
class Placement {
 public:
  Placement(const SelectContext& context, Offers& offers, const PlacementQuery& query,
            const PreparedRequest& prepared);

  [[nodiscard]] std::optional<Allocation> place();
  /// The nodes of it; the layout is made only where nothing else tells that there is one.
  [[nodiscard]] std::optional<NodeSet> choose();

  /// What nodes offer may be found there, as the query is covered by PlacementMemo.
  void remember_offers(OfferMemo& memo) { memo_ = &memo; }

  [[nodiscard]] const PlacementQuery& query() const { return query_; }
  [[nodiscard]] const EffectiveRequest& request() const { return *request_; }
  /// As PlacementQuery has it; 0: no node was short of memory, and no term of the features found
  /// any.
  [[nodiscard]] std::uint32_t refused_cpus() const { return refused_cpus_; }
  [[nodiscard]] bool lacks_cores() const { return lacks_cores_; }

 private:
  [[nodiscard]] bool try_alternatives();
  [[nodiscard]] bool try_counted(const NodeSet& nodes);
  [[nodiscard]] bool try_nodes(const NodeSet& nodes);
  [[nodiscard]] bool leaves_marks() const;
  [[nodiscard]] std::optional<std::uint32_t> near_of_all_cores(const Scene& test, const Node& node);
  void mark_held(const Scene& test, const Node& node);
  void mark_held_as_last(const Scene& test, const Node& node);
  [[nodiscard]] CoreSet free_cores(const CoreView& view, const Node& node) const;
  [[nodiscard]] bool try_shared(const NodeSet& nodes);
  [[nodiscard]] std::size_t open_rows(const CoreRows& rows) const;
  [[nodiscard]] bool recalls(const CoreView& view) const;
  /// What all nodes of a step have in common.
  struct Step {
    const Scene& test;
    const CoreView& view;
    bool recalls = false;  ///< what nodes offer is remembered
    bool marks = false;    ///< it marks nodes that it is not offered
  };
  [[nodiscard]] bool offer(const Step& step, const Node& node);
  [[nodiscard]] bool offer_as_last(const Step& step, const Node& node);
  [[nodiscard]] bool are_let_in(const Scene& test, const NodeSet& nodes) const;
  [[nodiscard]] bool try_step(const NodeSet& nodes, const CoreView& view);
  [[nodiscard]] bool could_fit(const NodeSet& nodes, const CoreView& view);
  [[nodiscard]] NodeSet taken_nodes() const;
  [[nodiscard]] std::uint32_t cpus_of_taken();
  [[nodiscard]] bool could_be_in_leaves(const NodeSet& nodes, const CoreView& all);
  [[nodiscard]] Scene scene() const;
  [[nodiscard]] bool has_layout(const Scene& scene);
  [[nodiscard]] bool lay_out(const Scene& scene);
  [[nodiscard]] bool is_kept_alone(const Node& node) const;
  [[nodiscard]] bool holds_devices(const Node& node) const;
  [[nodiscard]] bool may_share_node(const Node& node, const CoreView& view) const;
  void settle_counts();
  /// pack_serial_at_end, of which select/linear knows nothing (scheduling.md §6).
  [[nodiscard]] bool packs_at_end() const {
    return context_.conf.scheduler_parameters.pack_serial_at_end &&
           context_.conf.select_type != SelectType::Linear;
  }
  [[nodiscard]] bool is_cons_res() const {
    return context_.conf.select_type == SelectType::ConsRes;
  }
  [[nodiscard]] std::vector<PartitionId> out_of_reach() const;
  [[nodiscard]] std::uint64_t memory_of(const Node& node, const NodeShare& share) const;

  const SelectContext& context_;
  Offers& offers_;
  OfferMemo* memo_ = nullptr;
  const PlacementQuery& query_;
  const PreparedRequest& prepared_;
  const EffectiveRequest* request_;  // of the prepared one, or of a counted term
  Wish wish_;
  bool gang_ = false;
  /// Of a step: what is asked of the nodes that it chooses.
  enum class Layout : std::uint8_t {
    Made,
    Exists,  ///< and need not be made
    Unasked,
  };
  Layout layout_ = Layout::Made;
  const CoreView* view_ = nullptr;  ///< of the step
  std::vector<TakenNode> taken_;
  Allocation allocation_;
  std::uint32_t refused_cpus_ = 0;
  bool lacks_cores_ = false;
};

}  // namespace rehearse
