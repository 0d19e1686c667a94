// tests/unit/workloads/recorded_tables_test.cpp — tables of sprio and sshare, as printed.
#include "workloads/recorded_tables.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

class RecordedTablesFolder : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { scratch.write(name, text); }
  std::vector<RecordedTables> read() { return read_recorded_tables(scratch.path(), found); }

  ScratchFolder scratch;
  Diagnostics found;
};

TEST_F(RecordedTablesFolder, HoldsBothTablesOfAnInstantTogether) {
  write("a.sshare.txt", "# at 2000\nAccount|User|RawUsage|LevelFS\nroot||7|\n ml|ann|5|inf\n");
  write("a.sprio.txt",
        "# at 2000\n          JOBID PARTITION     USER   PRIORITY        AGE  PARTITION   TRES\n"
        "          12_[3] p1             ann       4711        -12        300 cpu=4,mem=17,gres/g\n"
        "# at 1000\n");
  const auto tables = read();
  ASSERT_TRUE(found.all().empty()) << to_text(found.all()[0]);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(epoch_seconds(tables[0].at), 1000);
  ASSERT_EQ(tables[1].sprio.size(), 1U);
  const SprioRow& job = tables[1].sprio[0];
  EXPECT_EQ(job.job, JobId{12});
  EXPECT_EQ(job.partition, "p1");
  EXPECT_EQ(job.points.at("PRIORITY"), 4711);
  EXPECT_EQ(job.points.at("AGE"), -12);
  EXPECT_EQ(job.points.at("PARTITION"), 300);
  EXPECT_EQ(job.tres_points.size(), 2U);  // the last one is cut
  EXPECT_EQ(job.tres_points.at("mem"), 17);
  ASSERT_EQ(tables[1].sshare.size(), 2U);
  EXPECT_EQ(tables[1].sshare[1].account, "ml");
  EXPECT_EQ(tables[1].sshare[1].fields.at("LevelFS"), "inf");
}

TEST_F(RecordedTablesFolder, TellsLinesThatAreNoRows) {
  write("sprio", "JOBID PARTITION\n# at noon\n");
  write("sshare", "# at 5\nAccount|User\nroot\nroot||extra\n");
  (void)read();
  std::vector<std::string> told;
  for (const Diagnostic& each : found.all()) {
    told.push_back(std::to_string(each.where.line) + " " + each.what);
  }
  EXPECT_EQ(told,
            (std::vector<std::string>{"1 a table without an instant", "2 no instant",
                                      "3 another number of fields", "4 another number of fields"}));
}

TEST_F(RecordedTablesFolder, MayBeMissing) {
  EXPECT_TRUE(read_recorded_tables(scratch.path() / "none", found).empty());
}

TEST_F(RecordedTablesFolder, TellsWhenSshareWasRun) {
  write("900.sprio.txt", "# at 7\n");
  write("900.sshare.txt", "# at 1800000900\nAccount|User\n# at 99999999999999999\n# at x\n");
  write("0.sshare.txt", "# at 1800000000\n");
  EXPECT_EQ(
      read_share_questions(scratch.path()),
      (std::vector<SlurmTime>{from_epoch_seconds(1800000000), from_epoch_seconds(1800000900)}));
  EXPECT_TRUE(read_share_questions(scratch.path() / "none").empty());
}

}  // namespace
}  // namespace rehearse::test
