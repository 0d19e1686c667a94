// sim/sched/ends_needed.hpp — how many running jobs must end before each node can serve one
// request.
//
// Every search goes along the nodes in the order of these ends, most of them the same way: on large
// clusters the nodes passed are kept at some places on it, and a walk begins at the next of them.
// From one state of the cluster to the next a few nodes change their places, and the others stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Of each node, how many jobs have to leave before it may serve. A node that may serve need not.
class EndsNeeded {
 public:
  /// A node that may serve once this job has left, and with it all that end before.
  struct Wait {
    SlurmTime end;           ///< of the job
    std::uint32_t slot = 0;  ///< its number among those that run
    std::uint32_t node = 0;
  };

  /// None of so many nodes may ever serve.
  void clear(std::size_t nodes);
  void set_at_once(std::size_t node, bool may_serve);
  /// `moved`: nodes that may wait for another job than before, or for none; `waits`: those of them
  /// that wait, in the order of nodes. `places`: by slot, how many jobs end before it; of all other
  /// nodes the jobs end in the same order as before. It must outlive this, and stands for its
  /// contents at any time.
  void update(const NodeSet& moved, std::span<Wait> waits,
              const std::vector<std::uint32_t>& places);

  [[nodiscard]] const NodeSet& at_once() const { return at_once_; }
  /// How many nodes may serve later; each of them by its place in the order of ends.
  [[nodiscard]] std::size_t later_count() const { return later_.size(); }
  [[nodiscard]] std::size_t later_ends(std::size_t i) const { return ends_of(later_[i]); }
  [[nodiscard]] std::size_t later_node(std::size_t i) const { return later_[i].node; }
  /// Of the job that this one waits for.
  [[nodiscard]] SlurmTime later_end(std::size_t i) const { return later_[i].end; }

  /// How many of the later ones may serve once the first `gone` jobs have left.
  [[nodiscard]] std::size_t later_after(std::size_t gone) const;
  /// … once all jobs that end by then have left.
  [[nodiscard]] std::size_t later_by(SlurmTime at) const;
  /// Adds to `able`, which has at_once() and the first `from` of the later ones, those up to place
  /// `to`; from ≤ to ≤ later_count().
  void go_on(NodeSet& able, std::size_t from, std::size_t to) const;
  /// The candidates that may serve once the first `gone` jobs have left.
  [[nodiscard]] NodeSet able_after(std::size_t gone, const NodeSet& candidates) const;
  /// How many jobs must leave before `least` of the candidates may serve; none: they never will.
  [[nodiscard]] std::optional<std::size_t> until(std::size_t least,
                                                 const NodeSet& candidates) const;

 private:
  /// Of places, between two that are kept: a set of a small cluster is soon copied.
  static constexpr std::size_t kShortStride = 64, kLongStride = 256, kSmall = 1024;

  /// Jobs that have left when the one it waits for has.
  [[nodiscard]] std::size_t ends_of(const Wait& wait) const {
    return std::size_t{(*places_)[wait.slot]} + 1;
  }
  /// at_once() and the first `number` strides of the later ones.
  [[nodiscard]] const NodeSet& milestone(std::size_t number) const;

  std::size_t stride_ = kShortStride;
  NodeSet at_once_;
  const std::vector<std::uint32_t>* places_ = nullptr;
  std::vector<Wait> later_;  ///< by ends, then nodes; those that never may are not among them
  // Made when they are asked for: no answer depends on it.
  mutable std::vector<NodeSet> milestones_;  ///< of 1, 2, … strides
  mutable std::size_t passed_ = 0;           ///< how many of them are made
};

}  // namespace rehearse
