// tests/unit/workloads/tres_request_test.cpp — TRES texts and ReqMem through the versions.
#include "workloads/tres_request.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rehearse::test {
namespace {

using Of = RequestedMemory::Of;

RowRequest read(std::string_view asked, std::string_view held = {}, std::string_view memory = {}) {
  NamePool names;
  SacctRow row;
  row.fields[static_cast<std::size_t>(Column::ReqTres)] = asked;
  row.fields[static_cast<std::size_t>(Column::AllocTres)] = held;
  row.fields[static_cast<std::size_t>(Column::ReqMem)] = memory;
  return request_from_row(row, {}, names);
}

TEST(TresText, DoesNotAddTypedGresToTheirSum) {
  const TresText tres =
      parse_tres_text("billing=78,cpu=48,gres/gpu:a100=4,gres/gpu=4,mem=384G,node=2");
  EXPECT_EQ(tres.total("gpu"), 4U);
  EXPECT_EQ(tres.cpus, 48U);
  EXPECT_EQ(tres.nodes, 2U);
  EXPECT_EQ(tres.memory_mib, 384U * 1024U);
  EXPECT_TRUE(tres.bad.empty());
}

TEST(TresText, NamesTheEntryThatCannotBeRead) {
  EXPECT_EQ(parse_tres_text("cpu=8,node=two").bad, "node=two");
}

TEST(RequestedMemory, IsReadInEveryFormOfItsHistory) {
  EXPECT_EQ(parse_requested_memory("4Gn").of, Of::Node);
  EXPECT_EQ(parse_requested_memory("4Gn").mib, 4096U);
  EXPECT_EQ(parse_requested_memory("2000Mc").of, Of::Cpu);
  EXPECT_EQ(parse_requested_memory("0n").of, Of::Node);  // all memory of the node
  EXPECT_EQ(parse_requested_memory("2.50G").of, Of::Job);
  EXPECT_EQ(parse_requested_memory("2.50G").mib, 2560U);
  EXPECT_EQ(parse_requested_memory("0").of, Of::Unknown);
  EXPECT_EQ(parse_requested_memory("16?").of, Of::Unknown);
  EXPECT_EQ(parse_requested_memory("").of, Of::Unknown);
}

TEST(RequestedMemory, UndoesThePerCpuFlagOfOldSlurm) {
  const RequestedMemory memory =
      parse_requested_memory("2147486648Mn");  // phillips.log: 3000 a CPU
  EXPECT_EQ(memory.of, Of::Cpu);
  EXPECT_EQ(memory.mib, 3000U);
  EXPECT_TRUE(memory.flag_undone);
}

TEST(RowRequest, TakesWhatOnlyTheAllocationTellsAsAskedFor) {
  const RowRequest row = read("", "billing=2,cpu=128,gres/gpu=16,mem=499200M,node=2");
  EXPECT_EQ(row.request.min_nodes, 2U);
  EXPECT_EQ(row.request.max_nodes, 2U);
  EXPECT_EQ(row.request.min_cpus, 128U);
  EXPECT_EQ(row.request.memory_mode, MemoryMode::PerNode);
  EXPECT_EQ(row.request.memory_mib, 249600U);
  ASSERT_EQ(row.request.gres.size(), 1U);
  EXPECT_EQ(row.request.gres[0].per_node, 8U);
  EXPECT_NE(std::find(row.assumed.begin(), row.assumed.end(), Assumed::RequestFromAllocation),
            row.assumed.end());
}

TEST(RowRequest, DoesNotTakeTheAllocationWhereTheRequestIsTold) {
  const RowRequest row = read("cpu=4,node=1", "cpu=8,mem=64G,node=1", "2Gc");
  EXPECT_EQ(row.request.min_cpus, 4U);
  EXPECT_EQ(row.request.memory_mode, MemoryMode::PerCpu);
  EXPECT_EQ(std::count(row.assumed.begin(), row.assumed.end(), Assumed::RequestFromAllocation), 0);
}

TEST(RowRequest, DividesMemoryAndGpusByTheNodes) {
  const Request request = read("billing=64,cpu=64,gres/gpu=16,mem=256G,node=2").request;
  EXPECT_EQ(request.min_nodes, 2U);
  EXPECT_EQ(request.max_nodes, 2U);
  EXPECT_EQ(request.min_cpus, 64U);
  EXPECT_EQ(request.memory_mode, MemoryMode::PerNode);
  EXPECT_EQ(request.memory_mib, 128U * 1024U);
  ASSERT_EQ(request.gres.size(), 1U);
  EXPECT_EQ(request.gres[0].per_node, 8U);
}

TEST(RowRequest, AsksForGpusOfTheJobWhereTheyDoNotDivide) {
  const RowRequest row = read("billing=48,cpu=48,gres/gpu=12,node=5");
  ASSERT_EQ(row.request.gres.size(), 1U);
  EXPECT_EQ(row.request.gres[0].per_job, 12U);
  EXPECT_EQ(row.request.gres[0].per_node, 0U);
  EXPECT_EQ(row.assumed.front(), Assumed::GpusByJob);
}

TEST(RowRequest, TakesMpsAndShardsAsTheyStand) {
  const Request request = read("billing=6,cpu=6,gres/mps=46,mem=12G,node=1").request;
  ASSERT_EQ(request.gres.size(), 1U);
  EXPECT_EQ(request.gres[0].per_node, 46U);
}

TEST(RowRequest, TakesGpusOfTheAllocationOnlyFromOldSlurm) {
  EXPECT_EQ(read("cpu=12,node=1", "billing=12,cpu=12,gres/gpu=2,node=1").request.gres.size(), 1U);
  // With billing in ReqTRES its GRES would be there too: these came with --exclusive.
  EXPECT_TRUE(
      read("billing=1,cpu=1,node=1", "billing=9,cpu=9,gres/gpu=2,node=1").request.gres.empty());
}

TEST(RowRequest, LeavesTheNodesOpenWhereTheJobGotMore) {
  EXPECT_EQ(read("billing=8,cpu=8,node=1", "billing=8,cpu=8,node=3").request.max_nodes,
            std::nullopt);
}

TEST(RowRequest, MarksWholeNodesAsExclusiveOnlyWithNodeSizes) {
  NamePool names;
  SacctRow row;
  row.fields[static_cast<std::size_t>(Column::ReqTres)] = "billing=1,cpu=1,node=2";
  row.fields[static_cast<std::size_t>(Column::AllocTres)] = "billing=72,cpu=72,node=2";
  row.fields[static_cast<std::size_t>(Column::NodeList)] = "r1i0n[1-2]";
  EXPECT_EQ(request_from_row(row, {}, names).request.exclusive, ExclusiveRequest::None);
  const auto cpus = [](std::string_view) { return std::optional<std::uint32_t>(36); };
  EXPECT_EQ(request_from_row(row, cpus, names).request.exclusive, ExclusiveRequest::Exclusive);
}

TEST(Count, ReadsTheSuffixesOfSacct) {
  EXPECT_EQ(parse_count("36"), 36U);
  EXPECT_EQ(parse_count("2K"), 2048U);
  EXPECT_EQ(parse_count("1.50K"), 1536U);
  EXPECT_EQ(parse_count("x"), std::nullopt);
}

}  // namespace
}  // namespace rehearse::test
