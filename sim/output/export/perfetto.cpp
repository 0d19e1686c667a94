// sim/output/export/perfetto.cpp — Chrome's trace JSON, for ui.perfetto.dev or chrome://tracing: a
// process a node, a thread a GPU; X (spans), C (counters) and M (names) events only. Second 0 is
// the begin of the run; otherData tells when that was.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/output/device_indexes.hpp"
#include "sim/output/export/export.hpp"
#include "sim/output/export/json_text.hpp"
#include "sim/output/sacct_writer.hpp"

namespace rehearse {
namespace {

constexpr std::uint32_t kLanes = 100;        // threads of one GPU: jobs that share it
constexpr std::uint32_t kNoGpu = 1'000'000;  // the first thread of jobs without a GPU

/// Writes elements of one array, with commas between.
class Events {
 public:
  explicit Events(const TextSink& sink) : sink_(sink) {}
  void add(const std::string& event) {
    sink_(is_first_ ? "\n" + event : ",\n" + event);
    is_first_ = false;
  }

 private:
  const TextSink& sink_;
  bool is_first_ = true;
};

void add_name(Events& events, std::uint32_t process, std::uint32_t thread, std::string_view what,
              const std::string& name) {
  events.add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":"{}"}}}})",
                         process, thread, what, json_text(name)));
}

/// One span for each GPU that a job held of a node; jobs without one stand below, side by side.
class Spans {
 public:
  Spans(const Result& result, Events& events) : result_(result), events_(events) {}

  void add_all() {
    const HoldingColumns& held = result_.holdings;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < held.size(); ++i) {
      if (result_.runs.start[held.run[i]] != kNoTime) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return result_.runs.start[held.run[a]] < result_.runs.start[held.run[b]];
    });
    for (const std::uint32_t i : order) add(i);
    for (const auto& [lane, end] : free_at_) {
      const auto& [node, thread] = lane;
      const std::string name =
          thread >= kNoGpu       ? fmt::format("CPU jobs {}", thread - kNoGpu + 1)
          : thread % kLanes == 0 ? fmt::format("gpu{}", thread / kLanes)
                                 : fmt::format("gpu{} ({})", thread / kLanes, thread % kLanes + 1);
      add_name(events_, node + 1, thread, "thread_name", name);
    }
  }

 private:
  void add(std::uint32_t holding) {
    const HoldingColumns& held = result_.holdings;
    const std::uint32_t row = held.run[holding];
    const std::uint32_t node = held.node[holding];
    std::vector<std::uint32_t> bases;
    for (const std::uint32_t gpu :
         gpu_indexes(text_of(result_.names.text, held.devices[holding]))) {
      bases.push_back(gpu * kLanes);
    }
    if (bases.empty()) bases.push_back(held.gpu_milli[holding] > 0 ? 0 : kNoGpu);
    const RunColumns& r = result_.runs;
    const std::int64_t end = r.end[row] == kNoTime ? result_.end : r.end[row];
    for (const std::uint32_t base : bases) {
      std::uint32_t thread = base;
      while (free_at_.contains({node, thread}) && free_at_[{node, thread}] > r.start[row]) ++thread;
      free_at_[{node, thread}] = end;
      events_.add(fmt::format(
          R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"job","name":"{}","args":{{"user":"{}","account":"{}","partition":"{}","state":"{}","wait_s":{},"cpus":{},"devices":"{}"}}}})",
          node + 1, thread, (r.start[row] - result_.begin) * 1'000'000,
          (end - r.start[row]) * 1'000'000, json_text(job_id_text(result_, row)),
          json_text(text_of(result_.names.user, r.user[row])),
          json_text(text_of(result_.names.account, r.account[row])),
          json_text(partition_name(result_, row)), run_state_text(r.state[row]),
          r.start[row] - r.submit[row], held.cpus[holding],
          json_text(text_of(result_.names.text, held.devices[holding]))));
    }
  }

  const Result& result_;
  Events& events_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> free_at_;
};

void add_counters(const Result& result, Events& events) {
  struct Counter {
    std::string_view series, name;
  };
  constexpr std::array<Counter, 4> kCounters{{{"jobs_pending", "jobs pending"},
                                              {"jobs_running", "jobs running"},
                                              {"gpus_busy", "GPUs held"},
                                              {"gpus_wanted", "GPUs wanted by the queue"}}};
  for (const Counter& counter : kCounters) {
    const Series* const series = result.series.find(counter.series);
    if (series == nullptr) continue;
    for (std::size_t i = 0; i < result.series.time.size(); ++i) {
      const std::int64_t at = std::max(result.series.time[i], result.begin);
      events.add(
          fmt::format(R"({{"ph":"C","pid":0,"ts":{},"name":"{}","args":{{"value":{:.4f}}}}})",
                      (at - result.begin) * 1'000'000, counter.name, series->mean[i]));
    }
  }
}

}  // namespace

void export_perfetto(const Result& result, const ExportOptions&, const TextSink& sink) {
  sink(fmt::format(
      R"({{"displayTimeUnit":"ms","otherData":{{"cluster":"{}","slurm_version":"{}","begin_epoch_s":{},"status":"{}"}},"traceEvents":[)",
      json_text(result.cluster.cluster_name), json_text(result.cluster.slurm_version), result.begin,
      result.complete ? "complete" : "partial"));
  Events events(sink);
  add_name(events, 0, 0, "process_name", "queue");
  for (std::uint32_t node = 0; node < result.cluster.nodes.size(); ++node) {
    add_name(events, node + 1, 0, "process_name", result.cluster.nodes[node].name);
  }
  Spans(result, events).add_all();
  add_counters(result, events);
  sink("\n]}\n");
}

}  // namespace rehearse
