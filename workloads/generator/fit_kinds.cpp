// workloads/generator/fit_kinds.cpp — kinds of jobs: where they run, about how large, for how long,
// and how they end.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "workloads/generator/fit.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kLeastForOwnSpread = 20;
constexpr double kMinute = 60;

using SizeKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::string>;

SizeKey size_key(const WorkloadJob& job) {
  return {job.nodes, job.cpus, job.memory_mib, job.gres};
}

/// About how large: run times are fitted for each class. The names of GRES, and powers of 2 of
/// GPUs or of 4 of CPUs.
std::string size_class(const WorkloadJob& job) {
  std::string names;
  bool in_count = false;
  for (const char c : job.gres) {
    if (c == '=') in_count = true;
    if (c == ',') in_count = false;
    if (!in_count) names += c;
  }
  const std::uint64_t gpus = job.gpus();
  if (!names.empty()) return fmt::format("{}-{}", names, gpus > 0 ? std::bit_width(gpus) : 0);
  return fmt::format("cpu-{}", (std::bit_width(job.cpus) + 1) / 2);
}

using KindKey = std::tuple<std::string, std::string, std::string, std::string>;
KindKey kind_key(const WorkloadJob& job) {
  return {job.account, job.partition, job.qos, size_class(job)};
}

void fit_sizes(const std::vector<const WorkloadJob*>& jobs, const FitOptions& options,
               JobKind& kind, std::size_t& rare) {
  std::map<SizeKey, std::size_t> counts;
  for (const WorkloadJob* job : jobs) ++counts[size_key(*job)];
  std::vector<std::pair<std::size_t, SizeKey>> common;
  for (const auto& [key, count] : counts) common.emplace_back(count, key);
  std::sort(common.begin(), common.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  for (std::size_t i = 0; i < common.size(); ++i) {
    const auto& [count, key] = common[i];
    const auto& [nodes, cpus, memory, gres] = key;
    if (i < options.sizes_most) {
      kind.sizes.push_back({static_cast<double>(count), nodes, cpus, memory, gres});
      continue;
    }
    rare += count;
    const auto far = [cpus_here = static_cast<double>(cpus)](const AskedSize& size) {
      return std::abs(static_cast<double>(size.cpus) - cpus_here);
    };
    std::min_element(kind.sizes.begin(), kind.sizes.end(), [&](const auto& a, const auto& b) {
      return far(a) < far(b);
    })->weight += static_cast<double>(count);
  }
}

void fit_ends(const std::vector<const WorkloadJob*>& jobs, const FitOptions& options,
              JobKind& kind) {
  std::map<JobEnd, std::vector<double>> by_end;
  std::vector<double> all;
  for (const WorkloadJob* job : jobs) {
    for (const DrawnRun& run : job->runs) {
      by_end[run.end].push_back(static_cast<double>(run.seconds));
      if (run.end != JobEnd::CancelledPending && run.end != JobEnd::Timeout) {
        all.push_back(static_cast<double>(run.seconds));
      }
    }
  }
  // The run time of what completed, where that is enough; else of all that ended by itself.
  const auto completed = by_end.find(JobEnd::Completed);
  const bool has_own = completed != by_end.end() && completed->second.size() >= kLeastForOwnSpread;
  if (all.empty()) {
    for (const WorkloadJob* job : jobs) {
      all.push_back(static_cast<double>(job->limit.value_or(60)) * kMinute);
    }
  }
  kind.run_time = fit_spread(has_own ? completed->second : all, options.distance_most);
  if (by_end.size() == 1 && completed != by_end.end()) return;
  for (const auto& [end, seconds] : by_end) {
    EndChance chance{end, static_cast<double>(seconds.size()), std::nullopt};
    // The limits of those that ran into them are others than those of the rest.
    const bool is_own =
        end == JobEnd::CancelledPending || end == JobEnd::Timeout ||
        (end != JobEnd::Completed && has_own && seconds.size() >= kLeastForOwnSpread);
    if (is_own) chance.after = fit_spread(seconds, options.distance_most);
    kind.ends.push_back(std::move(chance));
  }
}

void fit_arrays(const std::vector<const WorkloadJob*>& jobs, const FitOptions& options,
                JobKind& kind) {
  std::vector<double> tasks;
  std::map<std::uint64_t, std::size_t> throttles;
  for (const WorkloadJob* job : jobs) {
    if (!job->is_array) continue;
    tasks.push_back(static_cast<double>(job->runs.size()));
    ++throttles[job->throttle];
  }
  if (tasks.empty()) return;
  kind.array_share = static_cast<double>(tasks.size()) / static_cast<double>(jobs.size());
  kind.tasks = fit_spread(tasks, options.distance_most);
  kind.throttle = std::max_element(throttles.begin(), throttles.end(), [](auto& a, auto& b) {
                    return a.second < b.second;
                  })->first;
}

/// The longest run of a job or its tasks that ended by itself [s]; none: no run did.
std::optional<std::int64_t> longest_by_itself(const WorkloadJob& job) {
  std::optional<std::int64_t> longest;
  for (const DrawnRun& run : job.runs) {
    if (run.end == JobEnd::CancelledPending || run.end == JobEnd::Timeout) continue;
    longest = std::max<std::int64_t>(longest.value_or(0), run.seconds);
  }
  return longest;
}

JobKind kind_of(const KindKey& key, const std::vector<const WorkloadJob*>& jobs,
                const FitOptions& options, std::size_t& rare) {
  JobKind kind;
  std::tie(kind.account, kind.partition, kind.qos, kind.name) = key;
  kind.weight = static_cast<double>(jobs.size());
  fit_sizes(jobs, options, kind, rare);
  fit_ends(jobs, options, kind);
  fit_arrays(jobs, options, kind);
  std::vector<LimitSample> limits;
  std::vector<LimitSample> met;  // by jobs of which no run ended by itself
  for (const WorkloadJob* job : jobs) {
    const bool ran = job->runs.front().end != JobEnd::CancelledPending;
    if (!job->limit || !ran) continue;
    const auto longest = longest_by_itself(*job);
    const std::int64_t run = longest.value_or(job->runs.front().seconds);
    (longest ? limits : met)
        .push_back({static_cast<double>(run), static_cast<double>(*job->limit)});
  }
  // A kind of which some jobs have a limit and some have none asks for one.
  if (2 * (limits.size() + met.size()) >= jobs.size()) {
    kind.limit = fit_limit(limits.empty() ? met : limits);
  }
  if (!kind.limit.factor && !kind.limit.values) {
    std::erase_if(kind.ends, [](const EndChance& each) { return each.end == JobEnd::Timeout; });
  }
  return kind;
}

/// Submissions of sessions one after the other.
struct Pairs {
  std::size_t count = 0, same = 0;
  std::vector<double> before, after;  ///< normal scores of run times of one kind
};

Pairs pairs_of(const std::vector<WorkloadJob>& jobs, const std::vector<const UserStream*>& streams,
               const std::map<std::size_t, double>& scores) {
  Pairs pairs;
  for (const UserStream* stream : streams) {
    std::map<KindKey, double> last;
    std::size_t session = 0;
    for (std::size_t i = 0; i < stream->places.size(); ++i) {
      const bool begins = session < stream->begins.size() && stream->begins[session] == i;
      if (begins) {
        ++session;
        last.clear();
      }
      const WorkloadJob& job = jobs[stream->places[i]];
      const KindKey key = kind_key(job);
      if (!begins) {
        const WorkloadJob& previous = jobs[stream->places[i - 1]];
        ++pairs.count;
        if (kind_key(previous) == key && size_key(previous) == size_key(job)) ++pairs.same;
      }
      const double score = scores.at(stream->places[i]);
      if (const auto found = last.find(key); found != last.end()) {
        pairs.before.push_back(found->second);
        pairs.after.push_back(score);
      }
      last[key] = score;
    }
  }
  return pairs;
}

}  // namespace

FittedKinds fit_kinds(const std::vector<WorkloadJob>& jobs,
                      const std::vector<const UserStream*>& streams, const FitOptions& options) {
  std::map<KindKey, std::vector<std::size_t>> places;
  std::map<std::pair<KindKey, SizeKey>, std::size_t> same_kind_and_size;
  double count = 0;
  for (const UserStream* stream : streams) {
    for (const std::size_t place : stream->places) {
      places[kind_key(jobs[place])].push_back(place);
      ++same_kind_and_size[{kind_key(jobs[place]), size_key(jobs[place])}];
      ++count;
    }
  }
  FittedKinds fitted;
  std::map<std::size_t, double> scores;
  for (const auto& [key, of_kind] : places) {
    std::vector<const WorkloadJob*> list;
    std::vector<double> runs;
    for (const std::size_t place : of_kind) {
      list.push_back(&jobs[place]);
      runs.push_back(static_cast<double>(jobs[place].runs.front().seconds));
    }
    fitted.kinds.push_back(kind_of(key, list, options, fitted.rare_sizes));
    const std::vector<double> of_runs = normal_scores(runs);
    for (std::size_t i = 0; i < of_kind.size(); ++i) scores[of_kind[i]] = of_runs[i];
  }
  const Pairs pairs = pairs_of(jobs, streams, scores);
  double chance = 0;  // that two draws are alike without any repetition
  for (const auto& [key, each] : same_kind_and_size) {
    const double share = static_cast<double>(each) / count;
    chance += share * share;
  }
  if (pairs.count > 0 && chance < 1) {
    const double same = static_cast<double>(pairs.same) / static_cast<double>(pairs.count);
    fitted.repeat = std::clamp((same - chance) / (1 - chance), 0.0, 1.0);
  }
  fitted.run_time_correlation = std::clamp(correlation_of(pairs.before, pairs.after), -0.99, 0.99);
  return fitted;
}

}  // namespace rehearse
