// tests/unit/core/short_list_test.cpp — the same members in place and on the heap.
#include "sim/core/short_list.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rehearse::test {
namespace {

using List = ShortList<int, 3>;

List first(int n) {
  List list;
  for (int i = 0; i < n; ++i) list.push_back(i);
  return list;
}

TEST(ShortList, KeepsItsMembersWhereverTheyStand) {
  for (const int n : {0, 3, 4, 20}) {
    const List list = first(n);
    std::vector<int> all;
    for (int i = 0; i < n; ++i) all.push_back(i);
    EXPECT_EQ(std::vector<int>(list.begin(), list.end()), all);
    const List copy = list;
    EXPECT_EQ(copy, list);
    EXPECT_FALSE(copy == first(n + 1));
  }
}

TEST(ShortList, IsEmptyOnceMovedAway) {
  for (const int n : {2, 20}) {
    List list = first(n);
    List other = first(20);
    other = std::move(list);
    EXPECT_EQ(other, first(n));
    EXPECT_TRUE(list.empty());  // NOLINT(bugprone-use-after-move): what is asked
    list.push_back(7);
    EXPECT_EQ(list, (List{7}));
  }
}

TEST(ShortList, MovesBackInPlaceWhenItBecomesShort) {
  List list = first(20);
  erase_if(list, [](int i) { return i != 4 && i != 11; });
  EXPECT_EQ(list, (List{4, 11}));
  list.push_back(5);
  list.push_back(6);
  EXPECT_EQ(list, (List{4, 11, 5, 6}));
}

}  // namespace
}  // namespace rehearse::test
