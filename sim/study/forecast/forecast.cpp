// sim/study/forecast/forecast.cpp — replications in copies of the process, gathered by job.
#include "sim/study/forecast/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <tuple>
#include <utility>

#include "sim/controller/controller.hpp"
#include "sim/core/check.hpp"
#include "sim/study/forecast/watcher.hpp"
#include "sim/study/state_copy.hpp"

namespace rehearse {
namespace {

using Key = StartWatcher::Key;

Key key_of(const WaitingJob& job) {
  return {job.id, job.task};
}

/// What a copy says: the starts, then what became of the running jobs.
std::string packed(const std::vector<std::int64_t>& numbers) {
  std::string text(numbers.size() * sizeof(std::int64_t), '\0');
  std::memcpy(text.data(), numbers.data(), text.size());
  return text;
}

std::vector<std::int64_t> unpacked(const std::string& text) {
  std::vector<std::int64_t> numbers(text.size() / sizeof(std::int64_t));
  std::memcpy(numbers.data(), text.data(), numbers.size() * sizeof(std::int64_t));
  return numbers;
}

// Who has waited so long does not start within so short a time unless something just happened.
constexpr Seconds kLongWait{600};
constexpr Seconds kAtOnce{60};

/// A program that nobody's clock but Slurm's will end.
TrueRun endless() {
  TrueRun run;
  run.outcome = RunOutcome::UntilKilled;
  return run;
}

std::map<JobId, SlurmTime> starts_of(const Opening& opening) {
  std::map<JobId, SlurmTime> starts;
  for (const OpeningRun& run : opening.running) starts.emplace(run.job, run.start);
  return starts;
}

}  // namespace

std::string WaitingJob::name() const {
  if (het_leader != JobId{}) {
    return fmt::format("{}+{}", static_cast<std::uint32_t>(het_leader), het_offset);
  }
  return printed({id, task});
}

std::int64_t JobForecast::quantile(double p) const {
  REHEARSE_CHECK(!starts.empty(), "no replication");
  const auto count = static_cast<double>(starts.size());
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(p * count)));
  return starts[std::min(rank, starts.size()) - 1];
}

double JobForecast::within(Seconds span) const {
  const auto end = std::upper_bound(starts.begin(), starts.end(), span.count());
  return static_cast<double>(end - starts.begin()) / static_cast<double>(starts.size());
}

ForecastStudy::ForecastStudy(ForecastRequest request, const LoadedSite* base, Diagnostics& found)
    : request_(std::move(request)) {
  const std::vector<const LoadedSite*> readers =
      base == nullptr ? std::vector<const LoadedSite*>{} : std::vector{base};
  site_ = load_site(request_.site, request_.options, found, readers);
  if (!site_->has_jobs || !site_->start) {
    throw InputError({site_->folder.root.string(), 0, 0}, "there are no jobs to forecast",
                     "put sacct.txt into the folder, or name a file: --jobs FILE");
  }
  run_times_ = std::make_unique<RunTimes>(*site_, site_->start->at);
  arrivals_ = std::make_unique<Arrivals>(*site_, site_->start->at, *run_times_);
  find_waiting();
}

void ForecastStudy::find_waiting() {
  const StartState& start = *site_->start;
  const auto running = starts_of(start.opening);
  for (const JobSpec& spec : start.jobs.specs()) {
    if (whole_second(spec.submit) >= start.at) continue;
    WaitingJob job;
    job.id = spec.id;
    job.user = site_->names.text(spec.user);
    job.account = site_->names.text(spec.account);
    job.partitions = site_->names.text(spec.partitions);
    job.submit = spec.submit;
    job.begin = spec.begin;
    job.held = spec.held;
    if (spec.extras) {
      job.het_leader = spec.extras->het_leader;
      job.het_offset = spec.extras->het_offset;
    }
    const auto slurm_says = [&](std::optional<std::uint32_t> task) {
      const QueuedJob* queued = start.queue.find({spec.id, task});
      job.slurm = queued != nullptr ? queued->start : std::nullopt;
    };
    if (!spec.extras || spec.extras->array.empty()) {
      job.recorded_start = spec.recorded_start;
      slurm_says(std::nullopt);
      if (!running.contains(spec.id)) waiting_.push_back(std::move(job));
      continue;
    }
    for (const ArrayTask& task : spec.extras->array) {
      if (running.contains(task.id)) continue;
      job.task = task.index;
      slurm_says(task.index);
      job.recorded_start = task.recorded_start;
      waiting_.push_back(job);
    }
  }
}

/// The jobs of one future.
TraceJobs ForecastStudy::jobs_of(std::uint64_t number, Future future) const {
  const StartState& start = *site_->start;
  const auto running = starts_of(start.opening);
  Rng rng(request_.seed, "forecast", number);
  const std::uint64_t stretches = rng.next();
  const auto settle = [&](const JobSpec& spec, JobId id, TrueRun& run,
                          CompactOptional<SlurmTime>& cancel) {
    cancel.reset();  // nobody knows it yet
    const auto began = running.find(id);
    const Seconds ran = began == running.end() ? Seconds{0} : start.at - began->second;
    run = future == Future::Drawn ? run_times_->draw(spec, ran, stretches, rng).run : endless();
  };
  std::vector<JobSpec> specs;
  for (const JobSpec& spec : start.jobs.specs()) {
    if (whole_second(spec.submit) >= start.at) break;
    JobSpec job = spec;
    if (job.extras && !job.extras->array.empty()) {
      for (ArrayTask& task : job.extras->array) settle(spec, task.id, task.run, task.cancel_at);
      job.run = job.extras->array.front().run;
    } else {
      settle(spec, job.id, job.run, job.cancel_at);
    }
    specs.push_back(std::move(job));
  }
  if (future == Future::Drawn && request_.arrivals) {
    std::uint32_t id = 1;  // above all that the recording has
    for (const JobSpec& spec : site_->jobs().specs()) {
      id = std::max(id, static_cast<std::uint32_t>(spec.id) + 1);
      if (!spec.extras) continue;
      for (const ArrayTask& task : spec.extras->array) {
        id = std::max(id, static_cast<std::uint32_t>(task.id) + 1);
      }
    }
    for (JobSpec& job : arrivals_->draw(request_.horizon, stretches, rng)) {
      job.id = JobId{id++};
      if (job.extras) {
        for (ArrayTask& task : job.extras->array) task.id = JobId{id++};
      }
      specs.push_back(std::move(job));
    }
  }
  return TraceJobs(std::move(specs));
}

/// Runs one future, and uses the state up: in a copy only.
std::string ForecastStudy::replicate(std::uint64_t number, Future future,
                                     const std::atomic<bool>* interrupted) const {
  TraceJobs jobs = jobs_of(number, future);
  std::vector<Key> keys;
  for (const WaitingJob& job : waiting_) keys.push_back(key_of(job));
  const SlurmTime at = site_->start->at;
  StartWatcher watcher(keys, at + request_.horizon, interrupted);
  Controller controller(*site_->cluster, jobs, site_->commands, watcher, watcher.stop());
  controller.takeover().expect(site_->start->opening);
  (void)controller.run();
  std::vector<std::int64_t> told;
  for (const auto& start : watcher.starts()) {
    told.push_back(start ? (*start - at).count() : kNotWithin);
  }
  const OpeningCounts& opened = controller.takeover().counts();
  told.push_back(static_cast<std::int64_t>(opened.placed));
  told.push_back(static_cast<std::int64_t>(opened.placed_anew));
  told.push_back(static_cast<std::int64_t>(opened.not_placed.size()));
  told.push_back(static_cast<std::int64_t>(opened.refused.size()));
  return packed(told);
}

std::optional<ForecastAnswer> ForecastStudy::run(const std::atomic<bool>* interrupted) const {
  // Number 0 is the future in which all run to their limits.
  const auto answers = ask_copies(
      request_.replications + 1, request_.threads,
      [&](std::size_t number) {
        return replicate(number, number == 0 ? Future::ToTheLimits : Future::Drawn, interrupted);
      },
      interrupted);
  if (!answers) return std::nullopt;
  ForecastAnswer answer;
  answer.at = site_->start->at;
  answer.running = site_->start->running;
  answer.replications = request_.replications;
  answer.past_runs = run_times_->size();
  if (request_.arrivals) {
    answer.stretch = arrivals_->stretch();
    answer.stretches = arrivals_->stretches();
  }
  for (const WaitingJob& job : waiting_) answer.jobs.push_back({job, {}, kNotWithin});
  for (std::size_t number = 0; number < answers->size(); ++number) {
    const std::vector<std::int64_t> told = unpacked((*answers)[number]);
    REHEARSE_CHECK(told.size() == waiting_.size() + 4, "replication {} says {} numbers", number,
                   told.size());
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (number == 0) {
        answer.jobs[i].by_limits = told[i];
      } else {
        answer.jobs[i].starts.push_back(told[i]);
      }
    }
    if (number != 0) continue;
    const auto count = [&](std::size_t i) {
      return static_cast<std::size_t>(told[waiting_.size() + i]);
    };
    answer.opened.placed = count(0);
    answer.opened.placed_anew = count(1);
    answer.opened.not_placed.resize(count(2));
    answer.opened.refused.resize(count(3));
  }
  for (JobForecast& job : answer.jobs) std::sort(job.starts.begin(), job.starts.end());
  std::stable_sort(answer.jobs.begin(), answer.jobs.end(),
                   [](const JobForecast& a, const JobForecast& b) {
                     return std::make_tuple(a.quantile(0.5), a.job.id, a.job.task) <
                            std::make_tuple(b.quantile(0.5), b.job.id, b.job.task);
                   });
  add_doubts(answer);
  return answer;
}

void ForecastStudy::add_doubts(ForecastAnswer& answer) const {
  std::vector<std::string>& doubts = answer.doubts;
  if (answer.past_runs < RunTimes::kFewest) {
    doubts.push_back(
        fmt::format("only {} runs had ended by then: most jobs are taken to run to their limits",
                    answer.past_runs));
  }
  if (request_.arrivals && answer.stretches == 0) {
    doubts.emplace_back(
        "less than twenty minutes are recorded before the instant: nobody arrives, so that jobs "
        "seem to start early");
  } else if (request_.arrivals && answer.stretch < Seconds{7 * 86400}) {
    doubts.push_back(fmt::format(
        "less than two weeks are recorded: arrivals are drawn in stretches of {} min, so that "
        "days of the week look alike",
        answer.stretch.count() / 60));
  }
  if (answer.opened.placed_anew > 0) {
    doubts.push_back(
        fmt::format("{} running jobs do not fit on their recorded nodes beside the "
                    "others: they run elsewhere",
                    answer.opened.placed_anew));
  }
  if (!answer.opened.not_placed.empty()) {
    doubts.push_back(fmt::format("{} running jobs fit nowhere here, and wait in the forecast",
                                 answer.opened.not_placed.size()));
  }
  if (!answer.opened.refused.empty()) {
    doubts.push_back(
        fmt::format("{} running jobs would be refused by this configuration, and are left out",
                    answer.opened.refused.size()));
  }
  const auto at_once =
      std::count_if(answer.jobs.begin(), answer.jobs.end(), [&](const JobForecast& each) {
        const bool is_free = !each.job.held && !(each.job.begin && *each.job.begin > answer.at);
        return is_free && answer.at - whole_second(each.job.submit) >= kLongWait &&
               each.quantile(0.9) <= kAtOnce.count();
      });
  if (at_once > 0) {
    doubts.push_back(fmt::format(
        "{} jobs that have waited for {} min or more would start at once here: what holds them is "
        "not in the inputs (other jobs, limits, reservations), and they will start later than told",
        at_once, kLongWait.count() / 60));
  }
  if (!site_->start->is_snapshot) {
    doubts.emplace_back(
        "the instant is one of the recorded past: holds, changed limits and nodes that no event "
        "tells are not known, and usage is summed up from the runs before it");
  }
}

}  // namespace rehearse
