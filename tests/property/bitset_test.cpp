// tests/property/bitset_test.cpp — our sets against std::set.
#include "sim/core/bitset.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "sim/core/bit_runs.hpp"

namespace rehearse::test {
namespace {

using Members = std::set<std::size_t>;

Bitset of(const Members& members, std::size_t size) {
  Bitset set(size);
  for (const std::size_t i : members) set.set(i);
  return set;
}

Members members_of(const Bitset& set) {
  Members members;
  for_each_bit(set, [&](std::size_t i) { members.insert(i); });
  return members;
}

RC_GTEST_PROP(Bitset, DoesWhatSetsDo, ()) {
  const std::size_t size =
      *rc::gen::element<std::size_t>(1, 70, 127, 129, 256, 257, 1023, 1024, 1025, 1153, 2000);
  const auto draw = rc::gen::container<Members>(rc::gen::inRange<std::size_t>(0, size));
  const Members a = *draw, b = *draw;
  const Bitset x = of(a, size), y = of(b, size);
  Members both, either, only_a;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only_a, only_a.end()));
  RC_ASSERT(members_of(x & y) == both);
  RC_ASSERT(members_of(x | y) == either);
  RC_ASSERT(members_of(x - y) == only_a);
  RC_ASSERT(x.count() == a.size());
  RC_ASSERT(x.any() == !a.empty());
  RC_ASSERT(x.common_count(y) == both.size());
  RC_ASSERT(x.intersects(y) == !both.empty());
  RC_ASSERT(x.is_subset_of(y) == std::includes(b.begin(), b.end(), a.begin(), a.end()));
  Bitset common(*rc::gen::element<std::size_t>(0, 70, 257, 1024, 2000));
  common.set();
  common.set_common(x, y);
  RC_ASSERT(members_of(common) == both);
  common = x;
  common.set_common(common, y);
  RC_ASSERT(common == (x & y));
}

RC_GTEST_PROP(Bitset, TakesNeighboursAtOnce, ()) {
  const std::size_t size = *rc::gen::element<std::size_t>(1, 70, 256, 1025, 2000);
  Members expected = *rc::gen::container<Members>(rc::gen::inRange<std::size_t>(0, size));
  Bitset set = of(expected, size);
  const std::size_t first = *rc::gen::inRange<std::size_t>(0, size);
  const std::size_t count = *rc::gen::inRange<std::size_t>(0, size - first + 1);
  const bool value = *rc::gen::arbitrary<bool>();
  for (std::size_t i = first; i < first + count; ++i) {
    value ? void(expected.insert(i)) : void(expected.erase(i));
  }
  set.set(first, count, value);
  RC_ASSERT(members_of(set) == expected);
  Members of_runs;
  std::size_t behind = 0;
  for_each_run(set, [&](std::size_t begin, std::size_t length) {
    RC_ASSERT(length > 0 && begin >= behind && begin / 64 == (begin + length - 1) / 64);
    RC_ASSERT(begin != behind || begin % 64 == 0);  // else it would be one run
    for (behind = begin; behind < begin + length; ++behind) of_runs.insert(behind);
  });
  RC_ASSERT(of_runs == expected);
}

// A few words stand in place, more are copied on demand, those of large sets are allocated.
RC_GTEST_PROP(Bitset, KeepsItsMembersWhereverTheyStand, ()) {
  const auto sizes = rc::gen::element<std::size_t>(1, 64, 65, 256, 257, 600, 1024, 1025, 3000);
  Bitset set;
  Members expected;
  for (int step = 0; step < 6; ++step) {
    const std::size_t size = *sizes;
    set.resize(size);
    expected.erase(expected.lower_bound(size), expected.end());
    const std::size_t more = *rc::gen::inRange<std::size_t>(0, size);
    set.set(more);
    expected.insert(more);
    Bitset copy = set;
    RC_ASSERT(copy == set);
    RC_ASSERT(members_of(copy) == expected);
    Bitset other = of({0}, *sizes);
    other = copy;
    RC_ASSERT(other == set);
    Bitset moved = std::move(other);
    set = std::move(moved);
    RC_ASSERT(members_of(set) == expected);
  }
}

TEST(Bitset, ForgetsMembersBeyondItsSize) {
  Bitset set(70);
  set.set();
  set.resize(65);
  EXPECT_EQ(set.count(), 65U);
  set.resize(128);
  EXPECT_EQ(set.count(), 65U);
}

}  // namespace
}  // namespace rehearse::test
