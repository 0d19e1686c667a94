// sim/study/tuning/tune.hpp — a Pareto front over chosen keys, and what is left of it on weeks that
// had no part in choosing it.
//
// Every run is a point of the study's registry: a setting, a week, a replication. Each week is a
// run of its own; the same weeks and seeds for every setting and for the site as it is (common
// random numbers). A figure of a setting is the mean over weeks and replications. A setting that
// leaves more jobs without a start than today breaks the constraint: waits are of jobs that
// started, and it would look the better for the jobs that it never starts.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/registry.hpp"
#include "sim/study/tuning/paste.hpp"
#include "sim/study/tuning/search.hpp"
#include "sim/study/tuning/survival.hpp"
#include "sim/study/tuning/weeks.hpp"

namespace rehearse {

/// One objective of one setting. NaN: nothing to measure.
struct TunedFigure {
  double training = 0, held_out = 0;  ///< means
  double change = 0;                  ///< held out, against today's; of paired runs
  std::optional<Interval> interval;   ///< of `change`
};

/// A setting that was tried on the training weeks.
struct TriedSetting {
  Setting values;                ///< by key of the study; of today's kAsItIs
  std::vector<double> training;  ///< by objective
  double unstarted = 0;  ///< jobs without a start or killed, more than today, as a share of all
  Fitness fitness;
  std::string error;  ///< why a run failed; empty: none did
};

/// A setting of the front, measured again.
struct TunedSetting {
  std::size_t tried = 0;  ///< of TuneAnswer::tried
  std::vector<TunedFigure> figures;
  double unstarted_held_out = 0;  ///< as TriedSetting::unstarted
  Fate fate = Fate::Unsure;
  bool dominates_on_training = false;  ///< today's settings
  bool is_on_held_out_front = false;   ///< none of these settings, nor today's, beats it there
  Paste paste;
};

/// How far the front had come when so many settings had been tried.
struct TuneProgress {
  std::size_t tried = 0;
  double volume = 0;
};

struct TuneAnswer {
  TuneWeeks weeks;
  std::vector<TriedSetting> tried;  ///< today's settings first, then in order
  std::vector<TunedFigure> today;
  std::vector<std::string> today_values;  ///< by key, as slurm.conf has it; else kAsItIs
  std::vector<TunedSetting> front;        ///< by the first objective, best first
  std::size_t front_size = 0;             ///< of settings, before it was thinned out
  bool today_is_on_front = false;
  bool is_exhaustive = false;  ///< every setting that there is was tried
  std::string units;           ///< of the intervals: weeks, replications; empty: too few
  /// Hypervolume, each objective relative to today's: the reference is twice as bad (0 of what
  /// should be more), so that today's settings alone have 1.
  std::vector<TuneProgress> progress;
  std::size_t failed = 0, broken = 0;  ///< settings that could not run, that break the constraint
  std::vector<std::string> doubts;
  std::string sentence;
};

/// Throws InputError, at the parameter, where it is nothing that an admin could set; and where the
/// study is not `design: tune`.
void check_tunable(const StudyConf& study);

/// The study with the parameter that says which week's jobs a run has.
[[nodiscard]] StudyConf with_weeks(StudyConf study);

/// The weeks of the site's jobs. Throws InputError: too few to hold one out.
[[nodiscard]] TuneWeeks weeks_to_tune_on(const PointRunner& runner);

class TuneStudy {
 public:
  /// `runner` is of a study with_weeks(). All must outlive it. Throws InputError: too few weeks.
  TuneStudy(PointRunner& runner, StudyRegistry& registry, std::size_t threads);

  /// `told` of each point that has run. None: interrupted. Throws InputError where today's settings
  /// cannot run, or have nothing to measure.
  [[nodiscard]] std::optional<TuneAnswer> run(const std::function<void(const PointOutcome&)>& told,
                                              const std::atomic<bool>* interrupted);

  /// Simulations of the budget, for progress.
  [[nodiscard]] std::uint64_t runs_at_most() const;

 private:
  /// One run: a week and replication of a setting.
  struct Cell {
    std::vector<double> figures;  // by objective
    double unstarted = 0, jobs = 0;
  };
  struct Measured {
    std::vector<Cell> cells;  // by week, then by replication; empty: a run failed
    std::string error;
  };
  using Told = std::function<void(const PointOutcome&)>;

  [[nodiscard]] bool run_points(const std::vector<StudyPoint>& points, const Told& told,
                                const std::atomic<bool>* interrupted);
  [[nodiscard]] std::optional<std::vector<Measured>> measure(const std::vector<Setting>& settings,
                                                             bool held_out, const Told& told,
                                                             const std::atomic<bool>* interrupted);
  [[nodiscard]] TriedSetting compare(const Setting& values, const Measured& here,
                                     const Measured& today) const;
  [[nodiscard]] double unstarted_of(const Measured& here, const Measured& today) const;
  [[nodiscard]] bool breaks_constraint(double unstarted) const;
  [[nodiscard]] bool choose(TuneAnswer& answer, const Told& told,
                            const std::atomic<bool>* interrupted);
  [[nodiscard]] bool hold_out(TuneAnswer& answer, const Told& told,
                              const std::atomic<bool>* interrupted);
  void judge_front(TuneAnswer& answer, const std::vector<Measured>& measured) const;
  [[nodiscard]] std::vector<double> unit_differences(const Measured& here, const Measured& today,
                                                     std::size_t objective) const;
  [[nodiscard]] double volume_of(const TuneAnswer& answer) const;
  void add_paste(TunedSetting& setting, const Setting& values) const;
  void add_doubts(TuneAnswer& answer) const;
  [[nodiscard]] double sign(std::size_t objective) const;

  PointRunner& runner_;
  StudyRegistry& registry_;
  const StudyConf& study_;
  std::size_t threads_;
  std::vector<StudyParameter> keys_;  // but for the week
  TuneWeeks weeks_;
  Measured today_;  // on the training weeks
};

/// What slurm.conf has of a key, or of a word of SchedulerParameters; kAsItIs: nothing, or
/// elsewhere.
[[nodiscard]] std::string value_of_today(const StudyParameter& key, const SlurmConf& conf);

/// The answer in a sentence or a few.
[[nodiscard]] std::string tune_sentence(const TuneAnswer& answer);

}  // namespace rehearse
