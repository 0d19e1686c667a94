// tests/unit/cluster/node_classes_test.cpp — what makes two nodes of one kind, and what does not.
#include "sim/cluster/node_classes.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace rehearse::test {
namespace {

Node gpu_node() {
  Node node;
  node.sockets = 2;
  node.cores_per_socket = 16;
  node.memory_mib = node.real_memory_mib = 512'000;
  NodeGres gpus;
  gpus.name = static_cast<NameId>(7);
  gpus.total = 2;
  gpus.devices = {{.type = static_cast<NameId>(8), .socket = 0},
                  {.type = static_cast<NameId>(8), .socket = 1}};
  node.gres.push_back(gpus);
  return node;
}

std::vector<std::uint32_t> classes_beside(const std::function<void(Node&)>& change) {
  IdVector<NodeId, Node> nodes;
  for (int i = 0; i < 3; ++i) nodes.push_back(gpu_node());
  change(nodes[id_at<NodeId>(1)]);
  const auto classes = classes_of(nodes);
  return {classes.begin(), classes.end()};
}

TEST(NodeClasses, HaveNoRegardForNamesWeightsFeaturesAndStates) {
  const std::vector<std::uint32_t> one{0, 0, 0};
  EXPECT_EQ(classes_beside([](Node&) {}), one);
  EXPECT_EQ(classes_beside([](Node& node) { node.name = static_cast<NameId>(3); }), one);
  EXPECT_EQ(classes_beside([](Node& node) { node.weight = 9; }), one);
  EXPECT_EQ(classes_beside([](Node& node) { node.features = {static_cast<NameId>(3)}; }), one);
  EXPECT_EQ(classes_beside([](Node& node) { node.state.down = true; }), one);
}

TEST(NodeClasses, DifferInWhateverAJobIsGiven) {
  const std::vector<std::uint32_t> two{0, 1, 0};
  const std::vector<std::function<void(Node&)>> changes = {
      [](Node& node) { node.sockets = 1; },
      [](Node& node) { node.cores_per_socket = 15; },
      [](Node& node) { node.threads_per_core = 2; },
      [](Node& node) { node.cpus = 3; },
      [](Node& node) { node.effective_cpus = 3; },
      [](Node& node) { node.cpus_per_core = 2; },
      [](Node& node) { node.specialised_cores.set(1); },
      [](Node& node) { node.memory_mib -= 1; },
      [](Node& node) { node.real_memory_mib -= 1; },
      [](Node& node) { node.tmp_disk_mib += 1; },
      [](Node& node) { node.gres.clear(); },
      [](Node& node) { node.gres[0].name = static_cast<NameId>(9); },
      [](Node& node) { node.gres[0].count_only = true; },
      [](Node& node) { node.gres[0].total = 1; },
      [](Node& node) { node.gres[0].milli = 500; },
      [](Node& node) { node.gres[0].has_topology = true; },
      [](Node& node) { node.gres[0].no_consume = true; },
      [](Node& node) { node.gres[0].mixed_types = true; },
      [](Node& node) { node.gres[0].one_sharing = true; },
      [](Node& node) { node.gres[0].shares = 0; },
      [](Node& node) {
        node.gres[0].links = {{0, 1}, {1, 0}};
      },
      [](Node& node) { node.gres[0].devices.pop_back(); },
      [](Node& node) { node.gres[0].devices[1].type = static_cast<NameId>(9); },
      [](Node& node) { node.gres[0].devices[1].socket.reset(); },
      [](Node& node) { node.gres[0].devices[1].units = 4; },
      [](Node& node) { node.gres[0].devices[1].presence = Presence::Absent; },
      [](Node& node) { node.gres[0].devices[1].milli = 142; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_EQ(classes_beside(changes[i]), two) << "change " << i;
  }
}

}  // namespace
}  // namespace rehearse::test
