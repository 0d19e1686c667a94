// tests/property/plan_test.cpp — backfill's map against a table of one row a second.
#include "sim/sched/plan_walk.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace rehearse::test {
namespace {

constexpr std::size_t kNodes = 5;
constexpr int kEnd = 60;

struct Reservation {
  int begin, length;
  unsigned nodes;
};

NodeSet set_of(unsigned bits) {
  return NodeSet(kNodes, bits);
}

rc::Gen<std::vector<Reservation>> reservations() {
  return rc::gen::container<std::vector<Reservation>>(rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, kEnd), rc::gen::inRange(0, 30), rc::gen::inRange(0U, 32U)),
      [](const std::tuple<int, int, unsigned>& t) {
        return Reservation{std::get<0>(t), std::get<1>(t), std::get<2>(t)};
      }));
}

/// Usable nodes by second; a plan is at least one second long, the resolution here.
std::vector<NodeSet> table_of(const std::vector<Reservation>& all) {
  std::vector<NodeSet> table(kEnd, set_of(31));
  for (const Reservation& r : all) {
    for (int s = r.begin; s < std::max(r.begin + r.length, r.begin + 1) && s < kEnd; ++s) {
      table[static_cast<std::size_t>(s)] -= set_of(r.nodes);
    }
  }
  return table;
}

Plan plan_of(const std::vector<Reservation>& all) {
  Plan plan;
  plan.reset(from_epoch_seconds(0), from_epoch_seconds(kEnd), set_of(31));
  for (const Reservation& r : all) {
    plan.reserve(from_epoch_seconds(r.begin), from_epoch_seconds(r.begin + r.length), Seconds{1},
                 set_of(r.nodes));
  }
  return plan;
}

RC_GTEST_PROP(Plan, FindsTheConflictsThatATableBySecondFinds, ()) {
  const auto all = *reservations();
  const int begin = *rc::gen::inRange(0, kEnd), length = *rc::gen::inRange(1, 30);
  const unsigned nodes = *rc::gen::inRange(0U, 32U);
  const auto table = table_of(all);
  bool expected = false;
  for (int s = begin; s < std::min(begin + length, kEnd); ++s) {
    expected |= !set_of(nodes).is_subset_of(table[static_cast<std::size_t>(s)]);
  }
  RC_ASSERT(plan_of(all).conflicts(from_epoch_seconds(begin), from_epoch_seconds(begin + length),
                                   set_of(nodes)) == expected);
}

RC_GTEST_PROP(Plan, NarrowsByEverySecondThatTheJobTouchesItsEndIncluded, ()) {
  const auto all = *reservations();
  const int begin = *rc::gen::inRange(0, kEnd), length = *rc::gen::inRange(0, 30);
  const auto table = table_of(all);
  NodeSet expected = set_of(31);
  for (int s = begin; s <= std::min(begin + length, kEnd - 1); ++s) {
    expected &= table[static_cast<std::size_t>(s)];
  }
  NodeSet candidates = set_of(31);
  const Plan plan = plan_of(all);
  LicenseCounts free;
  static_cast<void>(plan.narrow(from_epoch_seconds(begin), from_epoch_seconds(begin + length),
                                set_of(31), candidates, free));
  // Slots of equal sets may stay split, so the set can only be the table's.
  RC_ASSERT(candidates == expected);
}

RC_GTEST_PROP(Plan, IsWalkedAsNarrowLeads, ()) {
  const Plan plan = plan_of(*reservations());
  const NodeSet base = set_of(*rc::gen::element(31U, 31U, *rc::gen::inRange(0U, 32U)));
  const auto least = static_cast<std::size_t>(*rc::gen::element(1, 1, 2, 3));
  const Seconds length{*rc::gen::inRange(0, 30)};
  SlurmTime at = from_epoch_seconds(*rc::gen::inRange(0, kEnd / 4));
  // Each node serves from an instant on: the end of a job of its own, or at once.
  const std::vector<std::uint32_t> places{0, 1, 2, 3, 4};
  std::vector<EndsNeeded::Wait> waits;
  EndsNeeded needed;
  needed.clear(kNodes);
  NodeSet serving_at[kEnd + 1];
  for (NodeSet& each : serving_at) each = NodeSet(kNodes);
  int end = 0;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    end += *rc::gen::inRange(0, *rc::gen::element(8, 25));
    needed.set_at_once(node, end == 0);
    if (end > 0) waits.push_back({from_epoch_seconds(end), node, node});
    for (int s = end; s <= kEnd; ++s) serving_at[s].set(node);
  }
  needed.update(set_of(31), waits, places);

  const NodeSet usable = base & set_of(*rc::gen::element(31U, 31U, *rc::gen::inRange(0U, 32U)));
  NodesInTime in_time(needed);
  PlanWalk walk;
  walk.begin(plan, length, base, usable);
  std::vector<SlurmTime> passed, expected;
  int intervals = 0;
  // From each interval on to the next, or to an instant on the way there or after it.
  while (true) {
    const PlanWalk::Interval& found = walk.next(at, in_time, least, passed);
    ++intervals;
    std::optional<SlurmTime> later;
    NodeSet candidates;
    while (true) {
      candidates = base;
      LicenseCounts free;
      later = plan.narrow(at, at + length, base, candidates, free);
      candidates &= usable;
      if (!later || (candidates & serving_at[epoch_seconds(*later)]).count() >= least) break;
      if (candidates.count() >= least) expected.push_back(at);
      at = *later;
    }
    RC_ASSERT(found.start == at);
    RC_ASSERT(found.later == later);
    RC_ASSERT(found.nodes == candidates);
    RC_ASSERT(passed == expected);
    if (!later) break;
    at = *rc::gen::element(*later, std::min(*later, at + Seconds{1}), *later + Seconds{1});
  }
  RC_CLASSIFY(expected.size() > 1);
  RC_CLASSIFY(intervals > 2);
}

}  // namespace
}  // namespace rehearse::test
