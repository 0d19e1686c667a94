// tests/property/ends_needed_test.cpp — nodes in the order of ends, against a table of numbers.
#include "sim/sched/ends_needed.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "sim/sched/nodes_in_time.hpp"

namespace rehearse::test {
namespace {

constexpr std::uint32_t kNever = UINT32_MAX;

/// By node: how many jobs have to leave. Many nodes, as only then are places kept.
std::vector<std::uint32_t> some_numbers() {
  const auto jobs = *rc::gen::inRange<std::uint32_t>(1, 3000);
  const auto nodes = *rc::gen::element<std::size_t>(1, 100, 255, 256, 257, 600, 1500);
  // A failure is told as it is: to find a smaller one takes minutes.
  return *rc::gen::noShrink(rc::gen::container<std::vector<std::uint32_t>>(
      nodes, rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, jobs + 1),
                            rc::gen::inRange<std::uint32_t>(0, jobs + 1),
                            rc::gen::element<std::uint32_t>(0, kNever))));
}

/// A running job's slot is its place here, and it ends at that second, or with the one before.
SlurmTime end_of(std::uint32_t place) {
  return from_epoch_seconds(place / 2);
}

const std::vector<std::uint32_t>& places() {
  static const std::vector<std::uint32_t> all = [] {
    std::vector<std::uint32_t> each(3000);
    std::iota(each.begin(), each.end(), 0U);
    return each;
  }();
  return all;
}

/// Of these nodes the numbers are others than before.
void tell(EndsNeeded& needed, const std::vector<std::uint32_t>& numbers, const NodeSet& moved) {
  std::vector<EndsNeeded::Wait> waits;
  for_each_bit(moved, [&](std::size_t n) {
    needed.set_at_once(n, numbers[n] == 0);
    if (numbers[n] == 0 || numbers[n] == kNever) return;
    waits.push_back({end_of(numbers[n] - 1), numbers[n] - 1, static_cast<std::uint32_t>(n)});
  });
  needed.update(moved, waits, places());
}

void tell_all(EndsNeeded& needed, const std::vector<std::uint32_t>& numbers) {
  needed.clear(numbers.size());
  NodeSet all(numbers.size());
  all.set();
  tell(needed, numbers, all);
}

NodeSet able_after(const std::vector<std::uint32_t>& numbers, std::size_t gone) {
  NodeSet able(numbers.size());
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    able.set(n, numbers[n] != kNever && numbers[n] <= gone);
  }
  return able;
}

NodeSet some_of(std::size_t nodes) {
  NodeSet some(nodes);
  const auto each = *rc::gen::inRange<std::size_t>(1, 5);
  for (std::size_t n = *rc::gen::inRange<std::size_t>(0, nodes); n < nodes; n += each) some.set(n);
  return some;
}

RC_GTEST_PROP(EndsNeeded, TellsWhatATableTells, ()) {
  EndsNeeded needed;
  std::vector<std::uint32_t> numbers = some_numbers();
  tell_all(needed, numbers);
  for (int state = 0; state < 4; ++state) {
    if (state == 2) {
      numbers = some_numbers();
      tell_all(needed, numbers);
    } else if (state > 0) {
      const NodeSet moved = some_of(numbers.size());
      for_each_bit(moved, [&](std::size_t n) {
        const auto other = *rc::gen::inRange<std::size_t>(0, numbers.size());
        numbers[n] = *rc::gen::element<std::uint32_t>(0, kNever, numbers[other]);
      });
      tell(needed, numbers, moved);
    }
    for (int asked = 0; asked < 6; ++asked) {
      const NodeSet candidates = some_of(numbers.size());
      const auto gone = *rc::gen::inRange<std::size_t>(0, 3001);
      RC_ASSERT(needed.able_after(gone, candidates) == (able_after(numbers, gone) & candidates));
      const auto least = *rc::gen::inRange<std::size_t>(1, numbers.size() + 1);
      std::vector<std::uint32_t> ends;
      for_each_bit(candidates, [&](std::size_t n) {
        if (numbers[n] != kNever) ends.push_back(numbers[n]);
      });
      std::sort(ends.begin(), ends.end());
      const auto found = needed.until(least, candidates);
      RC_ASSERT(found.has_value() == (ends.size() >= least));
      if (found) RC_ASSERT(*found == ends[least - 1]);
    }
  }
}

RC_GTEST_PROP(NodesInTime, AreThoseWhoseJobsHaveLeft, ()) {
  const std::vector<std::uint32_t> numbers = some_numbers();
  EndsNeeded needed;
  tell_all(needed, numbers);
  NodesInTime in_time(needed);
  std::int64_t at = 0;
  for (int asked = 0; asked < 6; ++asked) {
    at += *rc::gen::element(0, 1, 50, 700, *rc::gen::inRange(0, 500));
    const auto gone =
        static_cast<std::size_t>(std::count_if(places().begin(), places().end(), [&](auto place) {
          return end_of(place) <= from_epoch_seconds(at);
        }));
    RC_ASSERT(in_time.by(from_epoch_seconds(at)) == able_after(numbers, gone));
  }
}

}  // namespace
}  // namespace rehearse::test
