// tests/unit/output/result_file_test.cpp — what is written is read back; the same twice; or
// nothing.
#include "sim/output/result_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "sim/core/error.hpp"
#include "sim/output/output_error.hpp"
#include "sim/output/result_columns.hpp"
#include "sim/output/sacct_writer.hpp"
#include "tests/unit/output/fixture.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

class ResultFileTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file(const char* name) const { return folder_.path() / name; }
  ScratchFolder folder_;
};

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Provenance provenance() {
  Provenance from;
  from.version = "0.1.0";
  from.commit = "abcdef0";
  from.command_line = "rehearse run small -o out.h5";
  from.slurm_version = "22.05";
  from.seeds = {{"run", 7}};
  from.inputs = {make_input("slurm.conf", "slurm.conf", "ClusterName=small\n"),
                 make_input("jobs", "sacct.txt", "a|b\n")};
  from.inputs.back().text.clear();  // that of jobs is not kept
  from.configuration = R"({"slurm.conf":{"ClusterName":"small"}})";
  return from;
}

void write_small(const std::filesystem::path& path) {
  const Result result = small_result();
  write_result(path, result, compute_kpis(result), provenance());
}

TEST_F(ResultFileTest, EveryColumnComesBackAsItWas) {
  Result before = small_result();
  before.completing.run = {2, 0};
  before.completing.end = {kStart + 4300, kNoTime};
  before.loops_by_hour.main_records = {17};
  before.cluster.min_job_age_s = 7;
  before.former_shares = {{2}, {kStart + 300}, {-1}, {0.25}};
  before.priority_parts = {{1}, {0}, {kStart}, {kNoTime}, {1}, {2}, {3}, {4}, {-5}, {0}};
  write_result(file("a.h5"), before, compute_kpis(before), provenance());
  const ResultFile after = read_result(file("a.h5"));
  std::size_t columns = 0;
  for_each_run_column(before.runs, [&](const ColumnInfo& info, const auto& expected) {
    using Column = std::decay_t<decltype(expected)>;
    for_each_run_column(after.result.runs, [&](const ColumnInfo& other, const auto& found) {
      if (other.name != info.name) return;
      if constexpr (std::is_same_v<Column, std::decay_t<decltype(found)>>) {
        EXPECT_EQ(found, expected) << info.name;
        ++columns;
      }
    });
  });
  EXPECT_EQ(columns, 52U);
  EXPECT_EQ(after.result.waits.reason, before.waits.reason);
  EXPECT_EQ(after.result.holdings.gpu_milli, before.holdings.gpu_milli);
  EXPECT_EQ(after.result.node_events.state, before.node_events.state);
  EXPECT_EQ(after.result.cluster.nodes[1].gpu_milli, 8000U);
  EXPECT_EQ(after.result.cluster.partitions[0].node_list, "g[01-02]");
  EXPECT_EQ(after.result.loops.event_fingerprint, 0x1234U);
  EXPECT_EQ(after.result.loops.main_starts, 3U);
  EXPECT_TRUE(after.result.complete);
  EXPECT_TRUE(after.result.completing.kept && after.result.loops_by_hour.kept);
  EXPECT_EQ(after.result.completing.run, before.completing.run);
  EXPECT_EQ(after.result.completing.end, before.completing.end);
  EXPECT_EQ(after.result.former_shares.shares, before.former_shares.shares);
  EXPECT_EQ(after.result.former_shares.shares_norm, before.former_shares.shares_norm);
  EXPECT_EQ(after.result.priority_parts.end, before.priority_parts.end);
  EXPECT_EQ(after.result.priority_parts.in_partition, before.priority_parts.in_partition);
  EXPECT_EQ(after.result.priority_parts.nice, before.priority_parts.nice);
  EXPECT_EQ(after.result.loops_by_hour.time, before.loops_by_hour.time);
  EXPECT_EQ(after.result.loops_by_hour.main_records, before.loops_by_hour.main_records);
  EXPECT_EQ(after.result.cluster.min_job_age_s, 7);
  EXPECT_EQ(after.result.cluster.tres, before.cluster.tres);
  for (std::size_t row = 0; row < before.runs.size(); ++row) {
    EXPECT_EQ(sacct_row(after.result, row, TimeZone::utc()),
              sacct_row(before, row, TimeZone::utc()));
  }
}

TEST_F(ResultFileTest, FiguresAndTheBirthCertificateComeBack) {
  write_small(file("a.h5"));
  const ResultFile after = read_result(file("a.h5"));
  const Kpis expected = compute_kpis(small_result());
  ASSERT_EQ(after.kpis.values.size(), expected.values.size());
  EXPECT_EQ(after.kpis.overall("gpu_utilization_existing"),
            expected.overall("gpu_utilization_existing"));
  EXPECT_EQ(after.provenance.seeds, provenance().seeds);
  ASSERT_EQ(after.provenance.inputs.size(), 2U);
  EXPECT_EQ(after.provenance.inputs[0].text, "ClusterName=small\n");
  EXPECT_EQ(after.provenance.inputs[1].text, "");
  EXPECT_EQ(after.provenance.inputs[1].bytes, 4U);
}

TEST_F(ResultFileTest, TheSameResultGivesTheSameBytes) {
  write_small(file("a.h5"));
  write_small(file("b.h5"));
  EXPECT_GT(bytes_of(file("a.h5")).size(), 10'000U);
  EXPECT_TRUE(bytes_of(file("a.h5")) == bytes_of(file("b.h5")));
}

TEST_F(ResultFileTest, AnEmptyRunIsAFileToo) {
  SmallCluster small;
  small.recorder.run_ended(*small.cluster, at(0), {});
  const Result result = small.recorder.take(false);
  write_result(file("a.h5"), result, compute_kpis(result), provenance());
  const ResultFile after = read_result(file("a.h5"));
  EXPECT_EQ(after.result.runs.size(), 0U);
  EXPECT_FALSE(after.result.complete);
}

TEST_F(ResultFileTest, AFailureLeavesNothingAndSaysWhy) {
  const auto missing = folder_.path() / "no" / "such" / "folder.h5";
  try {
    write_small(missing);
    FAIL() << "written where there is no folder";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(ResultFileTest, AFullDiskIsToldAndLeavesNothing) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  // The temporary file is a link to a device that is always full.
  std::filesystem::create_symlink("/dev/full", file("a.h5.part"));
  // In a process of its own: libhdf5 1.10 forgets some memory of a file it could not flush.
  const auto try_it = [&] {
    try {
      write_small(file("a.h5"));
    } catch (const OutputError& error) {
      ::_exit(std::string(error.what()).find("No space left on device") != std::string::npos ? 7
                                                                                             : 8);
    }
    ::_exit(9);
  };
  EXPECT_EXIT(try_it(), ::testing::ExitedWithCode(7), "");
  EXPECT_FALSE(std::filesystem::exists(file("a.h5")));
  EXPECT_FALSE(std::filesystem::is_symlink(file("a.h5.part")));
}

TEST_F(ResultFileTest, WhatIsNotAResultIsRefused) {
  std::ofstream(file("a.h5")) << "not HDF5";
  EXPECT_FALSE(is_hdf5(file("a.h5")));
  EXPECT_THROW(static_cast<void>(read_result(file("a.h5"))), InputError);
  write_small(file("b.h5"));
  EXPECT_TRUE(is_hdf5(file("b.h5")));
}

}  // namespace
}  // namespace rehearse::test
