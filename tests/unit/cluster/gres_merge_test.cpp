// tests/unit/cluster/gres_merge_test.cpp — which devices a node has after merging (gres.md
// §1.4–1.6).
#include <gtest/gtest.h>

#include "sim/cluster/gres.hpp"
#include "sim/cluster/node.hpp"

namespace rehearse::test {
namespace {

class GresMerge : public ::testing::Test {
 protected:
  void SetUp() override {
    node.name = "n1";
    node.sockets = 2;
    node.cores_per_socket = 8;
    node.cpus = 16;
    node.real_memory_mib = 1000;
  }
  GresConfLine& line(const std::string& name, const std::string& type,
                     const std::vector<std::string>& files) {
    GresConfLine one;
    one.name = name;
    one.type = type;
    one.files = files;
    conf.lines.push_back(one);
    return conf.lines.back();
  }
  MergedGres merge(const std::vector<GresSpec>& specs) {
    return merge_gres(node, specs, conf, {"gpu", "mps", "shard", "nic"}, names, found);
  }
  std::vector<std::uint64_t> units(const NodeGres& gres) {
    std::vector<std::uint64_t> amounts;
    for (const GresDevice& device : gres.devices) amounts.push_back(device.units);
    return amounts;
  }
  NodeConf node;
  GresConf conf;
  NamePool names;
  Diagnostics found;
};

TEST_F(GresMerge, CutsARecordToTheCountOfSlurmConf) {
  line("gpu", "a100", {"a", "b", "c", "d"});
  const MergedGres merged = merge({{"gpu", "a100", 3}});
  EXPECT_EQ(merged.gres[0].devices.size(), 3U);
  EXPECT_EQ(merged.drain_reason, "");
}

// [V]: such a node registers, and is drained.
TEST_F(GresMerge, MatchesTypesWhateverTheirCaseAndDrainsTheNode) {
  line("gpu", "A100", {"a"});
  const MergedGres merged = merge({{"gpu", "a100", 1}});
  EXPECT_EQ(merged.gres[0].total, 1U);
  EXPECT_EQ(merged.drain_reason, "gres/gpu:a100 count too low (0 < 1)");
  conf.auto_detect = true;
  EXPECT_EQ(merge({{"gpu", "a100", 1}}).drain_reason, "");
}

// [V]: Gres=gpu:b:1,gpu:a:1,gpu:b:1 over one line of two b.
TEST_F(GresMerge, TakesEntriesOfATypeAsOne) {
  line("gpu", "a", {"0"});
  line("gpu", "b", {"1", "2"});
  const MergedGres merged = merge({{"gpu", "b", 1}, {"gpu", "a", 1}, {"gpu", "b", 1}});
  EXPECT_EQ(merged.drain_reason, "");
  std::string types;
  for (const GresDevice& device : merged.gres[0].devices) types += names.text(device.type);
  EXPECT_EQ(types, "bba");
}

TEST_F(GresMerge, DrainsANodeWithFewerDevicesThanConfigured) {
  line("gpu", "a100", {"a"});
  EXPECT_EQ(merge({{"gpu", "a100", 2}}).drain_reason,
            "gres/gpu count reported lower than configured (1 < 2)");
}

TEST_F(GresMerge, TakesDevicesOfSlurmConfWhereALineSaysAutoDetectForTheNode) {
  line("gpu", "a100", {"a"}).nodes = {"other"};
  conf.auto_detect_on = {"m", "n1", "o"};
  EXPECT_EQ(merge({{"gpu", "1g.10gb", 28}}).gres.at(0).total, 28U);
  conf.auto_detect_on = {"m", "o"};
  EXPECT_EQ(merge({{"gpu", "1g.10gb", 28}}).drain_reason,
            "gres/gpu count reported lower than configured (0 < 28)");
  conf.auto_detect = true;
  EXPECT_EQ(merge({{"gpu", "1g.10gb", 28}}).drain_reason, "");
  conf.auto_detect_off = {"n1"};
  EXPECT_NE(merge({{"gpu", "1g.10gb", 28}}).drain_reason, "");
}

TEST_F(GresMerge, IgnoresNamesOutsideGresTypesWithAWarning) {
  EXPECT_TRUE(merge({{"fpga", "", 1}}).gres.empty());
  ASSERT_EQ(found.all().size(), 1U);
  EXPECT_EQ(found.all()[0].severity, Severity::Warning);
}

TEST_F(GresMerge, RefusesTypedBesideUntypedEntries) {
  (void)merge({{"gpu", "a100", 1}, {"gpu", "", 1}});
  EXPECT_TRUE(found.has_errors());
}

TEST_F(GresMerge, CreditsARecordToItsLowestSocketOrToNone) {
  line("gpu", "x", {"a"}).cores = {8, 9};
  line("gpu", "x", {"b"}).cores = {7, 8};
  line("gpu", "x", {"c"});
  const NodeGres gpu = merge({{"gpu", "x", 3}}).gres[0];
  EXPECT_EQ(gpu.devices[0].socket, std::optional<std::uint16_t>(1));
  EXPECT_EQ(gpu.devices[1].socket, std::nullopt) << "it touches every socket";
  EXPECT_EQ(gpu.devices[2].socket, std::nullopt);
  node.sockets = 4;
  node.cores_per_socket = 4;
  EXPECT_EQ(merge({{"gpu", "x", 3}}).gres[0].devices[1].socket, std::optional<std::uint16_t>(1));
}

TEST_F(GresMerge, HasTopologyOnlyWithCoresOrTypes) {
  line("gpu", "", {"a", "b"});
  EXPECT_FALSE(merge({{"gpu", "", 2}}).gres[0].has_topology);
  conf.lines[0].cores = {0};
  EXPECT_TRUE(merge({{"gpu", "", 2}}).gres[0].has_topology);
}

TEST_F(GresMerge, TakesATypedLinesTypeAwayForAnUntypedEntry) {
  line("gpu", "a100", {"a"});
  EXPECT_EQ(merge({{"gpu", "", 1}}).gres[0].devices[0].type, kNoName);
}

TEST_F(GresMerge, DealsMpsOverGpusWithTheRestAtTheEnd) {
  line("gpu", "", {"a", "b", "c"});
  line("mps", "", {}).count = 100;
  const MergedGres merged = merge({{"gpu", "", 3}, {"mps", "", 100}});
  EXPECT_EQ(units(merged.gres[1]), (std::vector<std::uint64_t>{33, 33, 34}));
  EXPECT_TRUE(merged.gres[1].one_sharing);
  EXPECT_EQ(merged.gres[1].shares, std::optional<std::uint16_t>(0));
}

TEST_F(GresMerge, DividesALinesCountOverItsFiles) {
  line("gpu", "", {"a", "b"});
  line("mps", "", {"a", "b"}).count = 100;
  EXPECT_EQ(units(merge({{"gpu", "", 2}, {"mps", "", 100}}).gres[1]),
            (std::vector<std::uint64_t>{50, 50}));
}

TEST_F(GresMerge, KeepsCountsWithoutFiles) {
  line("nic", "", {}).count = 4;
  const NodeGres nic = merge({{"nic", "", 4}}).gres[0];
  EXPECT_TRUE(nic.count_only);
  EXPECT_TRUE(nic.devices.empty());
  EXPECT_EQ(nic.total, 4U);
}

TEST_F(GresMerge, DropsLinksOfTheWrongLength) {
  line("gpu", "x", {"a"}).links = {-1, 4};
  line("gpu", "x", {"b"}).links = {4};
  EXPECT_TRUE(merge({{"gpu", "x", 2}}).gres[0].links.empty());
  EXPECT_EQ(found.all().size(), 1U);
}

TEST_F(GresMerge, SpecialisesTheLastCoresOfEachSocketInTurn) {
  node.core_spec_count = 3;
  node.mem_spec_limit_mib = 100;
  SchedulerParameters parameters;
  const Node last = make_node(node, {}, parameters, names, found);
  EXPECT_TRUE(last.specialised_cores.test(15) && last.specialised_cores.test(7) &&
              last.specialised_cores.test(14));
  EXPECT_EQ(last.effective_cpus, 13U);
  EXPECT_EQ(last.memory_mib, 900U);
  parameters.spec_cores_first = true;
  const Node first = make_node(node, {}, parameters, names, found);
  EXPECT_TRUE(first.specialised_cores.test(0) && first.specialised_cores.test(8) &&
              first.specialised_cores.test(1));
}

TEST_F(GresMerge, SchedulesCoresWhereCpusCountsThem) {
  node.threads_per_core = 2;
  EXPECT_EQ(make_node(node, {}, {}, names, found).cpus_per_core, 1U);
  node.cpus = 32;
  EXPECT_EQ(make_node(node, {}, {}, names, found).cpus_per_core, 2U);
}

}  // namespace
}  // namespace rehearse::test
