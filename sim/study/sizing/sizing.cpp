// sim/study/sizing/sizing.cpp — runs at counts, side by side; what is measured of each.
#include "sim/study/sizing/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/core/check.hpp"
#include "sim/output/kpi/gpu_kpis.hpp"
#include "sim/study/at_once.hpp"
#include "sim/study/comparison/effective_users.hpp"
#include "sim/study/simulate.hpp"

namespace rehearse {
namespace {

constexpr std::uint32_t kTimesToday = 4;

std::vector<std::size_t> all_of(const JobPairs& pairs) {
  std::vector<std::size_t> all(pairs.pairs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

double figure_named(const std::vector<DrawnFigure>& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (pair_figures()[i].name == name) return table[i].b;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// Physical GPUs: a price is that of one, however it is cut.
double gpus_of(const Result& result) {
  std::uint64_t milli = 0;
  for (const std::uint32_t physical : result.gpu.nodes.physical_milli) milli += physical;
  if (milli > 0) return static_cast<double>(milli) / 1000;
  for (const NodeFacts& node : result.cluster.nodes) milli += node.gpu_milli;
  return static_cast<double>(milli) / 1000;
}

std::size_t users_of(const JobsAtMost& most) {
  std::set<NameId> users;
  for (const auto& groups : most.groups) {
    users.insert(groups[static_cast<std::size_t>(PairScope::User)]);
  }
  return users.size();
}

/// Jobs that start here and have no recorded start; tasks of arrays are not asked.
std::size_t unrecorded_of(const JobsAtMost& most, const LoadedSite& site) {
  std::set<std::uint32_t> ids;
  for (const JobSpec& spec : site.jobs().specs()) {
    const bool is_array = spec.extras && !spec.extras->array.empty();
    if (!is_array && !spec.recorded_start) ids.insert(static_cast<std::uint32_t>(spec.id));
  }
  return static_cast<std::size_t>(
      std::count_if(most.jobs.begin(), most.jobs.end(),
                    [&](const JobOutcome& job) { return ids.contains(job.key.id); }));
}

/// The row of the knee of the first figure, over counts at which every job can run.
std::optional<std::size_t> knee_row(const std::vector<TriedCount>& tried) {
  std::vector<std::pair<double, double>> curve;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const TargetAnswer& target = tried[i].target;
    if (target.cannot_run > 0 || !std::isfinite(target.figures.front().value)) continue;
    curve.emplace_back(tried[i].count, target.figures.front().value);
    rows.push_back(i);
  }
  const auto knee = knee_of(curve);
  return knee ? std::optional(rows[*knee]) : std::nullopt;
}

}  // namespace

struct SizeStudy::Run {
  std::uint32_t count = 0;
  std::optional<Simulation> done;  ///< none: interrupted, or `wrong`
  std::vector<Diagnostic> wrong;
};

const TriedCount& SizeAnswer::at(std::uint32_t count) const {
  const auto found = std::find_if(tried.begin(), tried.end(),
                                  [&](const TriedCount& each) { return each.count == count; });
  REHEARSE_CHECK(found != tried.end(), "{} nodes were not tried", count);
  return *found;
}

SizeStudy::SizeStudy(SizeRequest request, Diagnostics& found) : request_(std::move(request)) {
  site_ = load_site(request_.site, request_.options, found);
  kind_ = find_node_kind(request_.node_type, site_->inputs.slurm_conf, site_->inputs.gres_conf);
  if (!site_->has_jobs || site_->jobs().specs().empty()) {
    throw InputError({site_->folder.root.string(), 0, 0}, "there are no jobs to run",
                     "put sacct.txt into the folder, or name a file: --jobs FILE");
  }
  window_ = submission_window(*site_);
  const auto today = static_cast<std::uint32_t>(kind_.hosts.size());
  bounds_.today = today;
  bounds_.min = request_.min.value_or(1);
  bounds_.max = request_.max.value_or(std::max(bounds_.min, kTimesToday * today));
  bounds_.every = request_.every;
}

SizeStudy::Run SizeStudy::run_one(std::uint32_t count, const std::atomic<bool>* interrupted) const {
  Run run;
  run.count = count;
  LoadOptions options = request_.options;
  if (count != kind_.hosts.size()) {
    options.set.push_back(fmt::format("Nodes={}:Count={}", compress_hostlist(kind_.hosts), count));
  }
  try {
    Diagnostics ignored;  // warnings are the base's, told once
    const auto site = load_site(request_.site, options, ignored, {site_.get()});
    Simulation done = simulate(*site, {}, interrupted);
    if (done.status == RunStatus::Complete) run.done = std::move(done);
  } catch (const InputError& error) {
    run.wrong = error.findings();
  }
  return run;
}

std::vector<SizeStudy::Run> SizeStudy::run_all(const std::vector<std::uint32_t>& counts,
                                               const std::atomic<bool>* interrupted) const {
  std::vector<Run> runs(counts.size());
  at_once(counts.size(), request_.threads,
          [&](std::size_t i) { runs[i] = run_one(counts[i], interrupted); });
  return runs;
}

/// Whose jobs are looked at, and the draws of their users.
void SizeStudy::begin(const Run& largest) {
  if (!largest.done) throw InputError(largest.wrong);
  most_ = std::make_unique<JobsAtMost>(jobs_at_most(largest.done->result, window_));
  if (most_->jobs.empty()) {
    throw InputError({site_->folder.root.string(), 0, 0},
                     fmt::format("no job starts with {} nodes", largest.count),
                     "rehearse run SITE tells why they wait");
  }
  has_mig_ = largest.done->result.gpu.has_mig;
  draws_ = std::make_unique<UserDraws>(users_of(*most_), request_.draws);
  few_users_ = few_users_text(jobs_at_count(*most_, largest.done->result, window_).pairs,
                              request_.draws.users_min);
  held_by_limits_ = limits_text(largest.done->result, largest.count);
}

TriedCount SizeStudy::measure(const Run& run) const {
  TriedCount tried;
  tried.count = run.count;
  tried.target.figures.resize(request_.target.figures.size(),
                              {std::numeric_limits<double>::quiet_NaN(), std::nullopt, 0});
  tried.gpu_utilization = tried.cpu_utilization = std::numeric_limits<double>::quiet_NaN();
  if (!run.done) {
    for (const Diagnostic& finding : run.wrong) {
      if (finding.severity == Severity::Error && tried.error.empty()) {
        tried.error = to_text(finding).substr(0, to_text(finding).find('\n'));
      }
    }
    return tried;
  }
  const Result& result = run.done->result;
  const JobsAtCount jobs = jobs_at_count(*most_, result, window_);
  const WindowCapacity capacity = capacity_of(result, window_);
  const MeasureContext context{&jobs.pairs, draws_.get(), &request_.draws, capacity, capacity};
  tried.target = measure_target(request_.target, context, compute_kpis(result));
  tried.jobs = jobs.pairs.pairs.size();
  tried.gave_up = jobs.gave_up;
  ResamplingOptions no_draws = request_.draws;
  no_draws.users_min = std::numeric_limits<std::size_t>::max();
  const MeasureContext plain{&jobs.pairs, draws_.get(), &no_draws, capacity, capacity};
  const std::vector<DrawnFigure> table = draw_figures(plain, all_of(jobs.pairs));
  tried.gpu_utilization = result.gpu.has_mig ? sms_held(result, window_.from, window_.to)
                                             : figure_named(table, "gpu_utilization");
  tried.cpu_utilization = figure_named(table, "cpu_utilization");
  tried.gpus = gpus_of(result);
  const double price = request_.price_gpu_hour.value_or(site_->inputs.site.price_gpu_hour);
  if (price > 0 && tried.gpus > 0) tried.cost_month = tried.gpus * price * kHoursOfMonth;
  tried.schedule_fingerprint = result.loops.schedule_fingerprint;
  return tried;
}

SizeAnswer SizeStudy::run(const std::function<void(const std::vector<std::uint32_t>&)>& told,
                          const std::atomic<bool>* interrupted) {
  SizeAnswer answer;
  const auto ask =
      [&](const std::vector<std::uint32_t>& counts) -> std::optional<std::vector<CountVerdict>> {
    told(counts);
    const std::vector<Run> runs = run_all(counts, interrupted);
    const bool stopped = interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
    if (stopped) return std::nullopt;
    if (most_ == nullptr) begin(runs.front());  // the largest count is asked for first
    std::vector<CountVerdict> verdicts;
    for (const Run& run : runs) {
      answer.tried.push_back(measure(run));
      const TargetAnswer& target = answer.tried.back().target;
      CountVerdict verdict{target.holds, std::nullopt};
      if (target.share) verdict.by_draws = *target.share >= request_.confidence;
      verdicts.push_back(verdict);
      if (run.count == bounds_.today && run.done && request_.options.set.empty()) {
        baseline_ = calibrate_waits(*site_, run.done->result);
      }
    }
    return verdicts;
  };
  answer.search = search_counts(bounds_, ask);
  std::sort(answer.tried.begin(), answer.tried.end(),
            [](const TriedCount& a, const TriedCount& b) { return a.count < b.count; });
  answer.kind = kind_;
  answer.today = static_cast<std::uint32_t>(kind_.hosts.size());
  answer.bounds = bounds_;
  answer.has_mig = has_mig_;
  answer.currency = site_->inputs.site.currency;
  if (most_ != nullptr) {
    answer.jobs = most_->jobs.size();
    answer.users = draws_->users();
    answer.never_started = most_->never_started;
    answer.unrecorded = unrecorded_of(*most_, *site_);
  }
  answer.knee = knee_row(answer.tried);
  answer.baseline = std::move(baseline_);
  add_doubts(answer);
  answer.sentence = size_sentence(answer, request_);
  return answer;
}

}  // namespace rehearse
