// tests/unit/workloads/het_line_test.cpp — which options of a component hold for the others, as
// asked of a slurmctld (scripts/reference/experiments/het_options.py).
#include "workloads/het_line.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

SbatchArgs part(std::string_view line, std::uint32_t offset) {
  Diagnostics found;
  const auto args = component_args(line, offset, {"sacct.txt", 1, 1}, found);
  EXPECT_TRUE(args) << line;
  EXPECT_FALSE(found.has_errors()) << line;
  return args.value_or(SbatchArgs{});
}

TEST(HetLine, KeepsSizesPartitionsAndDevicesToTheirComponent) {
  const std::string_view line =
      "sbatch -n2 : -n4 -c2 -p two -L lic:2 -C f --exclusive --gres=gpu:2 : -N1 --wrap true";
  for (const std::uint32_t other : {0U, 2U}) {
    const SbatchArgs args = part(line, other);
    EXPECT_FALSE(args.cpus_per_task);
    EXPECT_EQ(args.partition + args.licenses + args.constraint, "");
    EXPECT_EQ(args.exclusive, ExclusiveMode::None);
    EXPECT_TRUE(args.gres.empty());
  }
  EXPECT_EQ(part(line, 0).ntasks, 2U);
  EXPECT_EQ(part(line, 1).cpus_per_task, 2U);
}

TEST(HetLine, GivesAllWhatOneSaysOfTheWholeJob) {
  const std::string_view line =
      "sbatch -n1 : --mem=3000 -d afterany:1 -t 33 --nice=77 -A blue --qos=hi -x n2 "
      "--reservation=r "
      "--no-requeue -b now+60 -H : -n1 --wrap true";
  for (const std::uint32_t offset : {0U, 1U, 2U}) {
    const SbatchArgs args = part(line, offset);
    EXPECT_EQ(args.mem_per_node_mib, 3000U);
    EXPECT_EQ(args.dependency, "afterany:1");
    EXPECT_EQ(args.time_limit, Minutes{33});
    EXPECT_EQ(args.nice, 77);
    EXPECT_EQ(args.account + args.qos + args.exclude + args.reservation, "bluehin2r");
    EXPECT_EQ(args.requeue, false);
    EXPECT_EQ(args.begin, "now+60");
    EXPECT_TRUE(args.hold);
  }
}

std::vector<std::uint64_t> memory(std::string_view line, std::uint32_t parts) {
  std::vector<std::uint64_t> all;
  for (std::uint32_t i = 0; i < parts; ++i)
    all.push_back(part(line, i).mem_per_node_mib.value_or(0));
  return all;
}

TEST(HetLine, TakesTheNearestWordBeforeElseTheLastOfTheLine) {
  using List = std::vector<std::uint64_t>;
  EXPECT_EQ(memory("sbatch --mem=1000 : -n1 : --mem=2000", 3), (List{1000, 1000, 2000}));
  EXPECT_EQ(memory("sbatch -n1 : --mem=1000 : --mem=2000", 3), (List{2000, 1000, 2000}));
  EXPECT_EQ(memory("sbatch -n1 : --mem=2000 : --mem=1000 : -n1", 4),
            (List{1000, 2000, 1000, 1000}));
  EXPECT_EQ(memory("sbatch --mem-per-cpu=300 : --mem=1000 : -n1", 3), (List{0, 1000, 1000}));
}

TEST(HetLine, GivesAHintToLaterComponentsAlone) {
  const std::string_view line =
      "sbatch -n1 : --hint=nomultithread : -n1 : --hint=multithread : -n1";
  EXPECT_FALSE(part(line, 0).hint_nomultithread);
  EXPECT_EQ(part(line, 2).hint_nomultithread, true);
  EXPECT_EQ(part(line, 4).hint_nomultithread, false);
}

TEST(HetLine, KeepsNodesThatOneAsksForByNameFromTheOthers) {
  const std::string_view line = "sbatch -n1 : -w n3 : -x n1 : -n1";
  EXPECT_EQ(part(line, 0).exclude, "n1,n3");
  EXPECT_EQ(part(line, 1).exclude, "n1");
  EXPECT_EQ(part(line, 3).exclude, "n1,n3");
}

TEST(HetLine, TellsNothingOfAPartThatTheLineLacks) {
  Diagnostics found;
  EXPECT_FALSE(component_args("sbatch job.sh", 0, {}, found));
  EXPECT_FALSE(component_args("sbatch -n1 : -n2 job.sh", 2, {}, found));
}

}  // namespace
}  // namespace rehearse::test
