// sim/output/export/openmetrics.cpp — what exporters of Slurm and of NVIDIA's DCGM would have told
// (outputs.md §10–12), sampled from the exact schedule: the dashboards of a cluster show a
// simulation.
//
// A family at a time is in memory. No sample is left out where a value is zero, as Prometheus has
// no other way to be told that a series ended.
#include <fmt/format.h>

#include <algorithm>

#include "sim/output/device_indexes.hpp"
#include "sim/output/export/export.hpp"
#include "sim/output/export/step_series.hpp"

namespace rehearse {
namespace {

std::string label(const char* name, std::string_view value) {
  return fmt::format("{{{}=\"{}\"}}", name, label_text(value));
}

class MetricsText {
 public:
  MetricsText(const Result& result, const ExportOptions& options, const TextSink& sink)
      : result_(result), r_(result.runs), options_(options), sink_(sink) {}

  void write() {
    queue();
    resources();
    nodes();
    partitions();
    owners("account", r_.account, result_.names.account);
    owners("user", r_.user, result_.names.user);
    node_gres();
    totals();
    if (options_.devices) devices();
    sink_("# EOF\n");
  }

 private:
  [[nodiscard]] std::int64_t end_of(std::size_t row) const {
    return r_.end[row] == kNoTime ? result_.end : r_.end[row];
  }
  [[nodiscard]] bool ran(std::size_t row) const { return r_.start[row] != kNoTime; }
  /// A row pends from its submission to its start, or to its end.
  [[nodiscard]] std::int64_t pends_until(std::size_t row) const {
    return ran(row) ? r_.start[row] : end_of(row);
  }

  void emit(MetricFamily family) const {
    sink_(fmt::format("# HELP {} {}\n# TYPE {} gauge\n", family.name, family.help, family.name));
    for (auto& [labels, series] : family.series) {
      series.write(family.name + labels, result_.begin, result_.end, options_.step_s, family.unit,
                   sink_);
    }
  }

  void queue() const {
    MetricFamily pending{"slurm_queue_pending", "Pending jobs in queue"};
    MetricFamily running{"slurm_queue_running", "Running jobs in the cluster"};
    MetricFamily suspended{"slurm_queue_suspended", "Suspended jobs in the cluster"};
    StepSeries& pend = pending.series[""];
    StepSeries& run = running.series[""];
    StepSeries& stand = suspended.series[""];
    for (std::size_t row = 0; row < r_.size(); ++row) {
      pend.add(r_.tasks[row], r_.submit[row], pends_until(row));
      if (ran(row)) run.add(1, r_.start[row], end_of(row));
    }
    const SuspensionColumns& still = result_.suspensions;
    for (std::size_t i = 0; i < still.size(); ++i) {
      const std::int64_t until = still.end[i] == kNoTime ? result_.end : still.end[i];
      stand.add(1, still.begin[i], until);
      run.add(-1, still.begin[i], until);
    }
    emit(std::move(pending));
    emit(std::move(running));
    emit(std::move(suspended));
    MetricFamily dependent{"slurm_queue_pending_dependency",
                           "Pending jobs because of dependency in queue"};
    StepSeries& waits = dependent.series[""];
    for (std::size_t i = 0; i < result_.waits.size(); ++i) {
      if (static_cast<Reason>(result_.waits.reason[i]) != Reason::Dependency) continue;
      waits.add(result_.waits.tasks[i], result_.waits.begin[i], result_.waits.end[i]);
    }
    emit(std::move(dependent));
  }

  void resources() const {
    std::int64_t cpus = 0;
    std::int64_t gpus = 0;
    for (const NodeFacts& node : result_.cluster.nodes) {
      cpus += node.effective_cpus;
      gpus += node.gpu_milli;
    }
    for (const bool is_gpu : {false, true}) {
      const std::string head = is_gpu ? "slurm_gpus" : "slurm_cpus";
      const std::string what = is_gpu ? "GPUs" : "CPUs";
      const std::int64_t unit = is_gpu ? 1000 : 1;
      const std::int64_t total = is_gpu ? gpus : cpus;
      MetricFamily alloc{head + "_alloc", "Allocated " + what, unit};
      MetricFamily idle{head + "_idle", "Idle " + what, unit};
      MetricFamily whole{head + "_total", "Total " + what, unit};
      whole.series[""].add(total, result_.begin, result_.end);
      idle.series[""].add(total, result_.begin, result_.end);
      for (std::size_t row = 0; row < r_.size(); ++row) {
        if (!ran(row)) continue;
        const std::int64_t held = is_gpu ? r_.gpu_milli[row] : r_.cpus[row];
        alloc.series[""].add(held, r_.start[row], end_of(row));
        idle.series[""].add(-held, r_.start[row], end_of(row));
      }
      alloc.series[""];
      MetricFamily share{"slurm_gpus_utilization", "Allocated / total GPUs, 0 to 1",
                         std::max<std::int64_t>(1, total)};
      if (is_gpu) share.series[""] = alloc.series[""];
      emit(std::move(alloc));
      emit(std::move(idle));
      emit(std::move(whole));
      if (is_gpu && total > 0) emit(std::move(share));
    }
  }

  /// alloc, mix, idle, down, drain: how many nodes are in each.
  void nodes() const {
    std::map<std::string, MetricFamily> families;
    for (const char* state : {"alloc", "mix", "idle", "down", "drain"}) {
      const std::string name = fmt::format("slurm_nodes_{}", state);
      families[state] = {name, fmt::format("Nodes in state {}", state), 1, {}};
      families[state].series[""];
    }
    struct Change {
      std::int64_t time = 0, cpus = 0;
      int flags = -1;
    };
    std::vector<std::vector<Change>> changes(result_.cluster.nodes.size());
    for (std::size_t i = 0; i < result_.holdings.size(); ++i) {
      const std::uint32_t row = result_.holdings.run[i];
      if (!ran(row)) continue;
      const std::int64_t cpus = result_.holdings.cpus[i];
      changes[result_.holdings.node[i]].push_back({r_.start[row], cpus});
      changes[result_.holdings.node[i]].push_back({end_of(row), -cpus});
    }
    for (std::size_t i = 0; i < result_.node_events.size(); ++i) {
      changes[result_.node_events.node[i]].push_back(
          {result_.node_events.time[i], 0, result_.node_events.state[i]});
    }
    for (std::size_t node = 0; node < changes.size(); ++node) {
      auto& own = changes[node];
      std::stable_sort(own.begin(), own.end(),
                       [](const Change& a, const Change& b) { return a.time < b.time; });
      const std::int64_t whole = result_.cluster.nodes[node].effective_cpus;
      std::int64_t held = 0;
      std::int64_t since = result_.begin;
      int flags = 0;
      const auto state = [&] {
        if ((flags & (kNodeDown | kNodeFail)) != 0) return "down";
        if ((flags & kNodeDrain) != 0) return "drain";
        return held <= 0 ? "idle" : held < whole ? "mix" : "alloc";
      };
      for (const Change& change : own) {
        const std::int64_t at = std::clamp(change.time, since, result_.end);
        families[state()].series[""].add(1, since, at);
        since = at;
        held += change.cpus;
        if (change.flags >= 0) flags = change.flags;
      }
      families[state()].series[""].add(1, since, result_.end);
    }
    for (auto& [state, family] : families) emit(std::move(family));
  }

  void partitions() const {
    MetricFamily cpus{"slurm_partition_cpus_allocated", "Allocated CPUs for partition"};
    MetricFamily gpus{"slurm_partition_gpus_allocated", "Allocated GPUs for partition", 1000};
    MetricFamily pending{"slurm_partition_jobs_pending", "Pending jobs for partition"};
    MetricFamily running{"slurm_partition_jobs_running", "Running jobs for partition"};
    for (std::size_t row = 0; row < r_.size(); ++row) {
      const std::string by = label("partition", result_.cluster.partitions[r_.partition[row]].name);
      pending.series[by].add(r_.tasks[row], r_.submit[row], pends_until(row));
      if (!ran(row)) continue;
      running.series[by].add(1, r_.start[row], end_of(row));
      cpus.series[by].add(r_.cpus[row], r_.start[row], end_of(row));
      gpus.series[by].add(r_.gpu_milli[row], r_.start[row], end_of(row));
    }
    for (MetricFamily* each : {&cpus, &gpus, &pending, &running}) emit(std::move(*each));
  }

  void owners(const char* kind, const std::vector<std::uint32_t>& codes,
              const NamePool& pool) const {
    const std::string head = fmt::format("slurm_{}_", kind);
    MetricFamily pending{head + "jobs_pending", fmt::format("Pending jobs for {}", kind)};
    MetricFamily running{head + "jobs_running", fmt::format("Running jobs for {}", kind)};
    MetricFamily cpus{head + "cpus_running", fmt::format("Running cpus for {}", kind)};
    MetricFamily gpus{head + "gpus_running", fmt::format("Running GPUs for {}", kind), 1000};
    for (std::size_t row = 0; row < r_.size(); ++row) {
      const std::string by = label(kind, text_of(pool, codes[row]));
      pending.series[by].add(r_.tasks[row], r_.submit[row], pends_until(row));
      if (!ran(row)) continue;
      running.series[by].add(1, r_.start[row], end_of(row));
      cpus.series[by].add(r_.cpus[row], r_.start[row], end_of(row));
      gpus.series[by].add(r_.gpu_milli[row], r_.start[row], end_of(row));
    }
    for (MetricFamily* each : {&pending, &running, &cpus, &gpus}) emit(std::move(*each));
  }

  void node_gres() const {
    MetricFamily total{"slurm_node_gres_total", "GRES of a node", 1000};
    MetricFamily used{"slurm_node_gres_used", "GRES of a node that jobs hold", 1000};
    const auto by = [&](std::size_t node) {
      return fmt::format("{{node=\"{}\",gres_type=\"gpu\"}}",
                         label_text(result_.cluster.nodes[node].name));
    };
    for (std::size_t node = 0; node < result_.cluster.nodes.size(); ++node) {
      const std::int64_t gpus = result_.cluster.nodes[node].gpu_milli;
      if (gpus == 0) continue;
      total.series[by(node)].add(gpus, result_.begin, result_.end);
      used.series[by(node)];
    }
    for (std::size_t i = 0; i < result_.holdings.size(); ++i) {
      const std::uint32_t row = result_.holdings.run[i];
      if (!ran(row) || result_.holdings.gpu_milli[i] == 0) continue;
      used.series[by(result_.holdings.node[i])].add(result_.holdings.gpu_milli[i], r_.start[row],
                                                    end_of(row));
    }
    emit(std::move(total));
    emit(std::move(used));
  }

  /// Counts since the begin of the run.
  void totals() const {
    MetricFamily submitted{"slurm_scheduler_jobs_submitted", "Jobs submitted since the begin"};
    MetricFamily started{"slurm_scheduler_jobs_started", "Jobs started since the begin"};
    MetricFamily completed{"slurm_scheduler_jobs_completed", "Jobs completed since the begin"};
    for (std::size_t row = 0; row < r_.size(); ++row) {
      if (r_.restarts[row] == 0) {
        submitted.series[""].add(r_.tasks[row], r_.submit[row], result_.end);
      }
      if (ran(row)) started.series[""].add(1, r_.start[row], result_.end);
      if (r_.state[row] == static_cast<std::uint8_t>(JobState::Completed)) {
        completed.series[""].add(1, r_.end[row], result_.end);
      }
    }
    for (MetricFamily* each : {&submitted, &started, &completed}) emit(std::move(*each));
  }

  /// 100 while a job holds the device: what the job does with it is not known.
  void devices() const {
    MetricFamily use{"DCGM_FI_DEV_GPU_UTIL",
                     "GPU held by a job: 100, else 0; how busy its job keeps it is not simulated"};
    const auto by = [&](std::size_t node, std::uint32_t gpu) {
      const std::string name = label_text(result_.cluster.nodes[node].name);
      return fmt::format("{{gpu=\"{}\",UUID=\"GPU-{}-{}\",device=\"nvidia{}\",Hostname=\"{}\"}}",
                         gpu, name, gpu, gpu, name);
    };
    for (std::size_t node = 0; node < result_.cluster.nodes.size(); ++node) {
      for (std::uint32_t gpu = 0; gpu * 1000 < result_.cluster.nodes[node].gpu_milli; ++gpu) {
        use.series[by(node, gpu)];
      }
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> held_until;
    std::vector<std::uint32_t> order(result_.holdings.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return r_.start[result_.holdings.run[a]] < r_.start[result_.holdings.run[b]];
    });
    for (const std::uint32_t i : order) {
      const std::uint32_t row = result_.holdings.run[i];
      if (!ran(row)) continue;
      const std::uint32_t node = result_.holdings.node[i];
      for (const std::uint32_t gpu :
           gpu_indexes(text_of(result_.names.text, result_.holdings.devices[i]))) {
        // A device that two jobs share is held once.
        std::int64_t& until = held_until.emplace(std::pair{node, gpu}, kNoTime).first->second;
        use.series[by(node, gpu)].add(100, std::max(until, r_.start[row]), end_of(row));
        until = std::max(until, end_of(row));
      }
    }
    emit(std::move(use));
  }

  const Result& result_;
  const RunColumns& r_;
  const ExportOptions& options_;
  const TextSink& sink_;
};

}  // namespace

void export_openmetrics(const Result& result, const ExportOptions& options, const TextSink& sink) {
  MetricsText(result, options, sink).write();
}

}  // namespace rehearse
