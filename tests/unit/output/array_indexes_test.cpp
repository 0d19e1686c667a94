// tests/unit/output/array_indexes_test.cpp — tasks of an array as a real squeue printed them.
#include "sim/output/array_indexes.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

/// `count` tasks from `first` on, `step` apart.
std::string text(std::uint32_t first, std::uint32_t step, std::uint32_t count) {
  std::set<std::uint32_t> tasks;
  for (std::uint32_t i = 0; i < count; ++i) tasks.insert(first + i * step);
  return array_indexes_text(tasks);
}

TEST(ShownArrays, AreRangesOrOneStepAsInSqueue) {
  EXPECT_EQ(text(1, 1, 3), "1-3");
  EXPECT_EQ(text(0, 1, 200), "0-199");
  EXPECT_EQ(text(0, 2, 3), "0,2,4");
  EXPECT_EQ(text(0, 250, 5), "0,250,500,750,1000");
  EXPECT_EQ(text(3, 2, 6), "3,5,7,9,11,13");
  EXPECT_EQ(text(10, 2, 6), "10,12,14,16,18,20");
  EXPECT_EQ(text(3, 3, 6), "3-18:3");
  EXPECT_EQ(text(10, 2, 7), "10-22:2");
  EXPECT_EQ(text(0, 198, 6), "0-990:198");
  EXPECT_EQ(text(8, 2, 12), "8-30:2");
  EXPECT_EQ(text(5, 1, 1), "5");
  EXPECT_EQ(array_indexes_text({2, 4, 6, 8, 10, 12, 13}), "2,4,6,8,10,12-13");
  EXPECT_EQ(array_indexes_text({0, 2, 4, 6, 8, 20}), "0,2,4,6,8,20");
  EXPECT_EQ(array_indexes_text({}), "");
}

}  // namespace
}  // namespace rehearse::test
