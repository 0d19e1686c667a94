// tests/property/sched_weights_test.cpp — weights left behind, against one number a node.
#include "sim/sched/select/sched_weights.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace rehearse::test {
namespace {

constexpr std::size_t kNodes = 70;  // more than a word

/// The rule in words (scheduling.md §5.5), node by node.
class Table {
 public:
  explicit Table(const IdVector<NodeId, Node>& nodes) : nodes_(nodes), left_(kNodes, 0) {}
  void consider(const NodeSet& considered) {
    for (std::size_t i = 0; i < kNodes; ++i) {
      if (considered.test(i))
        left_[i] = std::uint64_t{nodes_[id_at<NodeId>(i)].weight} << 8U | 255U;
    }
  }
  void note(std::size_t i, std::uint32_t near) { left_[i] = left_[i] / 256 * 256 + 255 - near; }
  void forget() { left_.assign(kNodes, 0); }
  [[nodiscard]] const std::vector<std::uint64_t>& left() const { return left_; }
  [[nodiscard]] std::vector<std::uint64_t> upper() const {
    std::vector<std::uint64_t> parts;
    for (const std::uint64_t weight : left_) parts.push_back(weight / 256);
    return parts;
  }

 private:
  const IdVector<NodeId, Node>& nodes_;
  std::vector<std::uint64_t> left_;
};

RC_GTEST_PROP(SchedWeights, AreThoseOfOneNumberANode, ()) {
  IdVector<NodeId, Node> nodes;
  for (std::size_t i = 0; i < kNodes; ++i) {
    Node& node = nodes[nodes.push_back({})];
    node.id = id_at<NodeId>(i);
    node.weight = *rc::gen::inRange(0U, 3U);
  }
  const RequestTable requests;
  SchedWeights weights(nodes, requests);
  Table table(nodes);
  NearNotes taken;  // of the last round of notes, and the same one by one
  std::vector<std::pair<std::size_t, std::uint32_t>> told;
  const int steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    const auto before = table.left();
    const auto upper_before = table.upper();
    bool in_one = true;  // several may undo each other
    const std::uint64_t stamp = weights.stamp(), upper_stamp = weights.upper_stamp();
    switch (*rc::gen::inRange(0, 10)) {
      case 0:
        weights.forget();
        table.forget();
        break;
      case 1: {
        const auto node = *rc::gen::inRange<std::size_t>(0, kNodes);
        nodes[id_at<NodeId>(node)].weight = *rc::gen::inRange(0U, 3U);
        weights.configuration_changed();
        break;
      }
      case 2:
      case 3:
      case 4: {
        NodeSet considered(kNodes, *rc::gen::arbitrary<std::uint64_t>());
        for (std::size_t i = 64; i < kNodes; ++i) considered.set(i, *rc::gen::arbitrary<bool>());
        weights.consider(considered);
        table.consider(considered);
        break;
      }
      case 5:
        in_one = told.size() <= 1;
        weights.note_near(taken);
        for (const auto& [node, near] : told) table.note(node, near);
        break;
      default: {
        const bool is_within = *rc::gen::arbitrary<bool>();  // another round
        const std::size_t outer = is_within ? weights.begin_notes() : 0;
        const std::size_t place = weights.begin_notes();
        told.clear();
        NearNotes round;
        const int count = *rc::gen::inRange(1, 8);
        in_one = count == 1;
        for (int i = 0; i < count; ++i) {
          // Neighbours with one number are one run.
          const bool is_next =
              i > 0 && told.back().first + 1 < kNodes && *rc::gen::arbitrary<bool>();
          const auto node =
              is_next ? told.back().first + 1 : *rc::gen::inRange<std::size_t>(0, kNodes);
          const auto near = is_next ? told.back().second : *rc::gen::element(0U, 1U, 4U, 255U);
          round.add(id_at<NodeId>(node), near);
          table.note(node, near);
          told.emplace_back(node, near);
        }
        weights.note_near(round);
        taken = weights.end_notes(place);
        if (is_within) taken = weights.end_notes(outer);
      }
    }
    for (std::size_t i = 0; i < kNodes; ++i) {
      RC_ASSERT(weights.of(id_at<NodeId>(i)) == table.left()[i]);
    }
    // Only what changed is told, and all of it: who asks again need not, who does not could err.
    RC_ASSERT(weights.stamp() != stamp || table.left() == before);
    RC_ASSERT(!in_one || (weights.stamp() != stamp) == (table.left() != before));
    RC_ASSERT((weights.upper_stamp() != upper_stamp) == (table.upper() != upper_before));
  }
}

}  // namespace
}  // namespace rehearse::test
