// tests/unit/sched/select_near_cores_test.cpp — nodes, cores and GPUs that a running 22.05.8 chose,
// question by question (gres.md §3.2, §3.3; tests/data/placements/README.md).
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/source_folder.hpp"
#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

/// Nodes of one make, in a partition of the same letter.
struct Make {
  std::string letter;
  std::uint32_t nodes, sockets, cores, threads, gpus;
  std::vector<std::vector<std::uint32_t>> devices, at;  ///< of each gres.conf line
};

std::vector<Make> makes() {
  const auto cores = [](std::uint32_t socket, std::uint32_t size) {
    return span(socket * size, socket * size + size - 1);
  };
  return {{"k", 2, 4, 4, 1, 4, {span(0, 3)}, {span(0, 7)}},
          {"m", 4, 2, 4, 1, 4, {{0, 1}, {2, 3}}, {cores(0, 4), cores(1, 4)}},
          {"n", 4, 2, 4, 2, 4, {{0, 1}, {2, 3}}, {cores(0, 4), cores(1, 4)}},
          {"u", 4, 2, 8, 1, 4, {{0, 1}, {2, 3}}, {cores(0, 8), cores(1, 8)}},
          {"v", 3, 2, 8, 1, 4, {{0}, {1, 2, 3}}, {cores(0, 8), cores(1, 8)}},
          {"w", 3, 2, 4, 1, 4, {span(0, 3)}, {cores(0, 4)}},
          {"x", 3, 3, 4, 1, 6, {{0, 1}, {2, 3}, {4, 5}}, {cores(0, 4), cores(1, 4), cores(2, 4)}}};
}

std::vector<std::string> names_of(const Make& make) {
  std::vector<std::string> names;
  for (std::uint32_t i = 1; i <= make.nodes; ++i)
    names.push_back(fmt::format("{}{}", make.letter, i));
  return names;
}

void furnish(TestCluster& cluster) {
  cluster.conf.gres_types = {"gpu"};
  for (const Make& make : makes()) {
    for (const std::string& node : names_of(make)) {
      for (std::size_t i = 0; i < make.devices.size(); ++i) {
        cluster.add(DeviceLine{.node = node,
                               .name = "gpu",
                               .type = "a100",
                               .devices = make.devices[i],
                               .cores = make.at[i]});
      }
    }
  }
  for (const Make& make : makes()) {
    cluster.add(NodeLine{.names = names_of(make),
                         .sockets = make.sockets,
                         .cores = make.cores,
                         .threads = make.threads,
                         .memory_mib = 16000,
                         .gres = {{"gpu", "a100", make.gpus}}});
    cluster.partition(make.letter, names_of(make));
  }
  cluster.partition("d", {"n1", "n2", "n3", "n4"}).def_cpu_per_gpu = 3;
  cluster.partition("e", {"u1", "u2", "u3", "u4"}).def_cpu_per_gpu = 5;
  cluster.build();
}

/// `d -n9 --gpus=1`: the partition, then sbatch's words.
std::pair<std::string, std::string> parts(const std::string& words) {
  return {words.substr(0, 1), words.size() > 2 ? words.substr(2) : ""};
}

void hold(TestCluster& cluster, const std::string& list) {
  cluster.end_all();
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find("; ", begin), list.size());
    const auto [partition, options] = parts(list.substr(begin, end - begin));
    cluster.start(options, partition);
    begin = end + 2;
  }
}

/// `n1 0-7 0,2; n2 0 -`: cores and GPUs of each node.
std::string answer(TestCluster& cluster, const std::string& words) {
  const auto [partition, options] = parts(words);
  const auto given = cluster.place(options, partition);
  if (!given) return cluster.ever(options, partition) ? "waits" : "refused";
  std::string text;
  for (const NodeShare& share : given->nodes) {
    std::vector<std::size_t> cores;
    share.cores.for_each([&](std::size_t core) { cores.push_back(core); });
    std::vector<std::size_t> devices;
    for (const DeviceShare& device : share.devices) devices.push_back(device.device);
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ",
                        cluster.names.text(cluster.nodes[share.node].name), ranges(cores),
                        devices.empty() ? "-" : ranges(devices));
  }
  return text;
}

TEST(NearCores, AreChosenAsARunningSlurmctldDid) {
  std::ifstream lines(source_folder() / "tests/data/placements/near_cores.txt");
  ASSERT_TRUE(lines.is_open());
  TestCluster cluster;
  furnish(cluster);
  std::size_t asked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("held:", 0) == 0) {
      hold(cluster, line.size() > 6 ? line.substr(6) : "");
      continue;
    }
    const bool is_open = line[0] == '?';
    if (is_open) line.erase(0, 2);
    const std::size_t bar = line.find(" | ");
    ASSERT_NE(bar, std::string::npos) << line;
    const std::string words = line.substr(0, bar);
    const std::string told = line.substr(bar + 3);
    ++asked;
    if (is_open) {
      EXPECT_NE(answer(cluster, words), told) << words << ": the question mark can go";
    } else {
      EXPECT_EQ(answer(cluster, words), told) << words;
    }
  }
  EXPECT_GT(asked, 1000U);
}

}  // namespace
}  // namespace rehearse::test
