// bench/micro/event_queue_bench.cpp — the hold model: pop one event, schedule one, keep the size.
#include <benchmark/benchmark.h>

#include "sim/core/event_queue.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/core/rng.hpp"

namespace rehearse::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

void hold(benchmark::State& state) {
  Rng rng{kSeed, "event_queue/hold"};
  EventQueue<std::uint64_t> queue;
  for (std::int64_t id = 0; id < state.range(0); ++id) {
    queue.push(Time{Duration{rng.between(0, 1'000'000)}}, Phase::Arrive,
               static_cast<std::uint64_t>(id));
  }
  Fingerprint order;
  for (auto _ : state) {
    const auto [key, id] = queue.pop();
    order.add(id);
    queue.push(key.time + Duration{rng.between(1, 1'000'000)}, key.phase, id);
  }
  benchmark::DoNotOptimize(order.value());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(hold)->Arg(100)->Arg(100'000);

}  // namespace
}  // namespace rehearse::bench
