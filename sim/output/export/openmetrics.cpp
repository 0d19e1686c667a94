// sim/output/export/openmetrics.cpp — what exporters of Slurm and of NVIDIA's DCGM would have told
// (outputs.md §10–12), sampled from the exact schedule: the dashboards of a cluster show a
// simulation.
//
// A family at a time is in memory. No sample is left out where a value is zero, as Prometheus has
// no other way to be told that a series ended.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/config/text.hpp"
#include "sim/output/device_indexes.hpp"
#include "sim/output/export/export.hpp"
#include "sim/output/export/openmetrics_nodes.hpp"
#include "sim/output/export/step_series.hpp"

namespace rehearse {
namespace {

class MetricsText {
 public:
  MetricsText(const Result& result, const ExportOptions& options, const TextSink& sink)
      : result_(result), r_(result.runs), options_(options), sink_(sink) {}

  void write() {
    queue();
    ended_jobs();
    gpu_share();
    write_node_families(result_, options_, [&](MetricFamily family) { emit(std::move(family)); });
    if (options_.partitions) partitions();
    if (options_.accounts) owners("account", r_.account, result_.names.account);
    if (options_.users) owners("user", r_.user, result_.names.user);
    if (options_.nodes) node_gres();
    totals();
    if (options_.devices) devices();
    sink_("# EOF\n");
  }

 private:
  [[nodiscard]] std::int64_t end_of(std::size_t row) const {
    return r_.end[row] == kNoTime ? result_.end : r_.end[row];
  }
  [[nodiscard]] bool ran(std::size_t row) const { return r_.start[row] != kNoTime; }
  /// A row pends from its submission until its nodes are powered up for it, it starts, or ends.
  [[nodiscard]] std::int64_t pends_until(std::size_t row) const {
    return ran(row) ? r_.start[row] - std::int64_t{r_.configuring_s[row]} : end_of(row);
  }

  void emit(MetricFamily family) const {
    sink_(fmt::format("# HELP {} {}\n# TYPE {} gauge\n", family.name, family.help, family.name));
    const SampleGrid grid{result_.begin, result_.end, options_.step_s};
    for (auto& [labels, series] : family.series) {
      series.write(family.name + labels, grid, family.unit, family.sparse, sink_);
    }
  }

  /// Calls use(row, from, to) for each time that a run stood still.
  template <typename Use>
  void for_each_stand(Use&& use) const {
    const SuspensionColumns& still = result_.suspensions;
    for (std::size_t i = 0; i < still.size(); ++i) {
      const std::int64_t until = still.end[i] == kNoTime ? result_.end : still.end[i];
      use(still.run[i], still.begin[i], until);
    }
  }

  void queue() const {
    MetricFamily pending{"slurm_queue_pending", "Pending jobs in queue"};
    MetricFamily running{"slurm_queue_running", "Running jobs in the cluster"};
    MetricFamily suspended{"slurm_queue_suspended", "Suspended jobs in the cluster"};
    StepSeries& pend = pending.series[""];
    StepSeries& run = running.series[""];
    MetricFamily configuring{"slurm_queue_configuring", "Configuring jobs in the cluster"};
    StepSeries& stand = suspended.series[""];
    StepSeries& boot = configuring.series[""];
    for (std::size_t row = 0; row < r_.size(); ++row) {
      pend.add(r_.tasks[row], r_.submit[row], pends_until(row));
      if (!ran(row)) continue;
      boot.add(1, pends_until(row), r_.start[row]);
      run.add(1, r_.start[row], end_of(row));
    }
    for_each_stand([&](std::uint32_t, std::int64_t from, std::int64_t to) {
      stand.add(1, from, to);
      run.add(-1, from, to);
    });
    emit(std::move(pending));
    emit(std::move(running));
    emit(std::move(suspended));
    emit(std::move(configuring));
    MetricFamily dependent{"slurm_queue_pending_dependency",
                           "Pending jobs because of dependency in queue"};
    StepSeries& waits = dependent.series[""];
    for (std::size_t i = 0; i < result_.waits.size(); ++i) {
      if (static_cast<Reason>(result_.waits.reason[i]) != Reason::Dependency) continue;
      waits.add(result_.waits.tasks[i], result_.waits.begin[i], result_.waits.end[i]);
    }
    emit(std::move(dependent));
  }

  /// When the job of each row was submitted again, as the next row; of the last one of a job the
  /// end of the run.
  [[nodiscard]] std::vector<std::int64_t> again() const {
    std::vector<std::uint32_t> order(r_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(r_.job_id[a], r_.submit[a]) < std::tie(r_.job_id[b], r_.submit[b]);
    });
    std::vector<std::int64_t> at(r_.size(), result_.end);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      if (r_.job_id[order[i]] == r_.job_id[order[i + 1]]) at[order[i]] = r_.submit[order[i + 1]];
    }
    return at;
  }

  /// Ended jobs that slurmctld still knows: completing, then in their last state up to MinJobAge.
  void ended_jobs() const {
    std::map<std::string, MetricFamily> families;
    for (const std::string_view state :
         {"cancelled", "completing", "completed", "failed", "timeout", "preempted", "node_fail"}) {
      const std::string name = fmt::format("slurm_queue_{}", state);
      families[name] = {name, fmt::format("Jobs that are {} and still known", state)};
      families[name].series[""];
    }
    std::vector<std::int64_t> clean = r_.end;
    for (std::size_t i = 0; i < result_.completing.size(); ++i) {
      const std::int64_t at = result_.completing.end[i];
      clean[result_.completing.run[i]] = at == kNoTime ? result_.end : at;
    }
    const std::vector<std::int64_t> next = again();
    const std::int64_t age = result_.cluster.min_job_age_s;  // 0: they are never forgotten
    for (std::size_t row = 0; row < r_.size(); ++row) {
      if (r_.end[row] == kNoTime) continue;
      families["slurm_queue_completing"].series[""].add(r_.tasks[row], r_.end[row], clean[row]);
      std::string state(run_state_text(r_.state[row]));
      std::transform(state.begin(), state.end(), state.begin(), lower);
      const auto family = families.find("slurm_queue_" + state);
      if (family == families.end()) continue;
      const std::int64_t known = age == 0 ? result_.end : r_.end[row] + age + 1;
      family->second.series[""].add(r_.tasks[row], clean[row], std::min(known, next[row]));
    }
    for (auto& [name, family] : families) emit(std::move(family));
  }

  void gpu_share() const {
    std::int64_t gpus = 0;
    for (const NodeFacts& node : result_.cluster.nodes) gpus += node.gpu_milli;
    if (gpus == 0) return;
    MetricFamily share{"slurm_gpus_utilization", "Allocated / total GPUs, 0 to 1", gpus};
    StepSeries& held = share.series[""];
    for (std::size_t row = 0; row < r_.size(); ++row) {
      if (ran(row)) held.add(r_.gpu_milli[row], r_.start[row], end_of(row));
    }
    emit(std::move(share));
  }

  void partitions() const {
    MetricFamily pending{"slurm_partition_jobs_pending", "Pending jobs for partition"};
    MetricFamily running{"slurm_partition_jobs_running", "Running jobs for partition"};
    for (std::size_t row = 0; row < r_.size(); ++row) {
      const std::string by =
          labels({{"partition", result_.cluster.partitions[r_.partition[row]].name}});
      pending.series[by].add(r_.tasks[row], r_.submit[row], pends_until(row));
      if (!ran(row)) continue;
      running.series[by].add(1, r_.start[row], end_of(row));
    }
    for_each_stand([&](std::uint32_t row, std::int64_t from, std::int64_t to) {
      running.series[labels({{"partition", result_.cluster.partitions[r_.partition[row]].name}})]
          .add(-1, from, to);
    });
    for (MetricFamily* each : {&pending, &running}) emit(std::move(*each));
  }

  void owners(const char* kind, const std::vector<std::uint32_t>& codes,
              const NamePool& pool) const {
    const std::string head = fmt::format("slurm_{}_", kind);
    MetricFamily pending{head + "jobs_pending", fmt::format("Pending jobs for {}", kind)};
    MetricFamily running{head + "jobs_running", fmt::format("Running jobs for {}", kind)};
    MetricFamily cpus{head + "cpus_running", fmt::format("Running cpus for {}", kind)};
    MetricFamily gpus{head + "gpus_running", fmt::format("Running GPUs for {}", kind), 1000};
    MetricFamily suspended{head + "jobs_suspended", fmt::format("Suspended jobs for {}", kind)};
    for (std::size_t row = 0; row < r_.size(); ++row) {
      const std::string by = labels({{kind, text_of(pool, codes[row])}});
      pending.series[by].add(r_.tasks[row], r_.submit[row], pends_until(row));
      if (!ran(row)) continue;
      running.series[by].add(1, r_.start[row], end_of(row));
      cpus.series[by].add(r_.cpus[row], r_.start[row], end_of(row));
      gpus.series[by].add(r_.gpu_milli[row], r_.start[row], end_of(row));
      suspended.series[by];
    }
    for_each_stand([&](std::uint32_t row, std::int64_t from, std::int64_t to) {
      const std::string by = labels({{kind, text_of(pool, codes[row])}});
      suspended.series[by].add(1, from, to);
      running.series[by].add(-1, from, to);
      cpus.series[by].add(-std::int64_t{r_.cpus[row]}, from, to);
      gpus.series[by].add(-std::int64_t{r_.gpu_milli[row]}, from, to);
    });
    for (MetricFamily* each : {&pending, &running, &cpus, &gpus, &suspended}) {
      emit(std::move(*each));
    }
  }

  void node_gres() const {
    MetricFamily total{"slurm_node_gres_total", "GRES of a node", 1000};
    MetricFamily used{"slurm_node_gres_used", "GRES of a node that jobs hold", 1000};
    const auto by = [&](std::size_t node) {
      return labels({{"node", result_.cluster.nodes[node].name}, {"gres_type", "gpu"}});
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
