// tests/unit/study/table_agreement_test.cpp — rows of sshare beside the associations they are of.
#include "sim/study/table_agreement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/study/load_site.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

// ola has two associations with geo, one of them for a partition, which sshare does not name.
class SshareRows : public testing::Test {
 protected:
  SshareRows() {
    (void)folder_.write("slurm.conf",
                        "ClusterName=c\nSlurmctldHost=h\nPriorityType=priority/multifactor\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                        "NodeName=n1 CPUs=8\nPartitionName=long Nodes=n1 Default=YES\n");
    (void)folder_.write("assoc.dump",
                        "Cluster - 'c'\nParent - 'root'\nUser - 'root':DefaultAccount='root'\n"
                        "Account - 'geo':Fairshare=5\nParent - 'geo'\n"
                        "User - 'ola':DefaultAccount='geo':Fairshare=1\n"
                        "User - 'ola':Partition='long':DefaultAccount='geo':Fairshare=3\n");
    Diagnostics found;
    site_ = load_site(folder_.path(), {}, found, {});
    for (Association& each : site_->cluster->accounts.associations) {
      if (each.user != kNoName) each.shares_norm = each.partition == kNoName ? 0.25L : 0.75L;
    }
  }

  std::size_t differing(const std::vector<std::string>& shares) {
    RecordedTables tables;
    for (const std::string& each : shares) {
      tables.sshare.push_back({"geo", "ola", {{"NormShares", each}}, {}});
    }
    why_.clear();
    return differing_rows(tables, *site_->cluster, site_->names, why_).sshare.size();
  }

  ScratchFolder folder_;
  std::unique_ptr<LoadedSite> site_;
  std::vector<TableDifference> why_;
};

TEST_F(SshareRows, OfSeveralPartitionsAreTakenInWhateverOrderTheyStand) {
  EXPECT_EQ(differing({"0.250000", "0.750000"}), 0U);
  EXPECT_EQ(differing({"0.750000", "0.250000"}), 0U);
}

TEST_F(SshareRows, AreEachOfAnAssociationOfTheirOwn) {
  EXPECT_EQ(differing({"0.750000", "0.750000"}), 1U);
  ASSERT_EQ(why_.size(), 1U);
  EXPECT_EQ(why_[0].ours + " " + why_[0].theirs, "0.250000 0.750000");
  EXPECT_EQ(differing({"0.750000", "0.250000", "0.250000"}), 1U);
  EXPECT_EQ(why_[0].ours, "no such association");
}

}  // namespace
}  // namespace rehearse::test
