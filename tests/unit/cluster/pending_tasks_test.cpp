// tests/unit/cluster/pending_tasks_test.cpp — which task goes next, and who is left.
#include "sim/cluster/pending_tasks.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace rehearse {
namespace {

std::vector<std::uint32_t> members(const PendingTasks& tasks) {
  return {tasks.begin(), tasks.end()};
}

TEST(PendingTasks, TheLowestGoesFirst) {
  PendingTasks tasks = PendingTasks::first(3);
  EXPECT_EQ(members(tasks), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(tasks.next(), 0U);
  tasks.drop_next();
  EXPECT_EQ(members(tasks), (std::vector<std::uint32_t>{1, 2}));
  tasks.drop_next();
  tasks.drop_next();
  EXPECT_TRUE(tasks.empty());
  EXPECT_TRUE(members(tasks).empty());
}

TEST(PendingTasks, AChosenOneGoesAheadAndTheOthersKeepTheirOrder) {
  PendingTasks tasks = PendingTasks::first(5);
  tasks.choose(2);
  const PendingTasks copy = tasks;
  EXPECT_EQ(copy.next(), 2U);
  tasks.drop_next();
  EXPECT_EQ(members(tasks), (std::vector<std::uint32_t>{0, 1, 3, 4}));
  EXPECT_EQ(tasks.next(), 0U);  // nobody is chosen any more
  EXPECT_EQ(members(copy), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(PendingTasks, ComesOutAsAListThatIsErasedFrom) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint32_t> list(40);
    for (std::uint32_t i = 0; i < list.size(); ++i) list[i] = i;
    PendingTasks tasks = PendingTasks::first(list.size());
    while (!list.empty()) {
      ASSERT_EQ(members(tasks), list);
      ASSERT_EQ(tasks.size(), list.size());
      const std::size_t at = random() % 2 == 0 ? 0 : random() % list.size();
      if (at > 0) tasks.choose(list[at]);
      ASSERT_EQ(tasks.next(), list[at]);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
      tasks.drop_next();
    }
    EXPECT_TRUE(tasks.empty());
  }
}

TEST(PendingTasks, MayHaveGaps) {
  PendingTasks tasks{1, 2, 5};
  EXPECT_EQ(members(tasks), (std::vector<std::uint32_t>{1, 2, 5}));
  tasks.choose(5);
  tasks.drop_next();
  EXPECT_EQ(members(tasks), (std::vector<std::uint32_t>{1, 2}));
  tasks.clear();
  EXPECT_EQ(tasks.size(), 0U);
}

}  // namespace
}  // namespace rehearse
