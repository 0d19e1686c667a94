// tests/unit/output/device_indexes_test.cpp — GPU numbers out of the text that scontrol prints.
#include "sim/output/device_indexes.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

using Indexes = std::vector<std::uint32_t>;

TEST(DeviceIndexes, AreThoseOfEveryGpuTypeInOrder) {
  EXPECT_EQ(gpu_indexes("gpu:a100:2(IDX:0-1),gpu:h100:1(IDX:4)"), (Indexes{0, 1, 4}));
  EXPECT_EQ(gpu_indexes("gpu:3(IDX:0,2-3)"), (Indexes{0, 2, 3}));
}

TEST(DeviceIndexes, AreNotThoseOfSharesAndOtherGres) {
  EXPECT_EQ(gpu_indexes("mps:100(IDX:1)"), Indexes{});
  EXPECT_EQ(gpu_indexes("nic:1(IDX:0),gpu:1(IDX:7)"), Indexes{7});
}

TEST(DeviceIndexes, AreNoneWhereATextTellsNone) {
  for (const char* text : {"", "gpu:2", "gpu:2(IDX:", "gpu:2(IDX:)", "gpu:2(IDX:x)"}) {
    EXPECT_EQ(gpu_indexes(text), Indexes{}) << text;
  }
}

}  // namespace
}  // namespace rehearse::test
