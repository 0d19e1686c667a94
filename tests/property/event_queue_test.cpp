// tests/property/event_queue_test.cpp — the queue against the simplest thing that could be right.
#include "sim/core/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace rehearse::test {
namespace {

RC_GTEST_PROP(EventQueue, LeavesInTheOrderOfAStableSortByTimeAndPhase, ()) {
  // Few distinct times: ties are the hard part.
  const auto keys = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 10), rc::gen::inRange(0, 4)));
  EventQueue<std::size_t> queue;
  std::vector<std::size_t> expected(keys.size());
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    queue.push(Time{Duration{keys[i].first}}, static_cast<Phase>(keys[i].second), i);
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [&](auto a, auto b) { return keys[a] < keys[b]; });
  for (const auto i : expected) RC_ASSERT(queue.pop().event == i);
  RC_ASSERT(queue.empty());
}

RC_GTEST_PROP(EventQueue, NeverGoesBackWhenPushesAndPopsAreMixed, ()) {
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 20));
  EventQueue<int> queue;
  Time now{};
  for (const int step : steps) {
    if (step % 3 == 0 && !queue.empty()) {
      const auto item = queue.pop();
      RC_ASSERT(item.key.time >= now);
      now = item.key.time;
    } else {
      queue.push(now + Duration{step}, Phase::Arrive, step);
    }
  }
}

}  // namespace
}  // namespace rehearse::test
