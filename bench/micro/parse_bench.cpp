// bench/micro/parse_bench.cpp — text to jobs: sacct as `-a -X -P` prints it, and SWF.
//
// Size: rows. Each row has an id, times and nodes of its own, while users, requests and submit
// lines come back, as in a real table. Bytes a second are those of the text.
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "sim/core/rng.hpp"
#include "workloads/import.hpp"
#include "workloads/input.hpp"
#include "workloads/sacct_text.hpp"

namespace rehearse::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

/// `2025-01-02T03:04:05` of the days after the first of January.
std::string time_text(std::int64_t second) {
  return fmt::format("2025-01-{:02}T{:02}:{:02}:{:02}", 1 + second / 86400 % 28, second / 3600 % 24,
                     second / 60 % 60, second % 60);
}

std::string span_text(std::int64_t seconds) {
  return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string sacct_text(std::int64_t rows) {
  std::string text =
      "JobID|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|Elapsed|Timelimit|State|"
      "ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES|NodeList|SubmitLine\n";
  Rng rng{kSeed, "parse/sacct"};
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t user = rng.between(0, 99), gpus = std::int64_t{1} << rng.between(0, 3);
    const std::int64_t submit = row * 20, start = submit + rng.between(0, 600);
    const std::int64_t run = rng.between(60, 7200);
    const std::string tres = fmt::format("billing={0},cpu={0},gres/gpu={0},mem={0}6G,node=1", gpus);
    fmt::format_to(
        std::back_inserter(text),
        "{}|train|u{}|a{}|gpu|normal|{}|{}|{}|{}|{}|04:00:00|COMPLETED|0:0|1|{}|{}|{}|n{}|"
        "sbatch --gres=gpu:{} -n{} -t 4:00:00 train.sh\n",
        row + 1, user, user / 8, time_text(submit), time_text(submit), time_text(start),
        time_text(start + run), span_text(run), gpus, tres, tres, rng.between(1, 512), gpus, gpus);
  }
  return text;
}

std::string swf_text(std::int64_t rows) {
  std::string text = "; UnixStartTime: 1735689600\n; MaxNodes: 128\n; MaxProcs: 8192\n";
  Rng rng{kSeed, "parse/swf"};
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t user = rng.between(0, 99), cpus = std::int64_t{1} << rng.between(0, 9);
    fmt::format_to(std::back_inserter(text),
                   "{} {} {} {} {} -1 -1 {} 14400 -1 1 {} {} 3 1 1 -1 -1\n", row + 1, row * 20,
                   rng.between(0, 600), rng.between(60, 7200), cpus, cpus, user, user / 8);
  }
  return text;
}

void sacct(benchmark::State& state) {
  const InputText input{"sacct.txt", sacct_text(state.range(0))};
  for (auto _ : state) {
    NamePool names;
    RequestTable requests;
    Diagnostics found;
    const Trace trace = read_sacct_text(InputStream(input), {}, names, requests, found);
    if (found.has_errors() ||
        trace.jobs.specs().size() != static_cast<std::size_t>(state.range(0))) {
      state.SkipWithError("a row was not read");
      break;
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(input.text.size()));
}
BENCHMARK(sacct)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void swf(benchmark::State& state) {
  const auto formats = trace_formats();
  const auto format = std::find_if(formats.begin(), formats.end(),
                                   [](const TraceFormat& each) { return each.name == "swf"; });
  const InputText input{"log.swf", swf_text(state.range(0))};
  for (auto _ : state) {
    ImportReport report;
    Diagnostics found;
    benchmark::DoNotOptimize(format->read(input, {}, report, found).size());
    if (found.has_errors() || report.jobs != static_cast<std::uint64_t>(state.range(0))) {
      state.SkipWithError("a line was not read");
      break;
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(input.text.size()));
}
BENCHMARK(swf)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rehearse::bench
