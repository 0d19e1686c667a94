// tests/unit/config/recordings_test.cpp — the files of the recorded clusters, which a real
// slurmctld 22.05.8 took, are read without a finding that says otherwise.
#include <gtest/gtest.h>

#include <filesystem>

#include "sim/config/gres_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "tests/support/source_folder.hpp"

namespace rehearse::test {
namespace {

class Recording : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::filesystem::path folder() const {
    return source_folder() / "tests/data/recordings" / GetParam();
  }
};

TEST_P(Recording, SlurmConfIsReadWithoutAFinding) {
  Diagnostics found;
  const SlurmConf conf = read_slurm_conf(folder() / "slurm.conf", {}, found);
  for (const Diagnostic& finding : found.all()) ADD_FAILURE() << to_text(finding);
  EXPECT_EQ(conf.cluster_name, "oracle");
  EXPECT_EQ(conf.select_type, SelectType::ConsTres);
  EXPECT_EQ(conf.select_type_parameters.unit, ConsumableUnit::Core);
  EXPECT_TRUE(conf.select_type_parameters.memory);
  EXPECT_EQ(conf.priority.type, PriorityType::Multifactor);
  EXPECT_TRUE(conf.has_accounting);
  EXPECT_TRUE(conf.enforce.associations && conf.enforce.limits && conf.enforce.qos);
  EXPECT_FALSE(conf.enforce.safe);
  EXPECT_EQ(conf.scheduler_parameters.bf_resolution, Seconds{60});
  EXPECT_EQ(conf.message_timeout, Seconds{600});
  EXPECT_FALSE(conf.nodes.empty());
  EXPECT_FALSE(conf.partitions.empty());
}

TEST_P(Recording, GresConfIsReadWithoutAFinding) {
  Diagnostics found;
  const GresConf gres = read_gres_conf(folder() / "gres.conf", found);
  const SlurmConf conf = read_slurm_conf(folder() / "slurm.conf", {}, found);
  for (const Diagnostic& finding : found.all()) ADD_FAILURE() << to_text(finding);
  for (const GresConfLine& line : gres.lines) {
    EXPECT_FALSE(line.nodes.empty());
    EXPECT_TRUE(line.files.empty() == line.count.has_value());
  }
  for (const NodeConf& node : conf.nodes) {
    Diagnostics spec_found;
    const auto specs = parse_gres_spec(node.gres, node.gres_where, spec_found);
    EXPECT_TRUE(spec_found.all().empty());
    EXPECT_EQ(specs.empty(), node.gres.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, Recording,
                         testing::Values("arrays_deps", "backfill", "fairtree", "mig_mps_shard",
                                         "mixed", "multifactor", "outage", "packing",
                                         "preempt_part", "preempt_qos", "qos", "suspend_gang"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace rehearse::test
