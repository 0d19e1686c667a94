// tests/unit/output/device_text_test.cpp — device numbers as Slurm writes them.
#include "sim/output/device_text.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

class DeviceText : public testing::Test {
 protected:
  DeviceText() {
    NodeGres gpu;
    gpu.name = names_.intern("gpu");
    for (int i = 0; i < 8; ++i) {
      gpu.devices.push_back({names_.intern(i < 4 ? "a100" : "v100"), std::nullopt, 1});
    }
    NodeGres shard;
    shard.name = names_.intern("shard");
    shard.shares = 0;
    shard.devices.assign(8, {kNoName, std::nullopt, 4});
    node_.gres = {gpu, shard};
  }

  NamePool names_;
  Node node_;
  NodeShare share_;
};

TEST_F(DeviceText, IsEmptyWithoutDevices) {
  EXPECT_EQ(device_text(share_, node_, names_), "");
  EXPECT_EQ(cuda_visible_text(share_, node_, names_), "");
}

TEST_F(DeviceText, NamesTypesAndRangesOfIndexes) {
  share_.devices = {{0, 0, 1}, {0, 1, 1}, {0, 3, 1}, {0, 6, 1}};
  EXPECT_EQ(device_text(share_, node_, names_), "gpu:a100:3(IDX:0-1,3),gpu:v100:1(IDX:6)");
  EXPECT_EQ(cuda_visible_text(share_, node_, names_), "0,1,3,6");
}

TEST_F(DeviceText, CountsUnitsOfASharedDevice) {
  share_.devices = {{1, 5, 3}};
  EXPECT_EQ(device_text(share_, node_, names_), "shard:3(IDX:5)");
  EXPECT_EQ(cuda_visible_text(share_, node_, names_), "5");
}

TEST_F(DeviceText, HasNoIndexWhereOnlyACountIsKnown) {
  node_.gres[0].count_only = true;
  node_.gres[0].devices = {{names_.intern("a100"), std::nullopt, 4}};
  share_.devices = {{0, 0, 2}};
  EXPECT_EQ(device_text(share_, node_, names_), "gpu:a100:2");
  EXPECT_EQ(cuda_visible_text(share_, node_, names_), "");
}

}  // namespace
}  // namespace rehearse::test
