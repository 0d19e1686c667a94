// tests/unit/core/bitset_test.cpp — sets of any size, held against a plain list of their members.
#include "sim/core/bitset.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <vector>

namespace rehearse::test {
namespace {

using Members = std::vector<bool>;

Bitset set_of(const Members& members) {
  Bitset set(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i]) set.set(i);
  }
  return set;
}

Members members_of(const Bitset& set) {
  Members members(set.size(), false);
  for_each_bit(set, [&](std::size_t i) { members.at(i) = true; });
  return members;
}

/// About every word, every pair of words and the place that a set has in itself.
rc::Gen<std::size_t> any_size() {
  return rc::gen::oneOf(
      rc::gen::inRange<std::size_t>(0, 300),
      rc::gen::element<std::size_t>(63, 64, 65, 127, 128, 129, 255, 256, 257, 960, 961, 1023, 1024,
                                    1025, 1151, 1152, 1153, 2000, 10000));
}

Members any_members(std::size_t size) {
  return *rc::gen::container<Members>(size, rc::gen::arbitrary<bool>());
}

template <typename Operation>
Members each(const Members& a, const Members& b, Operation operation) {
  Members out(a.size(), false);
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = operation(bool{a[i]}, bool{b[i]});
  return out;
}

bool any(const Members& members) {
  for (const bool member : members) {
    if (member) return true;
  }
  return false;
}

std::size_t count(const Members& members) {
  std::size_t n = 0;
  for (const bool member : members) n += member ? 1U : 0U;
  return n;
}

RC_GTEST_PROP(Bitset, DoesWhatAListOfMembersDoes, ()) {
  const std::size_t size = *any_size();
  const Members a = any_members(size), b = *rc::gen::arbitrary<bool>() ? any_members(size) : a;
  const Bitset left = set_of(a), right = set_of(b);
  const auto both = each(a, b, [](bool x, bool y) { return x && y; });
  const auto either = each(a, b, [](bool x, bool y) { return x || y; });
  const auto less = each(a, b, [](bool x, bool y) { return x && !y; });
  RC_ASSERT(members_of(left & right) == both);
  RC_ASSERT(members_of(left | right) == either);
  RC_ASSERT(members_of(left - right) == less);
  RC_ASSERT(left.count() == count(a));
  RC_ASSERT(left.common_count(right) == count(both));
  RC_ASSERT(left.any() == any(a));
  RC_ASSERT(left.intersects(right) == any(both));
  RC_ASSERT(left.is_subset_of(right) == !any(less));
  RC_ASSERT((left == right) == (a == b));
  Bitset common(*any_size());
  common.set();
  common.set_common(left, right);
  RC_ASSERT(members_of(common) == both);
  common = left;
  common.set_common(common, right);
  RC_ASSERT(common == (left & right));
}

RC_GTEST_PROP(Bitset, FindsItsMembersInTheirOrder, ()) {
  const Members members = any_members(*any_size());
  const Bitset set = set_of(members);
  std::size_t found = set.find_first();
  for (std::size_t i = 0; i < members.size(); ++i) {
    RC_ASSERT(set.test(i) == members[i]);
    if (!members[i]) continue;
    RC_ASSERT(found == i);
    found = set.find_next(i);
  }
  RC_ASSERT(found == Bitset::npos);
}

RC_GTEST_PROP(Bitset, KeepsItsMembersInAnotherSize, ()) {
  Members members = any_members(*any_size());
  Bitset set = set_of(members);
  for (int step = 0; step < 3; ++step) {
    const std::size_t size = *any_size();
    members.resize(size, false);
    set.resize(size);
    RC_ASSERT(members_of(set) == members);
    RC_ASSERT(set == set_of(members));
    Bitset copy(*any_size());
    copy = set;
    RC_ASSERT(copy == set);
  }
}

RC_GTEST_PROP(Bitset, SetsRanges, ()) {
  Members members = any_members(*any_size() + 1);
  Bitset set = set_of(members);
  const auto first = *rc::gen::inRange<std::size_t>(0, members.size());
  const auto length = *rc::gen::inRange<std::size_t>(0, members.size() - first + 1);
  const bool value = *rc::gen::arbitrary<bool>();
  set.set(first, length, value);
  for (std::size_t i = first; i < first + length; ++i) members[i] = value;
  RC_ASSERT(members_of(set) == members);
  set.set();
  RC_ASSERT(set.count() == members.size());
  set.reset();
  RC_ASSERT(set.none());
}

TEST(Bitset, HasNoMembersBehindItsEnd) {
  EXPECT_EQ(Bitset(3, 0xff).count(), 3U);
  EXPECT_EQ(Bitset(0, 0xff).count(), 0U);
  Bitset set(65);
  set.set();
  set.resize(1024);
  EXPECT_EQ(set.count(), 65U);
}

}  // namespace
}  // namespace rehearse::test
