// sim/study/study_conf.hpp — a study: a site, what is varied, how points are chosen, what counts.
//
// Every key, its range and default: configs/reference.yaml. A parameter changes what --set can
// change (site_changes.hpp, slurm_conf_changes.cpp), the file of the jobs, when they were
// submitted, the users that submit them, or the seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/core/error.hpp"
#include "sim/study/tuning/tune_conf.hpp"

namespace rehearse {

/// One thing that differs from point to point.
struct StudyParameter {
  std::string name;    ///< its column in the registry
  std::string change;  ///< `PriorityWeightAge`, `QOS=high:Priority`, … as in --set; jobs; span;
                       ///< growth; seed
  std::string form;    ///< the value as written there, `{}` for what was chosen: `gres/gpu={}`
  std::vector<std::string> values;
  std::optional<double> least, most;  ///< instead of values
  bool is_whole = true;               ///< a range of whole numbers
  bool is_log = false;                ///< equal ratios, not equal steps
  std::uint64_t steps = 0;            ///< of a range in a grid
  SourcePosition where;

  [[nodiscard]] bool is_range() const { return least.has_value() && most.has_value(); }
};

/// Instead of a value: the site stays as it is. Only the baseline of `tune` has it.
inline constexpr std::string_view kAsItIs = "(as it is)";
/// The parameter that `tune` adds: which week's jobs (change: span).
inline constexpr std::string_view kWeekName = "week";

enum class StudyDesign : std::uint8_t { Grid, Random, Sobol, List, Outside, Tune };
[[nodiscard]] std::string_view to_text(StudyDesign design);

/// A figure of merit: `wait_mean`, or `partition/gpu/wait_p95` of a group.
struct StudyObjective {
  bool most = false;  ///< the more the better; else the less
  std::string scope = "all", group, kpi;
  [[nodiscard]] std::string name() const;
};

/// Reads `scope/group/kpi`, a group may itself have slashes; the figure is not looked up. False:
/// it has not that form.
[[nodiscard]] bool split_objective(const std::string& text, StudyObjective& objective);

/// How its points are submitted as a job array.
struct StudySlurm {
  std::string partition, account, qos;
  std::string time;                  ///< as sbatch --time takes it
  std::string memory;                ///< as sbatch --mem takes it
  std::uint64_t cpus = 1;            ///< of a worker: so many points at once
  std::uint64_t workers = 16;        ///< tasks of the array at most
  std::uint64_t throttle = 0;        ///< of them at once; 0: no limit
  std::vector<std::string> options;  ///< further words for sbatch
};

struct StudyConf {
  std::filesystem::path file;
  std::filesystem::path site;  ///< as it is opened: relative to the study's file where it was
  std::string site_text;       ///< as written
  std::vector<std::string> set;
  std::string jobs, from, to;
  bool resample_users = false;  ///< of every point (LoadOptions)
  double growth = 1;
  StudyDesign design = StudyDesign::Grid;
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  std::uint64_t replications = 1;
  std::vector<StudyParameter> parameters;
  std::vector<std::vector<std::string>> points;  ///< of a list: the values, by parameter
  std::vector<StudyObjective> objectives;
  std::string results;  ///< folder for a result file a point; empty: none are kept
  StudySlurm slurm;
  TuneConf tune;

  /// A path of the study's, relative to its file.
  [[nodiscard]] std::filesystem::path beside(const std::string& path) const;
};

/// Reads the file. Everything that is wrong with it is told at once. Throws InputError.
[[nodiscard]] StudyConf read_study(const std::filesystem::path& file);

/// The same from text, as far as that goes; `file` stands in messages.
[[nodiscard]] StudyConf parse_study(std::string_view text, const std::filesystem::path& file,
                                    Diagnostics& found);

/// Every key that the reader asks for, for configs/reference.yaml.
[[nodiscard]] std::vector<ConfigKey> study_keys();

}  // namespace rehearse
