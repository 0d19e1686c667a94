// bench/micro/selection_bench.cpp — which nodes a job gets, on a cluster that is mostly held: the
// hold model of placement.
//
// Size: nodes of 8 GPUs. Each step places a job and, where there is no room, ends the oldest ones
// until there is; what stands is then as mixed as in a long run. Jobs ask for 1 to 32 GPUs.
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include "sim/core/rng.hpp"
#include "tests/unit/sched/cluster_fixture.hpp"

namespace rehearse::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::array<std::string_view, 5> kAsked{"-n1 --gres=gpu:1", "-n2 --gres=gpu:2",
                                                 "-n4 --gres=gpu:4", "-n8 --gres=gpu:8",
                                                 "-N4 -n32 --gres=gpu:8"};

/// What build() wants: nodes of 8 cores and 8 GPUs in one partition.
void add_nodes(test::TestCluster& cluster, std::int64_t count) {
  test::DeviceLine gpus{.name = "gpu"};
  for (std::uint32_t device = 0; device < 8; ++device) gpus.devices.push_back(device);
  cluster.add(gpus);
  test::NodeLine line{.cores = 8, .memory_mib = 1000};
  GresSpec& eight = line.gres.emplace_back();
  eight.name = "gpu";
  eight.count = 8;
  for (std::int64_t node = 0; node < count; ++node) line.names.push_back(fmt::format("n{}", node));
  cluster.add(line);
  cluster.build();
}

void hold(benchmark::State& state) {
  test::TestCluster cluster;
  add_nodes(cluster, state.range(0));
  std::vector<Job> jobs(kAsked.size());
  for (std::size_t i = 0; i < kAsked.size(); ++i) {
    jobs[i].request = cluster.requests.intern(cluster.request(kAsked[i]));
  }
  Rng rng{kSeed, "selection/hold"};
  std::deque<Allocation> held;
  const PartitionId partition{0};
  const auto step = [&] {
    const Job& job =
        jobs[static_cast<std::size_t>(rng.between(0, static_cast<std::int64_t>(jobs.size()) - 1))];
    const Request& asked = cluster.requests[job.request];
    for (;;) {
      const PlacementQuery query{.job = job,
                                 .request = asked,
                                 .partition = cluster.partitions[partition],
                                 .ledger = *cluster.ledger,
                                 .candidates = cluster.candidates,
                                 .min_nodes = asked.min_nodes,
                                 .max_nodes = asked.min_nodes,
                                 .req_nodes = asked.min_nodes};
      if (auto placed = cluster.plugin->place(query)) {
        cluster.ledger->take(*placed, partition);
        held.push_back(std::move(*placed));
        return;
      }
      cluster.ledger->give_back(held.front(), partition);
      held.pop_front();
    }
  };
  for (std::int64_t i = 0; i < 2 * state.range(0); ++i) step();  // about full
  for (auto _ : state) step();
  state.SetItemsProcessed(state.iterations());
  state.counters["running"] = static_cast<double>(held.size());
}
BENCHMARK(hold)->Arg(100)->Arg(1'000)->Arg(10'000);

}  // namespace
}  // namespace rehearse::bench
