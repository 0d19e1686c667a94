// tests/unit/controller/dependencies_test.cpp — the text of --dependency (lifecycle.md §8).
#include "sim/controller/dependencies.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

TEST(ParseDependencies, ReadsTypesIdsTasksAndDelays) {
  const auto list = parse_dependencies("after:10+5:11,afterok:12_3,singleton");
  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->items.size(), 4U);
  EXPECT_FALSE(list->any);
  EXPECT_EQ(list->items[0].kind, DependencyKind::After);
  EXPECT_EQ(list->items[0].target, JobId{10});
  EXPECT_EQ(list->items[0].delay, Minutes{5});
  EXPECT_EQ(list->items[1].delay, Minutes{5}) << "22.05 keeps the delay for the following ids";
  EXPECT_EQ(list->items[2].task, 3U);
  EXPECT_EQ(list->items[3].kind, DependencyKind::Singleton);
}

TEST(ParseDependencies, TakesTheLastSeparatorForAll) {
  EXPECT_TRUE(parse_dependencies("afterok:1,afterany:1?afterok:2")->any);
  EXPECT_FALSE(parse_dependencies("afterok:1?afterany:1,afterok:2")->any);
}

TEST(ParseDependencies, ReadsAWholeArrayWrittenWithAStar) {
  const auto list = parse_dependencies("afterany:7_*");
  ASSERT_TRUE(list.has_value());
  EXPECT_FALSE(list->items[0].task.has_value());
}

TEST(ParseDependencies, RefusesWhatSlurmRefuses) {
  for (const char* text : {"", "afterok", "afterok:", "afterok:x", "whenever:1", "afterok:1;2",
                           "afterok:1_", "after:1+"}) {
    EXPECT_FALSE(parse_dependencies(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace rehearse::test
