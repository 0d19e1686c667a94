// tests/unit/workloads/request_from_args_test.cpp — the client's table of scheduling.md §5.6, line
// by line.
#include "workloads/request_from_args.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

struct Made {
  NamePool names;
  Diagnostics found;
  Request request;
  explicit Made(const std::string& options) {
    const SbatchArgs args = parse_submit_line("sbatch " + options + " job.sh", {"t", 1, 1}, found);
    request = make_request(args, names, found);
    EXPECT_FALSE(found.has_errors()) << options;
  }
};

struct Expected {
  const char* options;
  std::uint32_t min_nodes;
  std::optional<std::uint32_t> max_nodes, tasks;
  std::uint32_t min_cpus;
};

TEST(ClientMapping, CountsNodesTasksAndCpusAsTheTableSays) {
  const Expected rows[] = {
      {"", 1, std::nullopt, std::nullopt, 1},
      {"-n 6", 1, std::nullopt, 6, 6},
      {"-n 6 -c 2", 1, std::nullopt, 6, 12},
      {"-N 3", 3, 3, std::nullopt, 3},
      {"-N 3 -c 4", 3, 3, std::nullopt, 12},
      {"-N 2-4", 2, 4, std::nullopt, 1},
      {"-N 2-4 -c 3", 2, 4, std::nullopt, 3},
      {"-N 4 -n 2", 2, 2, 2, 2},
      {"-N 2 -n 8 -c 2", 2, 2, 8, 16},
      {"-N 2-6 -n 4", 2, 4, 4, 4},
      {"-N 3-6 -n 2", 2, 2, 2, 2},
      {"-N 3 --ntasks-per-node=4 -c 2", 3, 3, 12, 24},
      {"-w n[1-3]", 3, std::nullopt, std::nullopt, 3},
      {"--gpus=2 --ntasks-per-gpu=1 -c 2", 1, std::nullopt, std::nullopt, 2},
      {"--gpus=3 --ntasks-per-gpu=1 -c 2", 1, std::nullopt, std::nullopt, 6},
      {"--gpus=1 --ntasks-per-gpu=3 -c 2", 1, std::nullopt, std::nullopt, 6},
      {"--gpus=4 --gpus-per-task=1 -c 3", 1, std::nullopt, std::nullopt, 12},
      {"-N 1 -c 6 --sockets-per-node=2", 1, 1, 2, 12},
      {"-c 6 --sockets-per-node=2", 1, std::nullopt, std::nullopt, 6},
      {"-N 1-2 --sockets-per-node=2", 1, 2, std::nullopt, 1},
      {"-N 2 -B 2:2:2", 2, 2, 16, 16},
      {"-B 2:2", 1, std::nullopt, 4, 4},
      {"-N 1 -n 1 --sockets-per-node=2", 1, 1, 1, 1},
      {"-N 1 --threads-per-core=2", 1, 1, 2, 2},
      {"-N 1 --ntasks-per-node=3 --sockets-per-node=2", 1, 1, 3, 3},
  };
  for (const Expected& row : rows) {
    const Made made(row.options);
    EXPECT_EQ(made.request.min_nodes, row.min_nodes) << row.options;
    EXPECT_EQ(made.request.max_nodes, row.max_nodes) << row.options;
    EXPECT_EQ(made.request.num_tasks, row.tasks) << row.options;
    EXPECT_EQ(made.request.min_cpus, row.min_cpus) << row.options;
  }
}

TEST(ClientMapping, NeedsOneTasksCpusOnEachNode) {
  EXPECT_EQ(Made("-n 4").request.pn_min_cpus, 1U);
  EXPECT_EQ(Made("-n 4 -c 3").request.pn_min_cpus, 3U);
  EXPECT_EQ(Made("-N 2 --ntasks-per-node=4 -c 3").request.pn_min_cpus, 12U);
  EXPECT_EQ(Made("--mincpus=16").request.pn_min_cpus, 16U);
}

TEST(ClientMapping, PutsEachGpuOptionIntoItsField) {
  Made made("--gres=gpu:a100:2,shard:3,gpu:0");
  ASSERT_EQ(made.request.gres.size(), 2U);
  EXPECT_EQ(made.names.text(made.request.gres[0].type), "a100");
  EXPECT_EQ(made.request.gres[0].per_node, 2U);
  EXPECT_EQ(made.request.gres[1].per_node, 3U);
  EXPECT_EQ(Made("--gpus=5").request.gres.at(0).per_job, 5U);
  EXPECT_EQ(Made("--gpus-per-node=4").request.gres.at(0).per_node, 4U);
  EXPECT_EQ(Made("-n 2 --gpus-per-task=3").request.gres.at(0).per_task, 3U);
  EXPECT_EQ(Made("-n 8 --ntasks-per-gpu=2").request.gres.at(0).ntasks_per_gres, 2U);
}

TEST(ClientMapping, KnowsThreeKindsOfMemoryAndTheWholeNode) {
  EXPECT_EQ(Made("--mem=4G").request.memory_mode, MemoryMode::PerNode);
  EXPECT_EQ(Made("--mem=4G").request.memory_mib, 4096U);
  EXPECT_EQ(Made("--mem-per-cpu=500").request.memory_mode, MemoryMode::PerCpu);
  EXPECT_EQ(Made("--gpus=1 --mem-per-gpu=500").request.memory_mode, MemoryMode::PerGpu);
  EXPECT_EQ(Made("--mem=0").request.memory_mode, MemoryMode::PerNode);
  EXPECT_EQ(Made("").request.memory_mode, MemoryMode::None);
}

TEST(ClientMapping, GivesEqualOptionsEqualRequests) {
  NamePool names;
  Diagnostics found;
  const auto make = [&](const char* line) {
    return make_request(parse_submit_line(line, {"t", 1, 1}, found), names, found);
  };
  EXPECT_EQ(make("sbatch -N2 --gres=gpu:4 -t 10 a.sh"),
            make("sbatch --nodes=2 --gpus-per-node=4 -t 99 b.sh"));
  EXPECT_NE(make("sbatch -N2 a.sh"), make("sbatch -n2 a.sh"));
}

TEST(ClientMapping, ReadsExclusiveModesLicensesAndSwitches) {
  EXPECT_EQ(Made("--exclusive").request.exclusive, ExclusiveRequest::Exclusive);
  EXPECT_EQ(Made("--exclusive=user").request.exclusive, ExclusiveRequest::User);
  const Made made("-L matlab:2,comsol -C 'a100|h100' --switches=1@10");
  ASSERT_EQ(made.request.licenses.size(), 2U);
  EXPECT_EQ(made.request.licenses[0].count, 2U);
  EXPECT_EQ(made.names.text(made.request.features), "a100|h100");
  EXPECT_EQ(made.request.switches, 1U);
  EXPECT_EQ(made.request.switches_wait, Seconds{600});
}

}  // namespace
}  // namespace rehearse::test
