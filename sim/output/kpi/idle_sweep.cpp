// sim/output/kpi/idle_sweep.cpp — what nodes hold and what jobs want, change by change.
#include "sim/output/kpi/idle_sweep.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/output/kpi/asked_gpus.hpp"
#include "sim/output/kpi/gpu_reach.hpp"
#include "sim/output/kpi/pending_time.hpp"

namespace rehearse {
namespace {

constexpr std::uint16_t kOutOfService = kNodeDown | kNodeDrain | kNodeFail | kNodeNoRespond |
                                        kNodePoweringDown | kNodeFuture | kNodeMaint;
constexpr std::size_t kLeft = static_cast<std::size_t>(GpuHours::Left);
constexpr std::size_t kNoDemand = static_cast<std::size_t>(GpuHours::NoDemand);
constexpr std::size_t kCpusGone = static_cast<std::size_t>(GpuHours::CpusGone);
constexpr std::size_t kMemoryGone = static_cast<std::size_t>(GpuHours::MemoryGone);

enum class ChangeOf : std::uint8_t { Node, Service, Demand };

/// Of what a node's jobs hold, of whether it takes jobs, or of what jobs want.
struct Change {
  std::int64_t time = 0;
  ChangeOf of{};
  std::uint8_t cause = 0;       ///< of a demand
  std::uint32_t at = 0;         ///< node; of a demand its set
  std::int64_t gpu_milli = 0;   ///< held or wanted
  std::int64_t cpus = 0;        ///< held; of a change of service 1: it takes jobs
  std::int64_t memory_mib = 0;  ///< held
};

struct NodeUse {
  std::int64_t gpu_milli = 0, cpus = 0, memory_mib = 0;
  bool takes_jobs = true;
};

/// Idle GPUs of a pool [1/1000].
struct PoolIdle {
  std::int64_t all = 0, without_cpus = 0, without_memory = 0;
};

std::vector<Change> changes_of(const Result& result, const GpuReach& reach) {
  std::vector<Change> changes;
  const HoldingColumns& held = result.holdings;
  const RunColumns& runs = result.runs;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint32_t row = held.run[i];
    if (runs.start[row] == kNoTime || reach.pool_of_node[held.node[i]] == kNoRow) continue;
    Change change{runs.start[row],
                  ChangeOf::Node,
                  0,
                  held.node[i],
                  held.gpu_milli[i],
                  held.cpus[i],
                  static_cast<std::int64_t>(held.memory_mib[i])};
    changes.push_back(change);
    change.time = runs.end[row] == kNoTime ? result.end : runs.end[row];
    change.gpu_milli = -change.gpu_milli;
    change.cpus = -change.cpus;
    change.memory_mib = -change.memory_mib;
    changes.push_back(change);
  }
  const NodeEventColumns& events = result.node_events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (reach.pool_of_node[events.node[i]] == kNoRow) continue;
    const bool serves = (events.state[i] & kOutOfService) == 0;
    changes.push_back({events.time[i], ChangeOf::Service, 0, events.node[i], 0, serves ? 1 : 0, 0});
  }
  const WaitColumns& waits = result.waits;
  const AskedGpus asked(result);
  const std::vector<std::uint32_t> left = jobs_left(result);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const std::uint32_t set = reach.set_of_run[waits.run[i]];
    if (set == kNoRow) continue;
    const auto cause = static_cast<std::uint8_t>(cause_of(static_cast<Reason>(waits.reason[i])));
    const std::int64_t each = asked.milli(waits.run[i]);
    const auto add = [&](std::uint8_t why, std::int64_t jobs) {
      if (jobs <= 0) return;
      changes.push_back({waits.begin[i], ChangeOf::Demand, why, set, each * jobs, 0, 0});
      changes.push_back({waits.end[i], ChangeOf::Demand, why, set, -each * jobs, 0, 0});
    };
    add(cause, std::int64_t{waits.tasks[i]} - left[i]);
    add(static_cast<std::uint8_t>(kLeft), left[i]);
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.time < b.time; });
  return changes;
}

class IdleSweep {
 public:
  explicit IdleSweep(const Result& result)
      : result_(result),
        reach_(gpu_reach(result)),
        nodes_(result.cluster.nodes.size()),
        idle_(reach_.pool_count),
        wanted_(reach_.pools.size()),
        remaining_(reach_.pool_count),
        taken_(reach_.pool_count) {
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) count(node, 1);
  }

  GpuHoursByCause run(std::int64_t from, std::int64_t to) {
    std::int64_t since = from;
    for (const Change& change : changes_of(result_, reach_)) {
      const std::int64_t until = std::min(change.time, to);
      if (until > since) {
        share(static_cast<double>(until - since));
        since = until;
      }
      apply(change);
    }
    if (to > since) share(static_cast<double>(to - since));
    return seconds_;
  }

 private:
  /// Adds what the node has idle to its pool, or takes it away.
  void count(std::uint32_t node, std::int64_t sign) {
    const std::uint32_t pool = reach_.pool_of_node[node];
    const NodeUse& use = nodes_[node];
    const NodeFacts& facts = result_.cluster.nodes[node];
    if (pool == kNoRow || !use.takes_jobs) return;
    const std::int64_t idle = std::int64_t{facts.gpu_milli} - use.gpu_milli;
    if (idle <= 0) return;
    idle_[pool].all += sign * idle;
    if (use.cpus >= std::int64_t{facts.effective_cpus}) {
      idle_[pool].without_cpus += sign * idle;
    } else if (use.memory_mib > 0 &&
               use.memory_mib >= static_cast<std::int64_t>(facts.memory_mib)) {
      idle_[pool].without_memory += sign * idle;
    }
  }

  void apply(const Change& change) {
    if (change.of == ChangeOf::Demand) {
      wanted_[change.at][change.cause] += change.gpu_milli;
      return;
    }
    count(change.at, -1);
    NodeUse& use = nodes_[change.at];
    if (change.of == ChangeOf::Service) {
      use.takes_jobs = change.cpus != 0;
    } else {
      use.gpu_milli += change.gpu_milli;
      use.cpus += change.cpus;
      use.memory_mib += change.memory_mib;
    }
    count(change.at, 1);
  }

  /// The idle GPUs as they stand, for so long.
  void share(double span_s) {
    for (std::size_t pool = 0; pool < idle_.size(); ++pool) {
      remaining_[pool] = static_cast<double>(idle_[pool].all);
      taken_[pool].fill(0);
    }
    for (const std::uint32_t set : reach_.order) take(set, 0, kLeft);
    for (const std::uint32_t set : reach_.order) take(set, kLeft, kLeft + 1);
    const double scale = span_s / 1000;
    for (std::size_t pool = 0; pool < idle_.size(); ++pool) {
      seconds_[kNoDemand] += remaining_[pool] * scale;
      seconds_[kLeft] += taken_[pool][kLeft] * scale;
      const double wanted =
          std::accumulate(taken_[pool].begin(), taken_[pool].begin() + kLeft, 0.0);
      if (wanted <= 0) continue;
      const double cpus = std::min(wanted, static_cast<double>(idle_[pool].without_cpus));
      const double memory =
          std::min(wanted - cpus, static_cast<double>(idle_[pool].without_memory));
      seconds_[kCpusGone] += cpus * scale;
      seconds_[kMemoryGone] += memory * scale;
      const double others = (wanted - cpus - memory) / wanted;
      for (std::size_t cause = 0; cause < kLeft; ++cause) {
        seconds_[cause] += taken_[pool][cause] * others * scale;
      }
    }
  }

  /// What the jobs of a set want for causes in [first, past), out of what remains.
  void take(std::uint32_t set, std::size_t first, std::size_t past) {
    const auto& wanted = wanted_[set];
    std::int64_t all = 0;
    for (std::size_t cause = first; cause < past; ++cause) all += wanted[cause];
    auto open = static_cast<double>(all);
    for (const std::uint32_t pool : reach_.pools[set]) {
      if (open <= 0) return;
      const double part = std::min(open, remaining_[pool]);
      remaining_[pool] -= part;
      open -= part;
      for (std::size_t cause = first; cause < past; ++cause) {
        taken_[pool][cause] += part * static_cast<double>(wanted[cause]) / static_cast<double>(all);
      }
    }
  }

  const Result& result_;
  GpuReach reach_;
  std::vector<NodeUse> nodes_;
  std::vector<PoolIdle> idle_;
  std::vector<std::array<std::int64_t, kGpuHoursCount>> wanted_;  // by set [1/1000]
  std::vector<double> remaining_;                                 // by pool, of one span
  std::vector<GpuHoursByCause> taken_;                            // by pool, of one span
  GpuHoursByCause seconds_{};
};

}  // namespace

GpuHoursByCause idle_gpu_seconds(const Result& result, std::int64_t from, std::int64_t to) {
  return IdleSweep(result).run(std::max(from, result.begin), std::min(to, result.end));
}

}  // namespace rehearse
