// bench/micro/plan_bench.cpp — a backfill cycle over its map: so many jobs, each narrowed to what
// is free, held against the plans before it, and planned.
//
// Sizes: nodes, then jobs of the cycle. Each planned job splits slots that the next one walks, so
// that the cost of a job grows with their number.
#include <benchmark/benchmark.h>

#include <vector>

#include "sim/core/rng.hpp"
#include "sim/sched/plan.hpp"

namespace rehearse::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr Seconds kWindow{2 * 86400};
constexpr Seconds kResolution{60};
constexpr std::int64_t kWidest = 8;  // nodes

struct Wanted {
  SlurmTime start;
  Seconds limit{0};
  std::size_t nodes = 1;
};

/// Starts and limits on the map's resolution, as backfill rounds them (scheduling.md §8.4).
std::vector<Wanted> queue(std::int64_t jobs) {
  Rng rng{kSeed, "plan/queue"};
  const std::int64_t steps = kWindow / kResolution;
  std::vector<Wanted> all;
  for (std::int64_t i = 0; i < jobs; ++i) {
    all.push_back({SlurmTime{kResolution * rng.between(0, steps / 2)},
                   kResolution * rng.between(5, steps / 4),
                   static_cast<std::size_t>(rng.between(1, kWidest))});
  }
  return all;
}

/// The first `count` of the candidates; none where there are fewer.
NodeSet first_of(const NodeSet& candidates, std::size_t count) {
  NodeSet chosen(candidates.size());
  if (candidates.count() < count) return chosen;
  for (std::size_t node = candidates.find_first(); count > 0;
       node = candidates.find_next(node), --count) {
    chosen.set(node);
  }
  return chosen;
}

void cycle(benchmark::State& state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const std::vector<Wanted> jobs = queue(state.range(1));
  NodeSet all(nodes);
  all.set();
  Plan plan;
  LicenseCounts licenses;
  std::size_t planned = 0;
  for (auto _ : state) {
    plan.reset(SlurmTime{}, SlurmTime{} + kWindow, all);
    for (const Wanted& job : jobs) {
      NodeSet candidates = all;
      const SlurmTime end = job.start + job.limit;
      benchmark::DoNotOptimize(plan.narrow(job.start, end, all, candidates, licenses));
      const NodeSet chosen = first_of(candidates, job.nodes);
      if (chosen.none() || plan.conflicts(job.start, end, chosen)) continue;
      plan.reserve(job.start, end, kResolution, chosen);
      ++planned;
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(1));
  state.counters["planned"] =
      static_cast<double>(planned) / static_cast<double>(state.iterations());
  state.counters["slots"] = static_cast<double>(plan.size());
}
BENCHMARK(cycle)->ArgsProduct({{128, 1'000, 10'000}, {100, 1'000}});

}  // namespace
}  // namespace rehearse::bench
