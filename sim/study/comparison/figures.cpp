// sim/study/comparison/figures.cpp — ratios of sums by user, and quantiles of weighted jobs.
#include "sim/study/comparison/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/output/kpi/grid_sum.hpp"

namespace rehearse {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kHour = 3600;

constexpr std::array kPairFigures{
    FigureInfo{"wait_mean", "mean wait", "s",
               "mean of first start - submission, of jobs that started on both sides"},
    FigureInfo{"wait_p50", "P50 wait", "s", "quantile (type 7) of the same waits"},
    FigureInfo{"wait_p90", "P90 wait", "s", "quantile (type 7) of the same waits"},
    FigureInfo{"wait_p95", "P95 wait", "s", "quantile (type 7) of the same waits"},
    FigureInfo{"wait_p99", "P99 wait", "s", "quantile (type 7) of the same waits"},
    FigureInfo{"wait_eligible_mean", "mean wait, eligible", "s",
               "mean of first start - eligible, of jobs that started on both sides"},
    FigureInfo{
        "bounded_slowdown_mean", "bounded slowdown", "1",
        "mean of max(1, (last end - submission) / max(work, 10 s)) of jobs that ended on both "
        "sides; work: seconds of runs without suspensions and lost work"},
    FigureInfo{
        "gpu_utilization", "GPU utilization *", "1",
        "GPU-seconds held by all jobs of the side / GPU-seconds existing, from the first to the "
        "last submission",
        Better::More},
    FigureInfo{
        "cpu_utilization", "CPU utilization *", "1",
        "CPU-seconds held by all jobs of the side / CPU-seconds existing, from the first to the "
        "last submission",
        Better::More},
    FigureInfo{
        "throughput", "throughput *", "1/h",
        "jobs of the side that ended for good / hours, from the first to the last submission",
        Better::More},
    FigureInfo{"preemptions", "preemptions", "1", "runs that ended PREEMPTED"},
    FigureInfo{"gpu_hours_lost", "GPU-hours lost", "h",
               "GPU-hours of runs that ended PREEMPTED, NODE_FAIL or REQUEUED"},
};

constexpr std::array kRunFigures{
    FigureInfo{"makespan", "makespan", "s", "last end - first submission"},
    FigureInfo{"gpu_utilization_existing", "GPU utilization, whole run", "1",
               "busy / existing GPU-seconds of the whole run, with its tail", Better::More},
    FigureInfo{"cpu_utilization_existing", "CPU utilization, whole run", "1",
               "busy / existing CPU-seconds of the whole run, with its tail", Better::More},
    FigureInfo{"gpu_hours_idle", "GPU-hours idle", "h",
               "available - busy GPU-hours of the whole run"},
    FigureInfo{"jobs_never_started", "jobs never started", "1",
               "jobs that were pending at the end, or cancelled before a start"},
    FigureInfo{"jobs_killed", "jobs killed for good", "1",
               "jobs whose last run was preempted or lost its nodes, and that did not come back"},
    FigureInfo{"jobs_rejected", "submissions refused", "1",
               "submissions that the controller refused"},
    FigureInfo{"node_hours_powered_down", "node-hours powered down", "h",
               "hours of nodes that power saving has switched off, of the whole run",
               Better::Neither, true},
    FigureInfo{"backfill_share", "started by backfill", "1", "runs started by backfill / runs",
               Better::Neither},
};

/// A figure that is a ratio of sums over jobs: what each user adds to it on both sides.
struct UserSums {
  std::vector<double> top_a, top_b, below_a, below_b;
  double fixed_a = 0, fixed_b = 0;  ///< a denominator that no user changes, where `below` is empty
};

double ratio(double top, double below) {
  return below > 0 ? top / below : kNothing;
}

/// Waits of one side in ascending order, each with its user.
struct SortedWaits {
  std::vector<double> wait;
  std::vector<std::uint32_t> user;
};

constexpr std::array<double, 4> kQuantiles{0.5, 0.9, 0.95, 0.99};

/// Quantiles of the waits, each as often as its user was drawn (type 7, as quantile()).
std::array<double, 4> weighted_quantiles(const SortedWaits& sorted,
                                         std::span<const std::uint16_t> weights,
                                         std::uint64_t total) {
  std::array<double, 4> values;
  values.fill(kNothing);
  if (total == 0) return values;
  std::array<std::uint64_t, 4> below{};
  std::array<double, 4> part{};
  for (std::size_t q = 0; q < kQuantiles.size(); ++q) {
    const double place = kQuantiles[q] * static_cast<double>(total - 1);
    below[q] = static_cast<std::uint64_t>(std::floor(place));
    part[q] = place - std::floor(place);
  }
  std::uint64_t seen = 0;
  std::size_t next = 0;        // the first quantile whose lower value is not found yet
  std::size_t unfinished = 0;  // the first whose upper value is not found yet
  std::array<double, 4> low{};
  for (std::size_t i = 0; i < sorted.wait.size() && unfinished < kQuantiles.size(); ++i) {
    seen += weights[sorted.user[i]];
    while (next < kQuantiles.size() && seen > below[next]) low[next++] = sorted.wait[i];
    while (unfinished < next && (seen > below[unfinished] + 1 || below[unfinished] + 1 >= total)) {
      values[unfinished] = low[unfinished] + part[unfinished] * (sorted.wait[i] - low[unfinished]);
      ++unfinished;
    }
  }
  return values;
}

/// Collects what the figures of a set of pairs need.
class Collector {
 public:
  Collector(const MeasureContext& context, std::span<const std::size_t> which)
      : context_(context), users_(context.pairs->users.size()) {
    for (UserSums* sums : {&wait_, &eligible_, &slowdown_}) {
      for (auto* column : {&sums->top_a, &sums->top_b, &sums->below_a, &sums->below_b}) {
        column->resize(users_);
      }
    }
    for (UserSums* sums : {&gpu_, &cpu_, &ended_, &preempted_, &lost_}) {
      sums->top_a.resize(users_);
      sums->top_b.resize(users_);
      sums->fixed_a = sums->fixed_b = 1;
    }
    gpu_.fixed_a = context.capacity_a.gpu_s;
    gpu_.fixed_b = context.capacity_b.gpu_s;
    cpu_.fixed_a = context.capacity_a.cpu_s;
    cpu_.fixed_b = context.capacity_b.cpu_s;
    ended_.fixed_a = ended_.fixed_b = static_cast<double>(context.pairs->window.length()) / kHour;
    std::vector<bool> has(users_);
    std::vector<std::pair<double, std::uint32_t>> waits_a;
    std::vector<std::pair<double, std::uint32_t>> waits_b;
    for (const std::size_t at : which) {
      const JobPair& pair = context.pairs->at(at);
      add(pair);
      if (!pair.both_started()) continue;
      if (!has[pair.user]) ++users_seen_;
      has[pair.user] = true;
      waits_a.emplace_back(static_cast<double>(pair.a.wait()), pair.user);
      waits_b.emplace_back(static_cast<double>(pair.b.wait()), pair.user);
      ++jobs_of_[pair.user];
    }
    sort(waits_a, sorted_a_);
    sort(waits_b, sorted_b_);
  }

  [[nodiscard]] std::vector<DrawnFigure> figures() const {
    const std::vector<std::uint16_t> once(users_, 1);
    std::vector<DrawnFigure> table(kPairFigures.size());
    for (DrawnFigure& figure : table) figure.users = users_seen_;
    draw(once, [&](std::size_t i, double a, double b) {
      table[i].a = a;
      table[i].b = b;
    });
    if (users_seen_ < context_.options->users_min) return table;  // no interval can be given
    for (std::size_t n = 0; n < context_.draws->size(); ++n) {
      draw(context_.draws->weights(n), [&](std::size_t i, double a, double b) {
        table[i].drawn_a.push_back(a);
        table[i].drawn_b.push_back(b);
      });
    }
    return table;
  }

 private:
  static void sort(std::vector<std::pair<double, std::uint32_t>>& waits, SortedWaits& into) {
    std::sort(waits.begin(), waits.end());
    for (const auto& [wait, user] : waits) {
      into.wait.push_back(wait);
      into.user.push_back(user);
    }
  }

  void add(const JobPair& pair) {
    const std::uint32_t u = pair.user;
    gpu_.top_a[u] += static_cast<double>(pair.a.window_gpu_milli_s) / 1000;
    gpu_.top_b[u] += static_cast<double>(pair.b.window_gpu_milli_s) / 1000;
    cpu_.top_a[u] += static_cast<double>(pair.a.window_cpu_s);
    cpu_.top_b[u] += static_cast<double>(pair.b.window_cpu_s);
    ended_.top_a[u] += pair.a.ended_in_window ? 1 : 0;
    ended_.top_b[u] += pair.b.ended_in_window ? 1 : 0;
    preempted_.top_a[u] += pair.a.preemptions;
    preempted_.top_b[u] += pair.b.preemptions;
    lost_.top_a[u] += static_cast<double>(pair.a.lost_gpu_milli_s) / 1000 / kHour;
    lost_.top_b[u] += static_cast<double>(pair.b.lost_gpu_milli_s) / 1000 / kHour;
    if (!pair.both_started()) return;
    count(wait_, u, static_cast<double>(pair.a.wait()), static_cast<double>(pair.b.wait()));
    if (pair.a.eligible != kNoTime && pair.b.eligible != kNoTime) {
      count(eligible_, u, static_cast<double>(pair.a.start - pair.a.eligible),
            static_cast<double>(pair.b.start - pair.b.eligible));
    }
    if (pair.a.slowdown > 0 && pair.b.slowdown > 0) {
      count(slowdown_, u, pair.a.slowdown, pair.b.slowdown);
    }
  }

  static void count(UserSums& sums, std::uint32_t user, double a, double b) {
    sums.top_a[user] += a;
    sums.top_b[user] += b;
    sums.below_a[user] += 1;
    sums.below_b[user] += 1;
  }

  /// Every figure where user u counts weights[u] times: use(index, a, b).
  template <typename Use>
  void draw(std::span<const std::uint16_t> weights, const Use& use) const {
    std::uint64_t jobs = 0;
    for (std::size_t u = 0; u < users_; ++u) jobs += jobs_of_[u] * weights[u];
    const auto of = [&](const UserSums& sums, std::size_t i) {
      double top_a = 0, top_b = 0, below_a = 0, below_b = 0;
      const bool counts = !sums.below_a.empty();
      for (std::size_t u = 0; u < users_; ++u) {
        const double w = weights[u];
        top_a += w * sums.top_a[u];
        top_b += w * sums.top_b[u];
        if (!counts) continue;
        below_a += w * sums.below_a[u];
        below_b += w * sums.below_b[u];
      }
      use(i, ratio(top_a, counts ? below_a : sums.fixed_a),
          ratio(top_b, counts ? below_b : sums.fixed_b));
    };
    of(wait_, 0);
    const auto quantiles_a = weighted_quantiles(sorted_a_, weights, jobs);
    const auto quantiles_b = weighted_quantiles(sorted_b_, weights, jobs);
    for (std::size_t q = 0; q < kQuantiles.size(); ++q) use(q + 1, quantiles_a[q], quantiles_b[q]);
    std::size_t i = kQuantiles.size() + 1;
    for (const UserSums* sums :
         {&eligible_, &slowdown_, &gpu_, &cpu_, &ended_, &preempted_, &lost_}) {
      of(*sums, i++);
    }
  }

  const MeasureContext& context_;
  std::size_t users_, users_seen_ = 0;
  UserSums wait_, eligible_, slowdown_, gpu_, cpu_, ended_, preempted_, lost_;
  SortedWaits sorted_a_, sorted_b_;
  std::vector<std::uint64_t> jobs_of_ = std::vector<std::uint64_t>(users_);
};

}  // namespace

bool Figure::is_worse() const {
  if (!is_judged || !sure.is_significant() || info->better == Better::Neither) return false;
  return (difference() > 0) == (info->better == Better::Less);
}

bool Figure::is_better() const {
  return is_judged && sure.is_significant() && info->better != Better::Neither && !is_worse();
}

std::span<const FigureInfo> pair_figures() {
  return kPairFigures;
}
std::span<const FigureInfo> run_figures() {
  return kRunFigures;
}

const FigureInfo* find_figure(std::string_view name) {
  // p95_wait reads as wait_p95: the word before the first underscore goes last.
  const std::size_t dash = name.find('_');
  const std::string turned = dash == name.npos ? std::string(name)
                                               : std::string(name.substr(dash + 1)) + "_" +
                                                     std::string(name.substr(0, dash));
  for (const std::span<const FigureInfo> list : {pair_figures(), run_figures()}) {
    for (const FigureInfo& info : list) {
      if (info.name == name || info.name == turned) return &info;
    }
  }
  return nullptr;
}

WindowCapacity capacity_of(const Result& result, const Window& window) {
  WindowCapacity capacity;
  capacity.gpu_s = integral_within(result, "gpus_existing", window.from, window.to);
  capacity.cpu_s = integral_within(result, "cpus_existing", window.from, window.to);
  return capacity;
}

std::optional<Interval> within_capacity(const FigureInfo& info, std::optional<Interval> interval,
                                        double point) {
  if (!interval || !info.is_of_capacity()) return interval;
  const double most = std::max(point, 1.0);
  return Interval{std::min(interval->low, most), std::min(interval->high, most)};
}

std::vector<DrawnFigure> draw_figures(const MeasureContext& context,
                                      std::span<const std::size_t> which) {
  return Collector(context, which).figures();
}

std::vector<Figure> measure(const MeasureContext& context, std::span<const std::size_t> which) {
  const std::vector<DrawnFigure> table = draw_figures(context, which);
  const std::vector<Sureness> sure = judge(table, *context.options);
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const FigureInfo& info = kPairFigures[i];
    figures.push_back({&info, table[i].a, table[i].b, table[i].users, sure[i]});
    Sureness& of = figures.back().sure;
    of.a = within_capacity(info, of.a, table[i].a);
    of.b = within_capacity(info, of.b, table[i].b);
  }
  return figures;
}

}  // namespace rehearse
