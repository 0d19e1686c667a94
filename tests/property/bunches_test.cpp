// tests/property/bunches_test.cpp — bunches that go along the line of all jobs, against those that
// go alone.
#include "sim/sched/bunches.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace rehearse::test {
namespace {

constexpr std::size_t kNodes = 12;

int number(int from, int to) {
  return *rc::gen::inRange(from, to + 1);
}

/// Jobs of one node or two, many of which end at about the same time.
std::vector<Departure> some_departures(const std::vector<Job>& jobs) {
  const int spread = *rc::gen::element(100, 3000, 200'000);
  std::vector<Departure> ending;
  for (const Job& job : jobs) {
    const std::uint64_t first = std::uint64_t{1} << number(0, kNodes - 1);
    const std::uint64_t second = std::uint64_t{1} << number(0, kNodes - 1);
    ending.push_back({.end = from_epoch_seconds(1'000'000 + number(0, spread)),
                      .job = &job,
                      .mask = number(0, 3) == 0 ? first | second : first});
  }
  std::sort(ending.begin(), ending.end(),
            [](const Departure& a, const Departure& b) { return a.end < b.end; });
  return ending;
}

NodeSet some_nodes() {
  NodeSet nodes(kNodes);
  nodes.set();
  for (int taken = number(0, 6); taken > 0; --taken) {
    nodes.reset(static_cast<std::size_t>(number(0, kNodes - 1)));
  }
  return nodes;
}

RC_GTEST_PROP(Bunches, AreTheSameAlongALine, ()) {
  const std::vector<Job> jobs(static_cast<std::size_t>(*rc::gen::element(5, 60, 700)));
  const std::vector<Departure> ending = some_departures(jobs);
  const Seconds linear{number(0, 3) == 0 ? 60 : 0};
  const bool one_by_one = number(0, 7) == 0;
  BunchLine line(ending, linear, one_by_one);
  bool some_are_too_large = false;
  for (int asked = 0; asked < 8; ++asked) {  // the line is longer from question to question
    const NodeSet candidates = some_nodes();
    Bunches along(ending, &candidates, linear, one_by_one, &line);
    Bunches alone(ending, &candidates, linear, one_by_one);
    while (true) {
      const auto expected = alone.step();
      const auto found = along.step();
      RC_ASSERT(found == expected);
      if (!expected) break;
      some_are_too_large = some_are_too_large || !expected->is_tested;
    }
  }
  RC_CLASSIFY(some_are_too_large);
}

}  // namespace
}  // namespace rehearse::test
