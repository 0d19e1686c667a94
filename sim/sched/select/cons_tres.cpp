// sim/sched/select/cons_tres.cpp — SelectType=select/cons_tres, and cons_res and linear as its
// special cases.
//
// cons_res is cons_tres without --gpus and its relatives (refused by the request rules), called
// with growing sets of nodes in weight order. select/linear is cons_tres with whole nodes only.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/select/able_now.hpp"
#include "sim/sched/select/certain_cpus.hpp"
#include "sim/sched/select/marks.hpp"
#include "sim/sched/select/most_leaves.hpp"
#include "sim/sched/select/on_nodes.hpp"
#include "sim/sched/select/placement.hpp"
#include "sim/sched/select/placement_memo.hpp"
#include "sim/sched/select/quick_test.hpp"
#include "sim/sched/select/registry.hpp"

namespace rehearse {
namespace {

class ConsTres final : public SelectPlugin {
  [[nodiscard]] std::optional<std::uint32_t> most_leaves_of(const PlacementQuery& query) const {
    if (!query.request.switches) return std::nullopt;
    return most_leaves(query, prepared_.of(query.job.request, query.partition.id).ruled.request,
                       context_);
  }

  /// select/linear: several jobs on a node, of those of the lowest weight first.
  [[nodiscard]] bool shares_whole_nodes(const PlacementQuery& query) const {
    if (context_.conf.select_type != SelectType::Linear || context_.topology != nullptr)
      return false;
    return ruled_request(query.job, query.partition).request.shares_cores;
  }

  template <typename Use>
  auto with_prepared(const PlacementQuery& query, Use&& use) const {
    const bool preempts = context_.conf.preempt_mode != PreemptMode::Off;
    const bool linear_sets =
        context_.conf.select_type == SelectType::Linear && preempts && context_.topology == nullptr;
    const bool grows = context_.conf.select_type == SelectType::ConsRes || linear_sets ||
                       shares_whole_nodes(query);
    const bool by_weights = grows && !query.all_weights && !query.future;
    if (by_weights) return by_weight(query, use);
    return test(query, use);
  }

  template <typename Use>
  auto test(const PlacementQuery& query, Use& use) const {
    if (&query.request == &context_.requests[query.job.request]) {
      const PreparedRequest& prepared = prepared_.of(query.job.request, query.partition.id);
      using Result = decltype(use(std::declval<Placement&>()));
      NodeSet able = query.candidates;
      // Nobody is ruled out by sums where nothing is remembered: a run that works all out anew
      // tells whether they are right. Tests for GRES mark nodes that cannot serve, too, one with
      // all cores has theirs, and terms of counted features are tested whatever the job as a whole
      // is.
      const EffectiveRequest& request = prepared.ruled.request;
      const bool decides = request.tests_all_cores_first || !prepared.counts.empty() ||
                           leaves_marks(query, request) ||
                           most_leaves(query, request, context_).has_value();
      if (context_.recalls && !query.ignore_use && !query.tested && !decides) {
        if (query.on_copy) {
          drop_unable(able, query.ledger, request, context_.nodes);
        } else {
          able_now_.narrow(able, query.ledger, {query.job.request, query.partition.id}, request,
                           context_.nodes);
        }
      }
      if (able.count() < query.min_nodes) return Result{};
      const PlacementQuery narrowed = on_nodes(query, able);
      Placement placement{context_, offers_, narrowed, prepared};
      return use(placement);
    }
    const PreparedRequest prepared = prepared_.prepare(query.request, query.partition);
    Placement placement{context_, offers_, query, prepared};
    return use(placement);
  }

  /// What the placement finds, from memory where it is known: one of the two, as `asked`.
  [[nodiscard]] PlacementMemo::Answer recalled(Placement& placement,
                                               PlacementMemo::Asked asked) const {
    const auto found = [&] {
      PlacementMemo::Answer answer;
      if (asked == PlacementMemo::Asked::Nodes) {
        answer.nodes = placement.choose();
      } else {
        answer.allocation = placement.place();
        answer.refused_cpus = placement.refused_cpus();
        answer.lacks_cores = placement.lacks_cores();
      }
      return answer;
    };
    const PlacementQuery& query = placement.query();
    const bool is_prepared = &query.request == &context_.requests[query.job.request];
    const bool in_leaves = most_leaves_of(query).has_value();
    if (!is_prepared || !context_.recalls || in_leaves || !PlacementMemo::covers(query)) {
      for_each_bit(query.candidates, [&](std::size_t n) { query.complete(id_at<NodeId>(n)); });
      return found();
    }
    placement.remember_offers(offer_memo_);
    if (!memo_.is_worth_asking(query)) return found();
    const PlacementMemo::Key key =
        PlacementMemo::key_of(query, placement.request(), context_.nodes, asked);
    if (const PlacementMemo::Answer* known = memo_.find(key, query)) {
      if (query.weights != nullptr) query.weights->note_near(known->notes);
      return *known;
    }
    const std::size_t place = query.weights != nullptr ? query.weights->begin_notes() : 0;
    PlacementMemo::Answer answer = found();
    if (query.weights != nullptr) answer.notes = query.weights->end_notes(place);
    memo_.remember(key, answer);
    return answer;
  }

  /// cons_res sees the nodes of the lowest weight first, then more, until it succeeds; sets with
  /// fewer nodes than are wanted are passed over, but for the last; nodes of `-w` are in each
  /// (§5.5).
  template <typename Use>
  auto by_weight(const PlacementQuery& query, Use& use) const {
    const auto& required = query.request.required_nodes;
    const auto weight_of = [&](std::size_t i) -> std::uint64_t {
      const Node& node = context_.nodes[id_at<NodeId>(i)];
      if (std::find(required.begin(), required.end(), node.name) != required.end()) return 0;
      return SchedWeights::fresh(node) + late_weight(node, query.preferred);
    };
    const bool of_idle =
        context_.conf.select_type == SelectType::Linear && !shares_whole_nodes(query);
    std::vector<std::uint64_t> weights;
    for_each_bit(query.candidates, [&](std::size_t i) { weights.push_back(weight_of(i)); });
    std::sort(weights.begin(), weights.end());
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
    decltype(test(query, use)) result{};
    for (const std::uint64_t weight : weights) {
      NodeSet lighter = query.candidates;
      for_each_bit(query.candidates, [&](std::size_t i) {
        if (weight_of(i) > weight) lighter.reset(i);
      });
      const std::size_t usable =
          of_idle ? (lighter & query.ledger.idle()).count() : lighter.count();
      if (weight != weights.back() && usable < query.req_nodes) continue;
      const PlacementQuery some = on_nodes(query, lighter);
      result = test(some, use);
      if (result) return result;
    }
    return result;
  }

 public:
  explicit ConsTres(const SelectContext& context) : context_(context), prepared_(context_) {}

  [[nodiscard]] std::optional<Allocation> place(const PlacementQuery& query) const override {
    auto allocation = with_prepared(query, [&](Placement& placement) {
      PlacementMemo::Answer answer = recalled(placement, PlacementMemo::Asked::Allocation);
      if (query.refused_cpus != nullptr && answer.refused_cpus > 0) {
        *query.refused_cpus = answer.refused_cpus;
      }
      if (query.lacks_cores != nullptr && answer.lacks_cores) *query.lacks_cores = true;
      return std::move(answer.allocation);
    });
    const auto most = most_leaves_of(query);
    if (!allocation || !most) return allocation;
    const NodeSet nodes = nodes_of(*allocation, context_.nodes.size());
    return leaf_switches(nodes) > *most ? std::nullopt : std::move(allocation);
  }

  [[nodiscard]] std::optional<NodeSet> choose(const PlacementQuery& query) const override {
    auto nodes = with_prepared(query, [this](Placement& placement) {
      return recalled(placement, PlacementMemo::Asked::Nodes).nodes;
    });
    const auto most = most_leaves_of(query);
    if (!nodes || !most) return nodes;
    return leaf_switches(*nodes) > *most ? std::nullopt : std::move(nodes);
  }

  [[nodiscard]] std::optional<std::size_t> leaves_needed(
      const Job& job, const Partition& partition, const Ledger& ledger, NodeId node,
      std::span<const LeavingJob> leaving) const override {
    const EffectiveRequest& request = prepared_.of(job.request, partition.id).ruled.request;
    return rehearse::leaves_needed(context_.nodes[node], ledger, request, leaving);
  }

  [[nodiscard]] NodeSet configured_nodes(const Job& job,
                                         const Partition& partition) const override {
    return prepared_.of(job.request, partition.id).configured;
  }

  [[nodiscard]] std::span<const NodeSet> alternatives(const Job& job,
                                                      const Partition& partition) const override {
    return prepared_.of(job.request, partition.id).alternatives;
  }

  [[nodiscard]] std::span<const CountedNodes> counted_terms(
      const Job& job, const Partition& partition) const override {
    return prepared_.of(job.request, partition.id).counts;
  }

  [[nodiscard]] const RuledRequest& ruled_request(const Job& job,
                                                  const Partition& partition) const override {
    return prepared_.of(job.request, partition.id).ruled;
  }

  [[nodiscard]] std::optional<CertainCpus> certain_cpus(const Job& job, const Partition& partition,
                                                        std::uint32_t min_nodes,
                                                        std::uint32_t max_nodes) const override {
    return rehearse::certain_cpus(prepared_.of(job.request, partition.id), context_, partition,
                                  min_nodes, max_nodes);
  }

  [[nodiscard]] std::uint32_t leaf_switches(const NodeSet& nodes) const override {
    return count_leaves(context_.topology, nodes);
  }

  void configuration_changed() override {
    able_now_.forget();
    prepared_.forget();
    memo_.forget();
    offer_memo_.forget();
  }

 private:
  SelectContext context_;
  // Memory and memo only: no answer depends on what was asked before.
  mutable PreparedRequests prepared_;
  mutable AbleNow able_now_;
  mutable Offers offers_;
  mutable PlacementMemo memo_;
  mutable OfferMemo offer_memo_;
};

}  // namespace

std::unique_ptr<SelectPlugin> make_cons_tres(const SelectContext& context) {
  return std::make_unique<ConsTres>(context);
}

}  // namespace rehearse
