// tests/property/bitset_test.cpp — our sets against std::set.
#include "sim/core/bitset.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

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
  const std::size_t size = *rc::gen::inRange<std::size_t>(1, 400);
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
  RC_ASSERT(x.intersects(y) == !both.empty());
  RC_ASSERT(x.is_subset_of(y) == std::includes(b.begin(), b.end(), a.begin(), a.end()));
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
