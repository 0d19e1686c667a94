// sim/study/tuning/tune.cpp — settings to points, points to figures, generation after generation.
#include "sim/study/tuning/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/study/sweep.hpp"

namespace rehearse {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kWeeksLeast = 2;

double figure_of(const std::map<std::string, double>& kpis, const std::string& name,
                 double otherwise) {
  const auto at = kpis.find(name);
  return at == kpis.end() || std::isnan(at->second) ? otherwise : at->second;
}

std::vector<SlurmTime> submissions_of(const LoadedSite& site) {
  std::vector<SlurmTime> submits;
  for (const JobSpec& spec : site.jobs().specs()) submits.push_back(whole_second(spec.submit));
  return submits;
}

}  // namespace

void check_tunable(const StudyConf& study) {
  Diagnostics found;
  if (study.design != StudyDesign::Tune) {
    found.error({study.file.string(), 0, 0},
                fmt::format("design: {} is not for tune", to_text(study.design)),
                "design: tune, and samples: how many settings may be tried; or rehearse sweep");
  }
  if (study.parameters.empty()) {
    found.error({study.file.string(), 0, 0}, "there is nothing to tune", "parameters: name keys");
  }
  for (const StudyParameter& parameter : study.parameters) {
    const std::string why = unpasteable(parameter.change);
    if (why.empty()) continue;
    found.error(parameter.where, fmt::format("{} {}: it cannot be tuned", parameter.change, why),
                "keys of slurm.conf, PartitionName=, NodeName=, QOS= and Account= can; "
                "rehearse sweep and size vary the rest");
  }
  found.throw_if_errors();
}

StudyConf with_weeks(StudyConf study) {
  StudyParameter week;
  week.name = kWeekName;
  week.change = "span";
  week.form = "{}";
  week.where = {study.file.string(), 0, 0};
  study.parameters.push_back(std::move(week));
  return study;
}

TuneWeeks weeks_to_tune_on(const PointRunner& runner) {
  const StudyConf& study = runner.study();
  TuneWeeks cut = weeks_of(submissions_of(runner.site()), runner.site().zone, study.tune);
  if (cut.weeks.size() >= kWeeksLeast) return cut;
  throw InputError(
      {study.site.string(), 0, 0},
      fmt::format("the jobs fill {} whole stretches of {} days: none can be held out",
                  cut.weeks.size(), study.tune.days),
      "shorter ones: --days 1; at least two are needed, and intervals need three that are "
      "held out");
}

TuneStudy::TuneStudy(PointRunner& runner, StudyRegistry& registry, std::size_t threads)
    : runner_(runner),
      registry_(registry),
      study_(runner.study()),
      threads_(threads),
      keys_(study_.parameters.begin(), study_.parameters.end() - 1),
      weeks_(weeks_to_tune_on(runner)) {}

std::uint64_t TuneStudy::runs_at_most() const {
  const std::uint64_t training = weeks_.spans(false).size() * (study_.samples + 1);
  const std::uint64_t held_out = weeks_.spans(true).size() * (study_.tune.front + 1);
  return (training + held_out) * study_.replications;
}

double TuneStudy::sign(std::size_t objective) const {
  return study_.objectives[objective].most ? -1 : 1;
}

bool TuneStudy::run_points(const std::vector<StudyPoint>& points, const Told& told,
                           const std::atomic<bool>* interrupted) {
  const auto keep = [&](const PointOutcome& outcome) {
    (void)registry_.record(outcome);
    told(outcome);
  };
  return sweep(runner_, points, keep, threads_, interrupted);
}

std::optional<std::vector<TuneStudy::Measured>> TuneStudy::measure(
    const std::vector<Setting>& settings, bool held_out, const Told& told,
    const std::atomic<bool>* interrupted) {
  std::vector<std::vector<std::uint32_t>> points_of_setting;
  std::vector<StudyPoint> to_run;
  for (const Setting& setting : settings) {
    auto& numbers = points_of_setting.emplace_back();
    for (const std::string& span : weeks_.spans(held_out)) {
      std::vector<std::string> values = setting;
      values.push_back(span);
      for (StudyPoint& point : registry_.points_with(runner_, values)) {
        numbers.push_back(point.number);
        if (!registry_.outcome(point.number)) to_run.push_back(std::move(point));
      }
    }
  }
  if (!run_points(to_run, told, interrupted)) return std::nullopt;
  std::vector<Measured> all;
  for (const auto& numbers : points_of_setting) {
    Measured& one = all.emplace_back();
    for (const std::uint32_t number : numbers) {
      const auto outcome = registry_.outcome(number);
      if (!outcome || outcome->status != PointStatus::Complete) {
        if (outcome && one.error.empty()) one.error = outcome->error;
        continue;
      }
      const std::map<std::string, double> kpis(outcome->kpis.begin(), outcome->kpis.end());
      Cell& cell = one.cells.emplace_back();
      for (const StudyObjective& each : study_.objectives) {
        cell.figures.push_back(figure_of(kpis, each.name(), kNothing));
      }
      cell.unstarted = figure_of(kpis, "jobs_never_started", 0) +
                       figure_of(kpis, "jobs_rejected", 0) + figure_of(kpis, "jobs_killed", 0);
      cell.jobs = figure_of(kpis, "jobs", 0) + figure_of(kpis, "jobs_rejected", 0);
    }
    if (!one.error.empty()) one.cells.clear();
  }
  return all;
}

double TuneStudy::unstarted_of(const Measured& here, const Measured& today) const {
  double more = 0;
  double jobs = 0;
  for (std::size_t i = 0; i < here.cells.size(); ++i) {
    more += here.cells[i].unstarted - today.cells[i].unstarted;
    jobs += today.cells[i].jobs;
  }
  return jobs > 0 ? more / jobs : 0;
}

bool TuneStudy::breaks_constraint(double unstarted) const {
  return unstarted > study_.tune.unstarted;
}

TriedSetting TuneStudy::compare(const Setting& values, const Measured& here,
                                const Measured& today) const {
  TriedSetting tried;
  tried.values = values;
  tried.error = here.error;
  tried.training.assign(study_.objectives.size(), kNothing);
  tried.fitness.costs.assign(study_.objectives.size(), kInfinite);
  tried.fitness.violation = kInfinite;
  if (here.cells.empty()) return tried;
  tried.unstarted = unstarted_of(here, today);
  tried.fitness.violation =
      breaks_constraint(tried.unstarted) ? tried.unstarted - study_.tune.unstarted : 0;
  for (std::size_t i = 0; i < study_.objectives.size(); ++i) {
    double sum = 0;
    double count = 0;
    for (std::size_t cell = 0; cell < here.cells.size(); ++cell) {
      const double value = here.cells[cell].figures[i];
      if (std::isnan(value) || std::isnan(today.cells[cell].figures[i])) continue;
      sum += value;
      ++count;
    }
    if (count > 0) {
      tried.training[i] = sum / count;
      tried.fitness.costs[i] = sign(i) * tried.training[i];
    } else {
      tried.fitness.violation = kInfinite;  // nothing to measure where today has something
    }
  }
  return tried;
}

/// Of the settings so far that keep the constraint.
double TuneStudy::volume_of(const TuneAnswer& answer) const {
  std::vector<Fitness> scaled;
  const Costs& today = answer.tried.front().fitness.costs;
  for (const TriedSetting& tried : answer.tried) {
    Fitness fitness = tried.fitness;
    for (std::size_t i = 0; i < today.size(); ++i) {
      const double unit = std::abs(today[i]) > 0 ? std::abs(today[i]) : 1;
      fitness.costs[i] = 1 + (fitness.costs[i] - today[i]) / unit;
    }
    scaled.push_back(std::move(fitness));
  }
  std::vector<Costs> points;
  for (const std::size_t i : front_of(scaled)) points.push_back(scaled[i].costs);
  return hypervolume(std::move(points), Costs(today.size(), 2.0));
}

bool TuneStudy::choose(TuneAnswer& answer, const Told& told, const std::atomic<bool>* interrupted) {
  const Setting as_it_is(keys_.size(), std::string(kAsItIs));
  SettingSearch search(keys_, study_.tune, study_.seed, study_.samples);
  answer.is_exhaustive = search.is_exhaustive();
  std::vector<Setting> asked{as_it_is};
  while (!asked.empty()) {
    const auto measured = measure(asked, false, told, interrupted);
    if (!measured) return false;
    const bool is_first = answer.tried.empty();
    if (is_first) {
      today_ = measured->front();
      if (!today_.error.empty()) {
        throw InputError({study_.site.string(), 0, 0},
                         "the site as it is cannot run: " + today_.error);
      }
    }
    std::vector<Fitness> fitness;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      answer.tried.push_back(compare(asked[i], (*measured)[i], today_));
      fitness.push_back(answer.tried.back().fitness);
    }
    if (is_first) {
      for (std::size_t i = 0; i < study_.objectives.size(); ++i) {
        if (!std::isnan(answer.tried.front().training[i])) continue;
        throw InputError({study_.file.string(), 0, 0},
                         fmt::format("objectives: {} has nothing to measure in the training weeks",
                                     study_.objectives[i].name()),
                         "is there a group of that name? rehearse run SITE --json prints them");
      }
    } else {
      search.tell(std::move(fitness));
    }
    answer.progress.push_back({answer.tried.size() - 1, volume_of(answer)});
    asked = search.ask();
  }
  for (const TriedSetting& tried : answer.tried) {
    if (!tried.error.empty()) {
      ++answer.failed;
    } else if (tried.fitness.violation > 0) {
      ++answer.broken;
    }
  }
  return true;
}

std::optional<TuneAnswer> TuneStudy::run(const Told& told, const std::atomic<bool>* interrupted) {
  TuneAnswer answer;
  answer.weeks = weeks_;
  for (const StudyParameter& key : keys_) {
    answer.today_values.push_back(value_of_today(key, runner_.site().inputs.slurm_conf));
  }
  if (!choose(answer, told, interrupted) || !hold_out(answer, told, interrupted)) {
    return std::nullopt;
  }
  add_doubts(answer);
  answer.sentence = tune_sentence(answer);
  return answer;
}

}  // namespace rehearse
