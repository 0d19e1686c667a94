// tests/unit/models/inventory_test.cpp — which model each device is, and what is told of it.
#include "models/gpu/inventory.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/models/gpu_site.hpp"

namespace rehearse::test {
namespace {

using Inventory = GpuSite;

TEST_F(Inventory, ATypeNamesAModelOrAnInstanceOfOne) {
  build("NodeName=n0 Gres=gpu:h100-sxm:1,gpu:nvidia_a100_1g.5gb:2,gpu:v100:1\nNodeName=n1\n");
  EXPECT_EQ(device(0, 0), "h100-sxm");
  EXPECT_EQ(device(0, 1), "a100-40/1g.5gb");
  EXPECT_EQ(device(0, 2), "a100-40/1g.5gb");
  EXPECT_EQ(device(0, 3), "-");
  EXPECT_EQ(device(0, 4), "-");
  EXPECT_EQ(device(1, 0), "-");
  EXPECT_EQ(all_text(found_), "");
  ASSERT_EQ(inventory_.kinds().size(), 3U);
  EXPECT_EQ(inventory_.kinds()[1].devices, 2U);
  EXPECT_TRUE(inventory_.kinds()[1].assumed);
}

TEST_F(Inventory, NodeHardwareGoesBeforeTheType) {
  build("NodeName=n[0-1] Gres=gpu:a100:1\nNodeName=n2 Gres=gpu:2\nNodeName=n3 Gres=gpu:3g.40gb:1\n",
        {{"n[1-3]", "a100-80"}});
  EXPECT_EQ(device(0, 0), "a100-40");
  EXPECT_EQ(device(1, 0), "a100-80");
  EXPECT_EQ(device(2, 1), "a100-80");
  EXPECT_EQ(device(3, 0), "a100-80/3g.40gb");
  EXPECT_EQ(all_text(found_), "");
}

TEST_F(Inventory, NodeHardwareMayMeanOneTypeOfANode) {
  build("NodeName=n0 Gres=gpu:big:1,gpu:small:1\n", {{"n0:big", "h200-sxm"}});
  EXPECT_EQ(device(0, 0), "h200-sxm");
  EXPECT_EQ(device(0, 1), "-");
}

TEST_F(Inventory, ANodeShapeBringsItsGpuAndIsHeldAgainstSlurmConf) {
  build(
      "NodeName=n0 Sockets=2 CoresPerSocket=56 ThreadsPerCore=2 Gres=gpu:8\n"
      "NodeName=n[1-2] Sockets=2 CoresPerSocket=32 Gres=gpu:4\n",
      {{"n0", "dgx-h100"}, {"n[1-2]", "dgx-a100-80"}});
  EXPECT_EQ(device(0, 7), "h100-sxm");
  EXPECT_EQ(device(1, 0), "a100-80");
  EXPECT_EQ(
      all_text(found_),
      "site.yaml:2:9: warning: node_hardware: n1 has 4 GPUs, 2 sockets of 32 cores; a "
      "dgx-a100-80 has 8, 2 of 64\n  hint: the GPU alone is taken from it; a100-80 names no more");
}

TEST_F(Inventory, WhatNodeHardwareCannotMeanIsRefused) {
  build("NodeName=n[0-1] Gres=gpu:1\n",
        {{"n0", "a100-81"}, {"n7", "a30"}, {"n[0", "a30"}, {"n1", "h100"}});
  EXPECT_EQ(
      all_text(found_),
      "site.yaml:1:9: error: node_hardware: n0: 'a100-81' is no GPU model\n"
      "  hint: did you mean 'a100-80'?\n"
      "site.yaml:2:9: error: node_hardware: n7: there is no node 'n7'\n"
      "  hint: a host list expression of NodeName lines: n[01-16]\n"
      "site.yaml:3:9: error: node_hardware: n[0: '[' without ']'\n"
      "site.yaml:4:9: warning: node_hardware: n1: 'h100' may be several models; it is taken for "
      "h100-sxm\n  hint: write the name of the model");
}

TEST_F(Inventory, AMigProfileThatTheModelHasNotIsTold) {
  build("NodeName=n0 Gres=gpu:a30_3g.12gb:1\n");
  EXPECT_EQ(device(0, 0), "-");
  EXPECT_EQ(
      all_text(found_),
      "slurm.conf:5:18: warning: gpu:a30_3g.12gb: no a30 has such a MIG profile: the device is of "
      "no known model\n  hint: it has 1g.6gb, 1g.6gb+me, 2g.12gb, 2g.12gb+me, 4g.24gb; gpu_models "
      "in site.yaml may describe another");
}

}  // namespace
}  // namespace rehearse::test
