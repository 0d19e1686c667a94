// sim/sched/select/sched_weights.hpp — the weights that each selection attaches to nodes, and that
// estimates before 23.11 find there (scheduling.md §5.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cluster/node.hpp"
#include "sim/cluster/request.hpp"
#include "sim/sched/select/near_notes.hpp"

namespace rehearse {

/// After start-up 0 for every node, so that one no selection has considered sorts first.
class SchedWeights {
 public:
  /// `requests`: all that there are, which may become more.
  SchedWeights(const IdVector<NodeId, Node>& nodes, const RequestTable& requests);

  /// False if no request wants GRES, or all do: each of those brings its own lower part.
  [[nodiscard]] bool are_marks_read() const { return requests_.some_want_gres(); }
  /// True if a test of a request that wants GRES, or of one that does not, leaves marks that others
  /// go by.
  [[nodiscard]] bool is_marked_by(bool wants_gres) const { return wants_gres && are_marks_read(); }
  [[nodiscard]] bool all_want_gres() const { return requests_.all_want_gres(); }

  /// What a selection gives a node before it looks at GPUs.
  [[nodiscard]] static std::uint64_t fresh(const Node& node) {
    return std::uint64_t{node.weight} << 8U | 0xffU;
  }

  /// Of a node outside of the job's FLEX reservation.
  static constexpr std::uint64_t kOutsideFlex = 0x10000000000;
  /// Of a node that has to be powered up: it is taken last (scheduling.md §6.5).
  static constexpr std::uint64_t kPowersUp = 0x20000000000;

  /// slurmctld starts again.
  void forget();
  /// To be called after an admin changed weights of nodes.
  void configuration_changed();
  /// A selection considers these nodes. `preferred`: null, or those of a FLEX reservation: all
  /// others come behind.
  void consider(const NodeSet& nodes, const NodeSet* preferred = nullptr);
  [[nodiscard]] std::uint64_t of(NodeId node) const {
    return upper_[node] | lower_[index_of(node)];
  }
  /// The same after note_near() of the node.
  [[nodiscard]] std::uint64_t with_near(NodeId node, std::uint32_t near) const {
    return upper_[node] | (0xffU - near);
  }
  /// A request for GRES may take so many near GPUs of these nodes.
  void note_near(const NearNotes& notes);

  /// What note_near() left on these nodes for requests without GRES: equal if each of them has the
  /// same, 0 if none has anything.
  [[nodiscard]] std::uint64_t marks_on(const NodeSet& nodes) const;
  /// All that an answer for the request on these nodes may go by: of those for GRES the upper
  /// parts.
  [[nodiscard]] std::uint64_t seen_by(const Request& request, const NodeSet& nodes) const;

  /// From now on what changes lower parts is taken down, for an answer that is given again from
  /// memory, and tells it again. Returns its place, for the end; one may stand in another.
  [[nodiscard]] std::size_t begin_notes() {
    ++takers_;
    return notes_.cut();
  }
  /// Those since the begin with this place.
  [[nodiscard]] NearNotes end_notes(std::size_t place);
  /// The end, where nobody asks for them.
  void drop_notes() {
    if (--takers_ == 0) notes_.clear();
  }
  /// As end_notes(), and the end is still to come: what of them holds.
  [[nodiscard]] NearNotes notes_since(std::size_t place) const {
    return notes_.settled(lower_.size(), place);
  }

  /// Changes with any weight; and with their upper part, which note_near() does not touch.
  [[nodiscard]] std::uint64_t stamp() const { return stamp_; }
  [[nodiscard]] std::uint64_t upper_stamp() const { return upper_stamp_; }

 private:
  void set(NodeId node, std::uint64_t weight);
  void set_near(const NearNotes::Run& run);
  void put_behind(const NodeSet& nodes);

  const IdVector<NodeId, Node>& nodes_;
  const RequestTable& requests_;
  IdVector<NodeId, std::uint64_t> upper_;  ///< the lower eight bits are 0
  std::vector<std::uint8_t> lower_;        ///< by node: the others
  NodeSet known_;                          ///< nodes whose upper part is that of fresh()
  NodeSet fresh_;                          ///< of these: those whose lower part is, too
  NearNotes notes_;
  std::size_t takers_ = 0;  ///< begins without an end
  std::uint64_t stamp_ = 0, upper_stamp_ = 0;
};

/// Takes notes as long as it lives.
class NoteTaker {
 public:
  /// `weights`: null: there is nothing to note.
  explicit NoteTaker(SchedWeights* weights)
      : weights_(weights), place_(weights != nullptr ? weights->begin_notes() : 0) {}
  NoteTaker(const NoteTaker&) = delete;
  NoteTaker& operator=(const NoteTaker&) = delete;
  ~NoteTaker() {
    if (weights_ != nullptr) weights_->drop_notes();
  }

  /// So far.
  [[nodiscard]] NearNotes taken() const {
    return weights_ != nullptr ? weights_->notes_since(place_) : NearNotes{};
  }

 private:
  SchedWeights* weights_;
  std::size_t place_;
};

}  // namespace rehearse
