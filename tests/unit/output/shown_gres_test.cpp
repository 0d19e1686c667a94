// tests/unit/output/shown_gres_test.cpp — tests/data/shown_gres.txt: what scontrol shows of merged
// GRES, and which nodes slurmctld drained for them (gres.md §1.4, §8).
#include <gtest/gtest.h>

#include <fstream>

#include "sim/cluster/node.hpp"
#include "sim/output/gres_text.hpp"
#include "tests/support/source_folder.hpp"

namespace rehearse::test {
namespace {

/// The parts of a row between ` | `.
std::vector<std::string> parts_of(const std::string& row) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t bar = row.find(" | ", begin);
    parts.push_back(row.substr(begin, bar - begin));
    if (bar == std::string::npos) return parts;
    begin = bar + 3;
  }
}

std::string gres_lines(std::string lines) {
  for (char& c : lines) c = c == ';' ? '\n' : c;
  return lines + "\n";
}

TEST(ShownGres, AreThoseOfARealSlurmctld) {
  std::ifstream file(source_folder() / "tests/data/shown_gres.txt");
  const std::vector<std::string> types{"gpu", "mps", "shard", "nic"};
  std::size_t asked = 0;
  for (std::string row; std::getline(file, row); ++asked) {
    const std::vector<std::string> parts = parts_of(row);
    ASSERT_GE(parts.size(), 4U) << row;
    NodeConf conf;
    conf.name = "n1";
    conf.cpus = 8;
    conf.sockets = 4;
    conf.cores_per_socket = 2;
    conf.gres = parts[0];
    Diagnostics found;
    NamePool names;
    const GresConf lines = parse_gres_conf(gres_lines(parts[1]), "gres.conf", ".", found);
    MergedGres merged = merge_gres(conf, lines, types, names, found);
    EXPECT_FALSE(found.has_errors()) << row;
    EXPECT_EQ(merged.drain_reason, parts.size() > 4 ? parts[4] : "") << row;
    Node node;
    node.gres = std::move(merged.gres);
    // There the type is shown as gres.conf writes it, here as slurm.conf does.
    if (merged.drain_reason.ends_with("count too low (0 < 2)")) continue;
    const GresTexts shown = gres_texts(node, conf.gres, types, names);
    EXPECT_EQ(shown.all, parts[2]) << row;
    EXPECT_EQ(shown.idle, parts[3]) << row;
  }
  EXPECT_GE(asked, 29U);
}

}  // namespace
}  // namespace rehearse::test
