// sim/study/forecast/run_times.hpp — how long jobs will run: drawn from how much of their limits
// jobs like them have used.
//
// Of each run that ended before the instant the part of its limit that it used is kept, and how it
// ended. A job draws one of its user's, which its own limit scales; a job that runs already draws
// among those that would still run. Where there are too few, those of its account are asked, then
// of its partition, then all. A run that reached its limit makes a run that reaches its limit. Of
// jobs without a limit the run time itself is kept.
//
// What a user runs this week is alike: one future draws all of a pool's jobs from one stretch of
// it, so many runs on end, another future from another stretch. Drawing each job from all runs
// would make sums of run times far too certain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/core/rng.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

/// Whose runs a draw is of.
enum class RunTimeSource : std::uint8_t { User, Account, Partition, All, Nothing };
[[nodiscard]] std::string_view to_text(RunTimeSource source);

class RunTimes {
 public:
  /// Runs that ended at `at` or before.
  RunTimes(const LoadedSite& site, SlurmTime at);

  struct Draw {
    TrueRun run;
    RunTimeSource source = RunTimeSource::Nothing;
  };
  /// `future`: the seed of its stretches. `ran`: what a running job has behind it; its whole run is
  /// longer. Without any run to draw from it goes to its limit; without a limit, it will last as
  /// long again.
  [[nodiscard]] Draw draw(const JobSpec& spec, Seconds ran, std::uint64_t future, Rng& rng) const;

  [[nodiscard]] std::size_t size() const { return runs_.size(); }

  /// A source is asked if it has so many runs that come into question.
  static constexpr std::size_t kFewest = 10;
  /// The latest of each source are kept.
  static constexpr std::size_t kMost = 500;
  /// Runs of one stretch.
  static constexpr std::size_t kStretch = 20;

 private:
  struct Run {
    std::int64_t seconds = 0;
    std::int64_t limit_s = 0;  ///< 0: none
    RunOutcome outcome = RunOutcome::Completed;
    SlurmTime end;
  };
  using Pool = std::vector<std::uint32_t>;  ///< positions in runs_, by end

  [[nodiscard]] std::int64_t limit_of(const JobSpec& spec) const;
  /// What a job asks of a pool.
  struct Question {
    std::int64_t limit_s = 0, ran_s = 0;
    std::size_t fewest = 1;
    std::uint64_t stretch = 0;  ///< chooses it
  };
  [[nodiscard]] bool lasts(std::uint32_t run, const Question& question) const;
  [[nodiscard]] std::optional<Draw> draw_from(const Pool* pool, const Question& question,
                                              Rng& rng) const;

  const LoadedSite& site_;
  std::vector<Run> runs_;
  std::map<NameId, Pool> users_, accounts_, partitions_;
  Pool all_;
};

}  // namespace rehearse
