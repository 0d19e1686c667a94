// tests/unit/models/layouts_test.cpp — instances to GPUs: told by mig:, by gres.conf, or not at
// all; what cannot be is refused with the nearest layout that can.
#include "models/gpu/layouts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/models/gpu_site.hpp"

namespace rehearse::test {
namespace {

class Layouts : public GpuSite {
 protected:
  /// `n0/1 3g.20gb:0=4,…`: node, GPU, instances with their devices.
  std::vector<std::string> gpus() const {
    std::vector<std::string> lines;
    for (const PartitionedGpu& gpu : layouts_.gpus()) {
      std::string line = cluster_->names.text(cluster_->nodes[gpu.node].name) + "/" +
                         std::to_string(gpu.index) + " " + to_text(*gpu.model, gpu.layout) + " =";
      for (const std::uint32_t device : gpu.devices) line += " " + std::to_string(device);
      lines.push_back(line);
    }
    return lines;
  }
};

TEST_F(Layouts, SiteYamlDealsTheDevicesGpuByGpu) {
  mig("n[0-1]", "0-1", {"3g.20gb", "2*2g.10gb"});
  build("NodeName=n[0-2] Gres=gpu:a100-40_3g.20gb:2,gpu:a100-40_2g.10gb:4\n");
  EXPECT_EQ(all_text(found_), "");
  EXPECT_EQ(gpus(), (std::vector<std::string>{"n0/0 2g.10gb:0,2g.10gb:2,3g.20gb:4 = 2 3 0",
                                              "n0/1 2g.10gb:0,2g.10gb:2,3g.20gb:4 = 4 5 1",
                                              "n1/0 2g.10gb:0,2g.10gb:2,3g.20gb:4 = 2 3 0",
                                              "n1/1 2g.10gb:0,2g.10gb:2,3g.20gb:4 = 4 5 1"}));
  EXPECT_EQ(layouts_.unplaced_devices(), 6U);
  EXPECT_EQ(layouts_.on(NodeId{1}).size(), 2U);
  EXPECT_TRUE(layouts_.on(NodeId{2}).empty());
}

TEST_F(Layouts, GpusOfANodeMayBePartitionedInSeveralWays) {
  mig("n0", "0", {"7*1g.5gb"});
  mig("n0", "1", {"3g.20gb:4", "3g.20gb:0"});
  build("NodeName=n0 Gres=gpu:a100-40:2,gpu:a100-40_1g.5gb:7,gpu:a100-40_3g.20gb:2\n");
  EXPECT_EQ(all_text(found_), "");
  ASSERT_EQ(layouts_.gpus().size(), 2U);
  const UnusedSlices ones = unused_slices(*layouts_.gpus()[0].model, layouts_.gpus()[0].layout);
  EXPECT_EQ(ones.compute, 0U);
  EXPECT_EQ(ones.memory, 1U);  // gpu-models.md §2.3: seven 1g leave 1/8 of memory idle
  EXPECT_EQ(ones.sms, 10U);    // 98 of 108 with MIG on
  const UnusedSlices halves = unused_slices(*layouts_.gpus()[1].model, layouts_.gpus()[1].layout);
  EXPECT_EQ(halves.compute, 1U);
  EXPECT_EQ(halves.memory, 0U);
}

TEST_F(Layouts, GresConfTellsByTheParentAmongMultipleFiles) {
  gres_conf(
      "Name=gpu Type=a30_2g.12gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap1\n"
      "Name=gpu Type=a30_2g.12gb MultipleFiles=/dev/nvidia1,/dev/nvidia-caps/nvidia-cap2\n"
      "Name=gpu Type=a30_1g.6gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap3\n"
      "Name=gpu Type=a30_1g.6gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap4\n"
      "Name=gpu Type=a30_2g.12gb MultipleFiles=/dev/nvidia1,/dev/nvidia-caps/nvidia-cap5\n");
  build("NodeName=n0 Gres=gpu:a30_2g.12gb:3,gpu:a30_1g.6gb:2\n");
  EXPECT_EQ(all_text(found_), "");
  EXPECT_EQ(gpus(), (std::vector<std::string>{"n0/0 2g.12gb:0,1g.6gb:2,1g.6gb:3 = 0 3 4",
                                              "n0/1 2g.12gb:0,2g.12gb:2 = 1 2"}));
  EXPECT_EQ(layouts_.unplaced_devices(), 0U);
}

TEST_F(Layouts, WhereNothingTellsNothingIsAssumed) {
  build("NodeName=n0 Gres=gpu:a30_4g.24gb:1,gpu:a30_1g.6gb:5,gpu:a30:1\n");
  EXPECT_EQ(all_text(found_), "");
  EXPECT_TRUE(layouts_.gpus().empty());
  EXPECT_EQ(layouts_.unplaced_devices(), 6U);
}

TEST_F(Layouts, AnImpossibleLayoutIsMetWithTheNearest) {
  mig("n0", "0", {"4g.20gb", "4g.20gb"});
  mig("n1", "0", {"1g.5gb:6", "3g.20gb:4"});
  build("NodeName=n[0-1] Gres=gpu:a100-40_4g.20gb:2\n");
  EXPECT_EQ(
      all_text(found_),
      "site.yaml:101:5: error: mig.layouts: 4g.20gb,4g.20gb cannot be together on one a100-40\n"
      "  hint: the nearest that can: 4g.20gb:0,3g.20gb:4\n"
      "site.yaml:102:5: error: mig.layouts: 1g.5gb:6,3g.20gb:4 cannot be together on one a100-40\n"
      "  hint: the nearest that can: 1g.5gb:0,3g.20gb:4");
}

TEST_F(Layouts, AnImpossibleParentInGresConfIsRefused) {
  gres_conf(
      "Name=gpu Type=a30_4g.24gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap1\n"
      "Name=gpu Type=a30_4g.24gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap2\n");
  build("NodeName=n0 Gres=gpu:a30_4g.24gb:2\n");
  EXPECT_EQ(
      all_text(found_),
      "gres.conf:1:1: error: /dev/nvidia0 of n0: 4g.24gb,4g.24gb cannot be together on one a30\n"
      "  hint: the nearest that can: 4g.24gb:0");
}

TEST_F(Layouts, WhatDoesNotAgreeIsTold) {
  mig("n0", "0-1", {"2*3g.40gb"});
  mig("n1", "0", {"9g.9gb"});
  mig("n2", "0", {"4g.24gb"});
  mig("n9", "0", {"4g.24gb"});
  mig("n3", "0", {"4g.24gb"});
  mig("n3", "0", {"4g.24gb"});
  build(
      "NodeName=n0 Gres=gpu:a100-80_3g.40gb:3\nNodeName=n1 Gres=gpu:a30_4g.24gb:1\n"
      "NodeName=n2 Gres=gpu:1\nNodeName=n3 Gres=gpu:a30_4g.24gb:1\n");
  EXPECT_EQ(
      all_text(found_),
      "site.yaml:104:5: error: mig.layouts: there is no node 'n9'\n"
      "  hint: a host list expression of NodeName lines: n[01-16]\n"
      "site.yaml:101:5: error: mig.layouts: 4 instances 3g.40gb on n0, but Gres= has 3\n"
      "  hint: the layouts of a node must make just the devices of its Gres=\n"
      "site.yaml:102:5: error: mig.layouts: '9g.9gb' is no instance of the a30 of n1\n"
      "  hint: it has 1g.6gb, 1g.6gb+me, 2g.12gb, 2g.12gb+me, 4g.24gb; :START and COUNT* may be "
      "added\n"
      "site.yaml:103:5: error: mig.layouts: of what model the GPUs of n2 are is not known\n"
      "  hint: name it in node_hardware, or as the Type of Gres=\n"
      "site.yaml:106:5: error: mig.layouts: GPU 0 of n3 stands in two lines");
}

TEST_F(Layouts, NeighboursDecideBetweenModelsOfOneName) {
  build("NodeName=n0 Gres=gpu:a100_1g.10gb:4,gpu:a100_3g.40gb:1\n");
  EXPECT_EQ(device(0, 0), "a100-80/1g.10gb");
  EXPECT_EQ(device(0, 4), "a100-80/3g.40gb");
}

}  // namespace
}  // namespace rehearse::test
