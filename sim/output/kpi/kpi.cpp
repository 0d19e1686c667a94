// sim/output/kpi/kpi.cpp — figures from the columns of a result; sums in integers, divided once.
#include "sim/output/kpi/kpi.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sim/output/kpi/arrival_kpis.hpp"
#include "sim/output/kpi/asked_gpus.hpp"
#include "sim/output/kpi/feedback_kpis.hpp"
#include "sim/output/kpi/gpu_kpis.hpp"
#include "sim/output/kpi/job_fates.hpp"
#include "sim/output/kpi/pending_time.hpp"
#include "sim/output/kpi/run_time.hpp"

namespace rehearse {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kHour = 3600;

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : kNothing;
}

/// What is measured of a set of rows.
struct Group {
  std::vector<double> waits, waits_eligible, slowdowns;
  std::uint64_t jobs = 0, started = 0, runs = 0, backfilled = 0, ended = 0, failed = 0,
                preempted = 0, jobs_ended = 0, killed = 0;
  std::uint64_t gpu_milli_s = 0, lost_gpu_milli_s = 0, cpu_s = 0;

  /// `fates`: job_fates().
  void take(const Result& result, const std::vector<JobFate>& fates, std::size_t row);
};

void Group::take(const Result& result, const std::vector<JobFate>& fates, std::size_t row) {
  const RunColumns& r = result.runs;
  const bool first = r.restarts[row] == 0;
  if (first) jobs += r.tasks[row];
  const std::int64_t start = r.start[row];
  if (start == kNoTime) return;
  const std::int64_t inside = seconds_within(result, row) - r.suspended_s[row];
  const auto held = static_cast<std::uint64_t>(std::max<std::int64_t>(inside, 0));
  ++runs;
  backfilled += r.started_by[row] == static_cast<std::uint8_t>(StartedBy::Backfill) ? 1U : 0U;
  preempted += r.state[row] == static_cast<std::uint8_t>(JobState::Preempted) ? 1U : 0U;
  gpu_milli_s += held * r.gpu_milli[row];
  cpu_s += held * r.cpus[row];
  if (was_lost(r.state[row])) {
    const std::uint64_t kept = std::min<std::uint64_t>(held, r.kept_s[row]);
    lost_gpu_milli_s += (held - kept) * r.gpu_milli[row];
  }
  if (ended_for_good(r, row)) ++jobs_ended;
  if (!first) return;
  ended += fates[row].has_ended ? 1U : 0U;
  failed += fates[row].has_failed ? 1U : 0U;
  ++started;
  const auto wait = static_cast<double>(start - r.submit[row]);
  waits.push_back(wait);
  if (r.eligible[row] != kNoTime) {
    waits_eligible.push_back(static_cast<double>(start - r.eligible[row]));
  }
  killed += fates[row].is_killed ? 1U : 0U;
  if (!std::isnan(fates[row].slowdown)) slowdowns.push_back(fates[row].slowdown);
}

double mean(const std::vector<double>& sorted) {
  double sum = 0;
  for (const double value : sorted) sum += value;  // in ascending order: one order, the same bits
  return ratio(sum, static_cast<double>(sorted.size()));
}

/// Collects figures of one scope and group.
class Sink {
 public:
  Sink(Kpis& kpis, std::string scope, std::string group)
      : kpis_(kpis), scope_(std::move(scope)), group_(std::move(group)) {}
  void operator()(std::string name, double value) {
    kpis_.values.push_back({scope_, group_, std::move(name), value});
  }

 private:
  Kpis& kpis_;
  std::string scope_, group_;
};

void add_quantiles(Sink& sink, const std::string& name, const std::vector<double>& sorted) {
  sink(name + "_mean", mean(sorted));
  sink(name + "_p50", quantile(sorted, 0.5));
  sink(name + "_p90", quantile(sorted, 0.9));
  sink(name + "_p95", quantile(sorted, 0.95));
  sink(name + "_p99", quantile(sorted, 0.99));
}

void add_group(Sink sink, Group group) {
  for (auto* values : {&group.waits, &group.waits_eligible, &group.slowdowns}) {
    std::sort(values->begin(), values->end());
  }
  const auto count = [](std::uint64_t n) { return static_cast<double>(n); };
  sink("jobs", count(group.jobs));
  sink("jobs_started", count(group.started));
  sink("jobs_never_started", count(group.jobs - group.started));
  sink("jobs_killed", count(group.killed));
  sink("runs", count(group.runs));
  sink("preemptions", count(group.preempted));
  add_quantiles(sink, "wait", group.waits);
  add_quantiles(sink, "wait_eligible", group.waits_eligible);
  sink("bounded_slowdown_mean", mean(group.slowdowns));
  sink("bounded_slowdown_p95", quantile(group.slowdowns, 0.95));
  sink("backfill_share", ratio(count(group.backfilled), count(group.runs)));
  sink("failure_rate", ratio(count(group.failed), count(group.ended)));
  sink("gpu_hours_busy", count(group.gpu_milli_s) / 1000 / kHour);
  sink("gpu_hours_lost", count(group.lost_gpu_milli_s) / 1000 / kHour);
}

/// Jain's index of the users' mean bounded slowdowns.
double slowdown_fairness(const Result& result, const std::vector<JobFate>& fates) {
  std::map<std::uint32_t, Group> users;
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    users[result.runs.user[row]].take(result, fates, row);
  }
  double count = 0;
  double sum = 0;
  double squares = 0;
  for (auto& [user, group] : users) {
    if (group.slowdowns.empty()) continue;
    std::sort(group.slowdowns.begin(), group.slowdowns.end());
    const double slowdown = mean(group.slowdowns);
    ++count;
    sum += slowdown;
    squares += slowdown * slowdown;
  }
  return ratio(sum * sum, count * squares);
}

double integral(const Result& result, std::string_view name) {
  const Series* series = result.series.find(name);
  return series != nullptr ? static_cast<double>(series->integral) : 0;
}

void add_capacity(Sink& sink, const Result& result, std::uint64_t jobs_ended) {
  for (const auto& [figure, series] :
       {std::pair{"gpu", "gpus"}, {"cpu", "cpus"}, {"memory", "memory"}}) {
    const std::string name = series;
    const double busy = integral(result, name + "_busy");
    const std::string head = std::string(figure) + "_utilization_";
    sink(head + "existing", ratio(busy, integral(result, name + "_existing")));
    sink(head + "available", ratio(busy, integral(result, name + "_available")));
  }
  const double to_hours = 1.0 / (1000 * kHour);
  const double busy = integral(result, "gpus_busy") * to_hours;
  const double available = integral(result, "gpus_available") * to_hours;
  const auto period = static_cast<double>(result.end - result.begin);
  sink("gpu_hours_idle", available - busy);
  sink("gpu_hours_unavailable", integral(result, "gpus_existing") * to_hours - available);
  sink("gpu_hours_per_day", ratio(busy, period / 86400));
  sink("throughput", ratio(static_cast<double>(jobs_ended), period / kHour));
  sink("node_hours_powered_down", integral(result, "nodes_powered_down") / kHour);
  sink("pending_mean", ratio(integral(result, "jobs_pending"), period));
  sink("running_mean", ratio(integral(result, "jobs_running"), period));
  sink("jobs_rejected", static_cast<double>(result.rejections.size()));
}

double makespan(const RunColumns& runs) {
  std::int64_t first = kNoTime;
  std::int64_t last = kNoTime;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    if (first == kNoTime || runs.submit[row] < first) first = runs.submit[row];
    if (runs.start[row] != kNoTime) last = std::max(last, runs.end[row]);
  }
  return last == kNoTime ? kNothing : static_cast<double>(last - first);
}

void add_reasons(Kpis& kpis, const Result& result) {
  const std::map<std::uint16_t, PendingTime> times = pending_time(result);
  std::uint64_t all = 0;
  for (const auto& [reason, time] : times) all += time.over;
  for (const auto& [reason, time] : times) {
    Sink sink(kpis, "reason", std::string(to_text(static_cast<Reason>(reason))));
    sink("pending_hours", static_cast<double>(time.over) / kHour);
    sink("pending_share", ratio(static_cast<double>(time.over), static_cast<double>(all)));
    sink("pending_hours_left", static_cast<double>(time.left) / kHour);
  }
}

void add_states(Kpis& kpis, const RunColumns& runs) {
  std::map<std::uint8_t, std::uint64_t> rows;
  for (std::size_t row = 0; row < runs.size(); ++row) rows[runs.state[row]] += runs.tasks[row];
  for (const auto& [state, count] : rows) {
    Sink(kpis, "state", std::string(run_state_text(state)))("job_count",
                                                            static_cast<double>(count));
  }
}

/// Shares of an account among its siblings, up to the root. Accounts with shares `parent` pass on
/// their parent's.
std::map<std::string, double> entitlements(const std::vector<AssociationFacts>& all) {
  std::vector<double> siblings(all.size(), 0);
  for (const AssociationFacts& each : all) {
    if (each.parent != kNoRow && each.shares > 0) {
      siblings[each.parent] += static_cast<double>(each.shares);
    }
  }
  std::map<std::string, double> by_account;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (!all[row].user.empty()) continue;
    double part = 1;
    for (std::size_t at = row; all[at].parent != kNoRow; at = all[at].parent) {
      if (all[at].shares < 0) continue;
      part *= ratio(static_cast<double>(all[at].shares), siblings[all[at].parent]);
    }
    by_account[all[row].account] = part;
  }
  return by_account;
}

/// By job class, and over all: how much longer runs on GPUs took, and what sharing cost.
void add_speeds(Kpis& kpis, const Result& result) {
  const SpeedColumns& speeds = result.speeds;
  if (!speeds.kept) return;
  struct Sum {
    std::vector<double> slow_downs;
    double gpu_us = 0;
  };
  std::map<std::string, Sum> by_class;
  Sum all;
  for (std::size_t row = 0; row < speeds.size(); ++row) {
    Sum& own = by_class[text_of(result.names.text, speeds.job_class[row])];
    const double gpus = result.runs.gpu_milli[speeds.run[row]] / 1000.0;
    const double slow_down = speeds.slow_down(row);
    for (Sum* sum : {&own, &all}) {
      if (!std::isnan(slow_down)) sum->slow_downs.push_back(slow_down);
      sum->gpu_us += gpus * static_cast<double>(speeds.by_neighbours_us[row]);
    }
  }
  const auto add = [](Sink sink, Sum& sum) {
    std::sort(sum.slow_downs.begin(), sum.slow_downs.end());
    sink("gpu_runs", static_cast<double>(sum.slow_downs.size()));
    sink("slow_down_mean", mean(sum.slow_downs));
    sink("slow_down_p95", quantile(sum.slow_downs, 0.95));
    sink("gpu_hours_lost_to_sharing", sum.gpu_us / 1e6 / kHour);
  };
  add(Sink(kpis, "all", ""), all);
  for (auto& [name, sum] : by_class) add(Sink(kpis, "class", name), sum);
}

template <typename Of, typename Text>
std::map<std::uint64_t, Group> split(const Result& result, const std::vector<JobFate>& fates, Of of,
                                     Kpis& kpis, const std::string& scope, Text text) {
  std::map<std::uint64_t, Group> groups;
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    groups[of(row)].take(result, fates, row);
  }
  for (const auto& [key, group] : groups)
    add_group(Sink(kpis, scope, std::string(text(key))), group);
  return groups;
}

}  // namespace

double quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) return kNothing;
  const double place = q * static_cast<double>(sorted.size() - 1);
  const double below = std::floor(place);
  const auto at = static_cast<std::size_t>(below);
  if (at + 1 >= sorted.size()) return sorted.back();
  return sorted[at] + (place - below) * (sorted[at + 1] - sorted[at]);
}

const Kpi* Kpis::find(std::string_view scope, std::string_view group, std::string_view name) const {
  for (const Kpi& kpi : values) {
    if (kpi.name == name && kpi.scope == scope && kpi.group == group) return &kpi;
  }
  return nullptr;
}

double Kpis::overall(std::string_view name) const {
  const Kpi* kpi = find("all", "", name);
  return kpi != nullptr ? kpi->value : kNothing;
}

Kpis compute_kpis(const Result& result) {
  Kpis kpis;
  const RunColumns& runs = result.runs;
  Group all;
  const std::vector<JobFate> fates = job_fates(result);
  for (std::size_t row = 0; row < runs.size(); ++row) all.take(result, fates, row);
  Sink sink(kpis, "all", "");
  add_capacity(sink, result, all.jobs_ended);
  add_arrival_kpis(result, kpis);
  sink("makespan", makespan(runs));
  add_group(sink, all);
  sink("slowdown_fairness", slowdown_fairness(result, fates));
  add_gpu_kpis(result, kpis);
  add_feedback_kpis(result, kpis);

  const auto& partitions = result.cluster.partitions;
  split(
      result, fates, [&](std::size_t row) { return std::uint64_t{runs.partition[row]}; }, kpis,
      "partition", [&](std::uint64_t key) { return partitions[key].name; });
  const auto accounts = split(
      result, fates, [&](std::size_t row) { return std::uint64_t{runs.account[row]}; }, kpis,
      "account",
      [&](std::uint64_t key) {
        return text_of(result.names.account, static_cast<std::uint32_t>(key));
      });
  const auto entitled = entitlements(result.cluster.associations);
  for (const auto& [key, group] : accounts) {
    const std::string& name = text_of(result.names.account, static_cast<std::uint32_t>(key));
    Sink each(kpis, "account", name);
    const double share =
        all.gpu_milli_s > 0
            ? ratio(static_cast<double>(group.gpu_milli_s), static_cast<double>(all.gpu_milli_s))
            : ratio(static_cast<double>(group.cpu_s), static_cast<double>(all.cpu_s));
    const auto found = entitled.find(name);
    const double part = found != entitled.end() ? found->second : kNothing;
    each("usage_share", share);
    each("entitlement", part);
    each("usage_over_entitlement", ratio(share, part));
  }
  split(
      result, fates, [&](std::size_t row) { return std::uint64_t{runs.qos[row]}; }, kpis, "qos",
      [&](std::uint64_t key) {
        return key < result.cluster.qos.size() ? result.cluster.qos[key].name
                                               : std::string("(none)");
      });
  split(
      result, fates,
      [&](std::size_t row) { return std::uint64_t{size_class(gpu_count(result, row))}; }, kpis,
      "size", [](std::uint64_t key) { return size_class_text(key); });
  add_speeds(kpis, result);
  add_reasons(kpis, result);
  add_states(kpis, runs);
  return kpis;
}

}  // namespace rehearse
