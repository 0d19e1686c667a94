// tests/unit/sched/placements.cpp — what a running slurmctld answered, line by line, beside the
// answers here.
#include "tests/unit/sched/placements.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "tests/support/source_folder.hpp"

namespace rehearse::test {
namespace {

/// `d -n9 --gpus=1`: the partition, then sbatch's words.
std::pair<std::string, std::string> parts(const std::string& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  return {words.substr(0, end), words.size() > end ? words.substr(end + 1) : ""};
}

void hold(TestCluster& cluster, const std::string& list) {
  cluster.end_all();
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find("; ", begin), list.size());
    const auto [partition, options] = parts(list.substr(begin, end - begin));
    if (partition == "end") {
      cluster.end(std::stoul(options));  // the so-maniest of them
    } else {
      cluster.start(options, partition);
    }
    begin = end + 2;
  }
}

/// `n1 0-7 0,2; n2 0 -`: cores and GPUs of each node.
std::string answer(TestCluster& cluster, const std::string& words) {
  const auto [partition, options] = parts(words);
  std::optional<Allocation> given;
  try {
    if (!cluster.ever(options, partition)) return "refused";
    given = cluster.place(options, partition);
  } catch (const std::invalid_argument&) {
    return "refused";  // by sbatch
  }
  if (!given) return "waits";
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

}  // namespace

std::vector<std::string> names_of(const Make& make) {
  std::vector<std::string> names;
  for (std::uint32_t i = 1; i <= make.nodes; ++i)
    names.push_back(fmt::format("{}{}", make.letter, i));
  return names;
}

namespace {

std::string type_of(const Make& make, std::size_t line) {
  return make.types.empty() ? "a100" : make.types[line];
}

/// `gpu:a100:4,gpu:v100:2`.
std::vector<GresSpec> gres_of(const Make& make) {
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t i = 0; i < make.devices.size(); ++i) {
    counts[type_of(make, i)] += make.devices[i].size();
  }
  std::vector<GresSpec> gres;
  for (const auto& [type, count] : counts) gres.push_back({"gpu", type, count});
  return gres;
}

}  // namespace

void furnish(TestCluster& cluster, const std::vector<Make>& makes) {
  cluster.conf.gres_types = {"gpu"};
  for (const Make& make : makes) {
    for (const std::string& node : names_of(make)) {
      for (std::size_t i = 0; i < make.devices.size(); ++i) {
        cluster.add(DeviceLine{.node = node,
                               .name = "gpu",
                               .type = type_of(make, i),
                               .devices = make.devices[i],
                               .cores = make.at[i]});
      }
    }
  }
  for (const Make& make : makes) {
    cluster.add(NodeLine{.names = names_of(make),
                         .sockets = make.sockets,
                         .cores = make.cores,
                         .threads = make.threads,
                         .memory_mib = 16000,
                         .gres = gres_of(make),
                         .weight = make.weight});
    cluster.partition(make.letter, names_of(make));
  }
}

std::size_t expect_placements(TestCluster& cluster, std::string_view file,
                              std::string_view parameters) {
  std::ifstream lines(source_folder() / "tests/data/placements" / file);
  EXPECT_TRUE(lines.is_open());
  std::size_t asked = 0;
  std::string held;
  bool is_under = parameters.empty();
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("conf: ", 0) == 0) {
      is_under = line.substr(6) == parameters;
      continue;
    }
    if (!is_under) continue;
    if (line.rfind("held:", 0) == 0) {
      held = line.size() > 6 ? line.substr(6) : "";
      hold(cluster, held);
      continue;
    }
    const bool is_open = line[0] == '?';
    if (is_open) line.erase(0, 2);
    const std::size_t bar = line.find(" | ");
    if (bar == std::string::npos) {
      ADD_FAILURE() << line;
      continue;
    }
    const std::string words = line.substr(0, bar);
    const std::string told = line.substr(bar + 3);
    ++asked;
    if (is_open) {
      EXPECT_NE(answer(cluster, words), told) << words << ": the question mark can go";
    } else {
      EXPECT_EQ(answer(cluster, words), told) << words << ", held: " << held;
    }
  }
  return asked;
}

}  // namespace rehearse::test
