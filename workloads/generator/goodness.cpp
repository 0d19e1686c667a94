// workloads/generator/goodness.cpp — samples of two lists of jobs, and distances between them.
#include "workloads/generator/goodness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "workloads/generator/fit.hpp"

namespace rehearse {
namespace {

constexpr double kHour = 3600;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

using Jobs = std::span<const WorkloadJob>;

double mean_of(const std::vector<double>& sample) {
  if (sample.empty()) return kNothing;
  return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

double quantile_of(std::vector<double> sample, double share) {
  if (sample.empty()) return kNothing;
  std::sort(sample.begin(), sample.end());
  return sample[static_cast<std::size_t>(share * static_cast<double>(sample.size() - 1))];
}

std::vector<double> of_jobs(Jobs jobs, auto&& value) {
  std::vector<double> sample;
  for (const WorkloadJob& job : jobs) value(job, sample);
  return sample;
}

bool ran(const DrawnRun& run) {
  return run.end != JobEnd::CancelledPending;
}

std::vector<double> interarrivals(Jobs jobs) {
  std::vector<double> sample;
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    sample.push_back(static_cast<double>((jobs[i].submit - jobs[i - 1].submit).count()));
  }
  return sample;
}

std::vector<double> run_times(Jobs jobs) {
  return of_jobs(jobs, [](const WorkloadJob& job, std::vector<double>& sample) {
    for (const DrawnRun& run : job.runs) {
      if (ran(run)) sample.push_back(static_cast<double>(run.seconds));
    }
  });
}

std::vector<double> limits(Jobs jobs) {
  return of_jobs(jobs, [](const WorkloadJob& job, std::vector<double>& sample) {
    if (job.limit) sample.push_back(static_cast<double>(*job.limit));
  });
}

std::vector<double> accuracies(Jobs jobs) {
  return of_jobs(jobs, [](const WorkloadJob& job, std::vector<double>& sample) {
    if (!job.limit || *job.limit <= 0) return;
    for (const DrawnRun& run : job.runs) {
      if (ran(run))
        sample.push_back(static_cast<double>(run.seconds) /
                         (60.0 * static_cast<double>(*job.limit)));
    }
  });
}

std::vector<double> gpu_counts(Jobs jobs) {
  return of_jobs(jobs, [](const WorkloadJob& job, std::vector<double>& sample) {
    sample.push_back(static_cast<double>(job.gpus()));
  });
}

std::vector<double> cpu_counts(Jobs jobs) {
  return of_jobs(jobs, [](const WorkloadJob& job, std::vector<double>& sample) {
    sample.push_back(static_cast<double>(job.cpus));
  });
}

std::vector<double> counts_of_users(Jobs jobs) {
  std::map<std::string_view, double> counts;
  for (const WorkloadJob& job : jobs) ++counts[job.user];
  std::vector<double> sample;
  for (const auto& [user, count] : counts) sample.push_back(count);
  return sample;
}

/// Submissions of each session.
std::vector<double> session_lengths(Jobs jobs, Seconds gap) {
  std::vector<double> sample;
  const std::vector<WorkloadJob> list(jobs.begin(), jobs.end());
  for (const UserStream& stream : streams_of(list, gap)) {
    for (std::size_t i = 0; i < stream.begins.size(); ++i) {
      const std::size_t end =
          i + 1 < stream.begins.size() ? stream.begins[i + 1] : stream.places.size();
      sample.push_back(static_cast<double>(end - stream.begins[i]));
    }
  }
  return sample;
}

double work(Jobs jobs, bool of_gpus) {
  double hours = 0;
  for (const WorkloadJob& job : jobs) {
    const auto devices = static_cast<double>(of_gpus ? job.gpus() : job.cpus);
    for (const DrawnRun& run : job.runs) {
      if (ran(run)) hours += devices * static_cast<double>(run.seconds) / kHour;
    }
  }
  return hours;
}

std::vector<double> hourly(Jobs jobs) {
  std::vector<double> counts;
  for (const WorkloadJob& job : jobs) {
    const auto hour =
        static_cast<std::size_t>((job.submit - jobs.front().submit).count() / std::int64_t{3600});
    if (hour >= counts.size()) counts.resize(hour + 1);
    ++counts[hour];
  }
  return counts;
}

double autocorrelation(const std::vector<double>& series, std::size_t lag) {
  if (series.size() < 2 * lag + 2) return kNothing;
  const double mean = mean_of(series);
  double at_lag = 0;
  double squares = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    squares += (series[i] - mean) * (series[i] - mean);
    if (i + lag < series.size()) at_lag += (series[i] - mean) * (series[i + lag] - mean);
  }
  return squares > 0 ? at_lag / squares : kNothing;
}

using Sampler = std::vector<double> (*)(Jobs jobs, Seconds gap);
struct MarginalKind {
  std::string_view name, units;
  Sampler sample;
};
constexpr std::array<MarginalKind, 8> kMarginals{
    {{"interarrival", "s", [](Jobs jobs, Seconds) { return interarrivals(jobs); }},
     {"gpus", "GPUs", [](Jobs jobs, Seconds) { return gpu_counts(jobs); }},
     {"cpus", "CPUs", [](Jobs jobs, Seconds) { return cpu_counts(jobs); }},
     {"run_time", "s", [](Jobs jobs, Seconds) { return run_times(jobs); }},
     {"time_limit", "min", [](Jobs jobs, Seconds) { return limits(jobs); }},
     {"limit_accuracy", "run time / limit", [](Jobs jobs, Seconds) { return accuracies(jobs); }},
     {"jobs_per_session", "jobs", session_lengths},
     {"jobs_per_user", "jobs", [](Jobs jobs, Seconds) { return counts_of_users(jobs); }}}};

MarginalFit marginal(const MarginalKind& kind, const std::vector<WorkloadJob>& trace,
                     const std::vector<std::vector<WorkloadJob>>& draws, Seconds gap) {
  MarginalFit fit;
  fit.name = kind.name;
  fit.units = kind.units;
  const std::vector<double> sample = kind.sample(trace, gap);
  fit.count = sample.size();
  fit.median = quantile_of(sample, 0.5);
  fit.mean = mean_of(sample);
  fit.p95 = quantile_of(sample, 0.95);
  const Jobs all(trace);
  const std::size_t half = trace.size() / 2;
  fit.distance_halves =
      ks_distance(kind.sample(all.first(half), gap), kind.sample(all.subspan(half), gap));
  const auto parts = static_cast<double>(draws.size());
  for (const std::vector<WorkloadJob>& drawn : draws) {
    const std::vector<double> other = kind.sample(drawn, gap);
    fit.median_drawn += quantile_of(other, 0.5) / parts;
    fit.mean_drawn += mean_of(other) / parts;
    fit.p95_drawn += quantile_of(other, 0.95) / parts;
    fit.distance += ks_distance(sample, other) / parts;
  }
  return fit;
}

/// Shares of users, of one list of jobs, added to what is there.
void add_shares(Jobs jobs, bool of_gpus, double part, bool is_drawn,
                std::map<std::string, UserFit, std::less<>>& users) {
  const double all = work(jobs, of_gpus);
  for (const WorkloadJob& job : jobs) {
    UserFit& user = users[job.user];
    user.user = job.user;
    const double one = part / static_cast<double>(jobs.size());
    const double hours = all > 0 ? part * work(Jobs(&job, 1), of_gpus) / all : 0;
    (is_drawn ? user.jobs_drawn : user.jobs) += one;
    (is_drawn ? user.work_drawn : user.work) += hours;
  }
}

void compare_users(const std::vector<WorkloadJob>& trace,
                   const std::vector<std::vector<WorkloadJob>>& draws, bool of_gpus,
                   Goodness& good) {
  std::map<std::string, UserFit, std::less<>> users;
  add_shares(trace, of_gpus, 1, false, users);
  for (const auto& drawn : draws) {
    add_shares(drawn, of_gpus, 1 / static_cast<double>(draws.size()), true, users);
  }
  for (auto& [name, user] : users) {
    good.user_jobs_distance += std::abs(user.jobs - user.jobs_drawn) / 2;
    good.user_work_distance += std::abs(user.work - user.work_drawn) / 2;
    good.users.push_back(user);
  }
  std::stable_sort(good.users.begin(), good.users.end(),
                   [](const UserFit& a, const UserFit& b) { return a.jobs > b.jobs; });
}

}  // namespace

double ks_distance(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) return kNothing;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double most = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= at) ++i;
    while (j < b.size() && b[j] <= at) ++j;
    most = std::max(most, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                   static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return most;
}

Goodness goodness_of(const std::vector<WorkloadJob>& trace,
                     const std::vector<std::vector<WorkloadJob>>& draws, Seconds session_gap) {
  Goodness good;
  good.draws = draws.size();
  good.jobs = trace.size();
  good.gpu_hours = work(trace, true);
  good.cpu_hours = work(trace, false);
  good.of_gpus = 10 * std::count_if(trace.begin(), trace.end(),
                                    [](const WorkloadJob& job) { return job.gpus() > 0; }) >=
                 static_cast<std::ptrdiff_t>(trace.size());
  const bool of_gpus = good.of_gpus;
  const auto parts = static_cast<double>(draws.size());
  const std::vector<double> series = hourly(trace);
  for (std::size_t i = 0; i < Goodness::kLags.size(); ++i) {
    good.autocorrelation[i] = autocorrelation(series, Goodness::kLags[i]);
  }
  for (std::size_t draw = 0; draw < draws.size(); ++draw) {
    const std::vector<WorkloadJob>& drawn = draws[draw];
    good.jobs_drawn += static_cast<double>(drawn.size()) / parts;
    good.jobs_least = draw == 0 ? drawn.size() : std::min(good.jobs_least, drawn.size());
    good.jobs_most = std::max(good.jobs_most, drawn.size());
    good.gpu_hours_drawn += work(drawn, true) / parts;
    good.cpu_hours_drawn += work(drawn, false) / parts;
    const double hours = work(drawn, of_gpus);
    good.work_least = draw == 0 ? hours : std::min(good.work_least, hours);
    good.work_most = std::max(good.work_most, hours);
    const std::vector<double> other = hourly(drawn);
    for (std::size_t i = 0; i < Goodness::kLags.size(); ++i) {
      good.autocorrelation_drawn[i] += autocorrelation(other, Goodness::kLags[i]) / parts;
    }
  }
  for (const MarginalKind& kind : kMarginals) {
    good.marginals.push_back(marginal(kind, trace, draws, session_gap));
  }
  compare_users(trace, draws, of_gpus, good);
  return good;
}

}  // namespace rehearse
