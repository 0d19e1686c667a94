// tests/unit/sched/select_reserved_sockets_test.cpp — CR_Socket beside a reservation of cores
// (scheduling.md §9).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/support/source_folder.hpp"
#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::test {
namespace {

constexpr std::size_t kCores = 16;

/// One node of four sockets, and what the first few of its cores are reserved for.
class ReservedNode {
 public:
  ReservedNode() {
    cluster_.conf.select_type_parameters.unit = ConsumableUnit::Socket;
    cluster_.add(NodeLine{.names = {"n1"}, .sockets = 4, .cores = 4, .memory_mib = 1000});
    cluster_.partition("p", {"n1"});
    cluster_.build();
    cluster_.start("-n1");  // of a partition in which no job ran such a socket is closed
    cluster_.end_all();
  }

  /// `CORES` or `CORES held: JOB; JOB`.
  void stand(const std::string& line) {
    cluster_.end_all();
    reserved_ = CoreSet::first(std::stoul(line));
    const std::size_t jobs = line.find(" held: ");
    if (jobs == std::string::npos) return;
    for (std::size_t begin = jobs + 7; begin < line.size();) {
      const std::size_t end = std::min(line.find("; ", begin), line.size());
      const std::string words = line.substr(begin, end - begin);
      keep_from(words);
      EXPECT_NE(cluster_.start(words), "waits") << line;
      begin = end + 2;
    }
  }

  /// `NumCPUs cores`, or `waits`.
  std::string answer(const std::string& words) {
    keep_from(words);
    const std::optional<Allocation> given = cluster_.place(words);
    if (!given) return "waits";
    const NodeShare& share = given->nodes.front();
    std::vector<std::size_t> cores;
    share.cores.for_each([&](std::size_t core) { cores.push_back(core); });
    return fmt::format("{} {}", share.cpus, ranges(cores));
  }

 private:
  /// Members have the reserved cores and no others, who is none has the others.
  void keep_from(const std::string& words) {
    CoreSet kept = reserved_;
    if (words.find("--reservation") != std::string::npos) {
      kept = CoreSet::first(kCores);
      kept -= reserved_;
    }
    cluster_.reserved = {{NodeId{}, kept}};
  }

  TestCluster cluster_;
  CoreSet reserved_;
};

TEST(ReservedSockets, ServeAsThoseOfARunningSlurmctldDid) {
  std::ifstream lines(source_folder() / "tests/data/placements/reserved_sockets.txt");
  ASSERT_TRUE(lines.is_open());
  constexpr std::string_view kStand = "reserved: ";
  ReservedNode node;
  std::size_t asked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kStand)) {
      node.stand(line.substr(kStand.size()));
      continue;
    }
    const std::size_t bar = line.find(" | ");
    ASSERT_NE(bar, std::string::npos) << line;
    EXPECT_EQ(node.answer(line.substr(0, bar)), line.substr(bar + 3)) << line;
    ++asked;
  }
  EXPECT_GT(asked, 300U);
}

}  // namespace
}  // namespace rehearse::test
