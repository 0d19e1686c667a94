// sim/sched/select/placement_memo.cpp — the key: request, node counts, and the contents of nodes.
#include "sim/sched/select/placement_memo.hpp"

#include <bit>
#include <utility>

#include "sim/core/mix.hpp"
#include "sim/sched/select/marks.hpp"

namespace rehearse {
namespace {

/// Two hashes of one sequence, each with constants of its own.
class Lanes {
 public:
  void add(std::uint64_t word) { add(word, word); }
  /// One word of which each lane sees a fingerprint of its own.
  void add(std::uint64_t high, std::uint64_t low) {
    high_ = std::rotl(high_ ^ (high * 0x9e3779b97f4a7c15ULL), 27) * 0xbf58476d1ce4e5b9ULL;
    low_ = std::rotl(low_ ^ (low * 0xc2b2ae3d27d4eb4fULL), 31) * 0x94d049bb133111ebULL;
  }
  [[nodiscard]] PlacementMemo::Key key() const { return {mixed(high_), mixed(low_)}; }

 private:
  std::uint64_t high_ = 0x243f6a8885a308d3ULL;
  std::uint64_t low_ = 0x452821e638d01377ULL;
};

std::uint64_t pair_of(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32U | low;
}

/// What jobs hold of the node, and how it is weighed.
void add_node(const PlacementQuery& query, const EffectiveRequest& request, const Node& node,
              Lanes& lanes) {
  const Ledger& ledger = query.ledger;
  const NodeContent& content = ledger.content(node.id);
  std::uint64_t weight = query.weights != nullptr ? query.weights->of(node.id) : 0;
  if (!request.gres.empty()) weight >>= 8U;  // the lower part is its own
  const bool is_idle = query.without_jobs != nullptr && query.without_jobs->test(index_of(node.id));
  const std::uint64_t rest =
      weight << 2U | (is_idle ? 2U : 0U) | (node.state.powered_down ? 1U : 0U);
  // Contents are of random bits: one step takes both.
  lanes.add(content.high + rest * 0x9e3779b97f4a7c15ULL,
            content.low + rest * 0xd6e8feb86659fd93ULL);
  if (request.max_cpus_per_node != UINT32_MAX) {
    query.complete(node.id);
    lanes.add(ledger.partition_cores(node.id, query.partition.id));
  }
}

/// Cores that spoil their socket for the job, of one that borrows the others (scheduling.md §6.7).
void add_own_cores(const PlacementQuery& query, const Node& node, Lanes& lanes) {
  query.complete(node.id);
  const CoreSet& own = query.ledger.lent_sockets().held(node.id, query.partition.id);
  for (std::size_t w = 0; w < CoreSet::kWords; ++w) lanes.add(own.word(w));
}

/// Bits that outlive the jobs that set them (gres.md §4.5).
void add_marks(const PlacementQuery& query, const Node& node, Lanes& lanes) {
  for (std::size_t gres = 0; gres < node.gres.size(); ++gres) {
    if (!node.gres[gres].shares) continue;
    query.complete(node.id);
    std::uint64_t word = 1;
    for (const std::uint8_t mark : query.ledger.marks(node.id, gres)) {
      word = word << 1U | mark;
      if (word >> 63U == 0) continue;
      lanes.add(word);
      word = 1;
    }
    lanes.add(word);
  }
}

}  // namespace

bool PlacementMemo::covers(const PlacementQuery& query) {
  return !query.ignore_use && query.preferred == nullptr && !query.ledger.shares_cores() &&
         (query.reserved_cores == nullptr || query.reserved_cores->empty());
}

PlacementMemo::Key PlacementMemo::key_of(const PlacementQuery& query,
                                         const EffectiveRequest& request,
                                         const IdVector<NodeId, Node>& nodes, Asked asked) {
  Lanes lanes;
  // Marks are noted once somebody goes by them.
  const bool marks = leaves_marks(query, request);
  const bool borrows = query.ledger.lends_sockets_to(query.partition.id);
  lanes.add(pair_of(static_cast<std::uint32_t>(index_of(query.job.request)),
                    static_cast<std::uint32_t>(index_of(query.partition.id))));
  lanes.add(pair_of(query.min_nodes, query.max_nodes));
  lanes.add(pair_of(query.req_nodes,
                    (query.future ? 1U : 0U) | (query.on_copy ? 2U : 0U) |
                        (query.all_weights ? 4U : 0U) | (query.weights != nullptr ? 8U : 0U) |
                        (query.without_jobs != nullptr ? 16U : 0U) | (query.first ? 32U : 0U) |
                        (asked == Asked::Nodes ? 64U : 0U) | (marks ? 128U : 0U) |
                        (borrows ? 256U : 0U)));
  for (std::size_t w = 0; w < query.candidates.word_count(); ++w) {
    lanes.add(query.candidates.word(w));
  }
  for_each_bit(query.candidates, [&](std::size_t i) {
    const Node& node = nodes[id_at<NodeId>(i)];
    add_node(query, request, node, lanes);
    add_marks(query, node, lanes);
    if (borrows) add_own_cores(query, node, lanes);
  });
  return lanes.key();
}

/// Of the present, over many nodes.
bool PlacementMemo::is_large(const PlacementQuery& query) {
  constexpr std::size_t kMany = 256;
  return !query.on_copy && !query.future && query.candidates.count() >= kMany;
}

bool PlacementMemo::is_worth_asking(const PlacementQuery& query) {
  // One in so many is to be known; else one in so many is asked.
  constexpr std::uint32_t kSeldom = 16;
  if (!is_large(query)) return true;
  return found_ * kSeldom >= asked_ || ++large_ % kSeldom == 0;
}

const PlacementMemo::Answer* PlacementMemo::find(const Key& key, const PlacementQuery& query) {
  const Slot& slot = slots_[slot_of(key)];
  const Answer* answer = slot.answer && slot.key == key ? &*slot.answer : nullptr;
  if (is_large(query)) {
    constexpr std::uint32_t kOfLate = 1024;
    if (++asked_ == kOfLate) {
      asked_ /= 2;
      found_ /= 2;
    }
    if (answer != nullptr) ++found_;
  }
  return answer;
}

void PlacementMemo::remember(const Key& key, Answer answer) {
  slots_[slot_of(key)] = {key, std::move(answer)};
}

void PlacementMemo::forget() {
  for (Slot& slot : slots_) slot.answer.reset();
}

}  // namespace rehearse
