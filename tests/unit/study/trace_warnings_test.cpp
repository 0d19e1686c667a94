// tests/unit/study/trace_warnings_test.cpp — what a trace's times and limits say of themselves.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/study/load_site.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

/// A row of `minutes`, submitted at that date; `limit` [min] where the column is there.
struct Row {
  const char* date;
  int minutes = 1;
  int limit = 0;
};

class TraceWarnings : public testing::Test {
 protected:
  /// Loads a site of that DefaultTime and these rows, with a Timelimit column or without.
  const LoadedSite& load(const std::vector<Row>& rows, bool has_limits,
                         const std::string& default_time = "") {
    (void)folder_.write("slurm.conf",
                        "ClusterName=mine\nSlurmctldHost=ctl\nSelectType=select/cons_tres\n"
                        "SelectTypeParameters=CR_Core\nNodeName=n1 CPUs=8 RealMemory=32000\n"
                        "PartitionName=batch Nodes=n1 Default=YES MaxTime=1-0" +
                            default_time + "\n");
    std::string text = std::string("JobIDRaw|User|Partition|Submit|Start|End|ElapsedRaw|State|") +
                       "ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES|NodeList" +
                       (has_limits ? "|TimelimitRaw\n" : "\n");
    int id = 0;
    for (const Row& row : rows) {
      const std::string day = row.date;
      const std::string end =
          day +
          (row.minutes < 60 ? "T00:" + two(row.minutes) : "T" + two(row.minutes / 60) + ":00") +
          ":00";
      text += std::to_string(++id) + "|ann|batch|" + day + "T00:00:00|" + day + "T00:00:00|" + end +
              "|" + std::to_string(row.minutes * 60) +
              "|COMPLETED|0:0|1|1|cpu=1,node=1|cpu=1,node=1|n1" +
              (has_limits ? "|" + std::to_string(row.limit) + "\n" : "\n");
    }
    (void)folder_.write("sacct.txt", text + more_rows_);
    found_ = Diagnostics();
    site_ = load_site(folder_.path(), {}, found_);
    return *site_;
  }

  void have_log(const std::string& text) { (void)folder_.write("slurmctld.log", text); }
  void have_rows(const std::string& more) { more_rows_ = more; }

  [[nodiscard]] bool is_told(std::string_view words) const {
    for (const Diagnostic& each : found_.all()) {
      if (each.what.find(words) != std::string::npos) return true;
    }
    return false;
  }
  [[nodiscard]] static std::vector<Minutes> limits_of(const LoadedSite& site) {
    std::vector<Minutes> limits;
    for (const JobSpec& spec : site.jobs().specs()) {
      limits.push_back(spec.time_limit.value_or(Minutes{0}));
    }
    return limits;
  }

 private:
  static std::string two(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }
  ScratchFolder folder_;
  std::string more_rows_;  ///< of sacct.txt, behind the others
  Diagnostics found_;
  std::unique_ptr<LoadedSite> site_;
};

TEST_F(TraceWarnings, ARowOfAnotherYearIsToldWithItsLine) {
  (void)load({{"1970-01-02"}, {"2025-03-01"}, {"2025-03-02"}, {"2025-03-09"}}, true);
  EXPECT_TRUE(
      is_told("nothing is submitted for 20147 days, from 1970-01-02T00:00:00 to "
              "2025-03-01T00:00:00, of 20155 in all"));
}

TEST_F(TraceWarnings, AQuietMonthOfAYearIsNot) {
  (void)load({{"2025-01-01"}, {"2025-02-20"}, {"2025-04-01"}, {"2025-05-15"}}, true);
  EXPECT_FALSE(is_told("nothing is submitted"));
}

TEST_F(TraceWarnings, WithoutLimitsARunBeyondDefaultTimeGetsTheMinutesThatItRan) {
  const LoadedSite& site = load({{"2025-03-01", 50}, {"2025-03-02", 5}}, false, " DefaultTime=10");
  EXPECT_EQ(limits_of(site), (std::vector<Minutes>{Minutes{50}, Minutes{0}}));
  EXPECT_TRUE(is_told("1 jobs ran beyond the default limit of their partition"));
}

TEST_F(TraceWarnings, ARunBeyondItsOwnLimitIsToldAndKeepsIt) {
  const LoadedSite& site =
      load({{"2025-03-01", 50, 10}, {"2025-03-02", 15, 10}}, true, " DefaultTime=5");
  EXPECT_EQ(limits_of(site), (std::vector<Minutes>{Minutes{10}, Minutes{10}}));
  EXPECT_TRUE(is_told("1 jobs ran more than 10 minutes beyond their Timelimit"));
}

std::string submitted(const char* date, int id) {
  return std::string("[") + date +
         "T00:00:00.500] _slurm_rpc_submit_batch_job: JobId=" + std::to_string(id) +
         " InitPrio=1 usec=100\n";
}

TEST_F(TraceWarnings, SubmissionsOfTheLogThatHaveNoRowAreTold) {
  have_log(submitted("2025-02-28", 70) + submitted("2025-03-01", 1) + submitted("2025-03-02", 91) +
           submitted("2025-03-02", 81) + submitted("2025-03-03", 2) + submitted("2025-03-04", 71));
  (void)load({{"2025-03-01"}, {"2025-03-03"}}, true);
  EXPECT_TRUE(is_told("2 submissions have no row that can be read in "));
  EXPECT_TRUE(is_told(" and are not simulated: 81,91")) << "70 and 71 are of another time";
}

TEST_F(TraceWarnings, NotThoseOfWhichARowIsLeftOut) {
  have_log(submitted("2025-03-01", 1) + submitted("2025-03-02", 81) + submitted("2025-03-03", 2));
  have_rows(
      "81|ann|batch|2025-03-02T00:00:00|Unknown|Unknown|0|REVOKED|0:0|1|1|cpu=1,node=1|||1\n");
  (void)load({{"2025-03-01"}, {"2025-03-03"}}, true);
  EXPECT_FALSE(is_told("no row that can be read"));
}

TEST_F(TraceWarnings, NorThoseOfALogOfOtherJobs) {
  have_log(submitted("2025-03-02", 81));
  (void)load({{"2025-03-01"}, {"2025-03-03"}}, true);
  EXPECT_FALSE(is_told("no row that can be read"));
}

}  // namespace
}  // namespace rehearse::test
