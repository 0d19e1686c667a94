// sim/app/tune.cpp — `rehearse tune`: a Pareto front over chosen keys, tried on held-out weeks; of
// a site, or of a study.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/sweep_progress.hpp"
#include "sim/app/tune_print.hpp"
#include "sim/app/verb.hpp"
#include "sim/app/version.hpp"
#include "sim/output/output_place.hpp"
#include "sim/study/parameter_check.hpp"
#include "sim/study/sweep.hpp"
#include "sim/study/tuning/site_study.hpp"
#include "sim/study/tuning/tunable_keys.hpp"
#include "sim/study/tuning/tune.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAboutKeys =
    "\nKEYS of a site that need no range:\n{}\n"
    "With one any other key of slurm.conf, QOS=x:Key, Account=x:Key, PartitionName=x:Key.\n"
    "What more there is to say (values by a form, replications) a study says: configs/studies.";

class Tune final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "tune"; }
  [[nodiscard]] std::string_view summary() const override {
    return "the best trade-offs of chosen keys, as patches, tried on held-out weeks";
  }

  void describe(CLI::App& command) override {
    command.footer(fmt::format(kAboutKeys, tunable_key_names()));
    site_.describe(command);
    command.get_option("SITE")->description(
        "a site folder or scenario, with --objective; or a study .yaml with design: tune "
        "(configs/studies)");
    site_.describe_users(command);
    command
        .add_option("--objective", asked_.objectives,
                    "of a site: a figure to better, wait_mean, partition/gpu/p95_wait, "
                    "most:throughput (may be repeated)")
        ->type_name("FIGURE")
        ->allow_extra_args(false);
    command
        .add_option("--keys", asked_.keys,
                    "of a site: what to vary, KEY, KEY=1..100 or KEY=A|B, with commas; default: "
                    "the keys of priority that act there")
        ->type_name("KEYS")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_option("--days", days_, "days of a week, instead of 7 or the study's")
        ->type_name("N")
        ->check(CLI::Range(1, 366));
    command
        .add_option("--unstarted", unstarted_,
                    "the share of jobs that may stay without a start, more than today; of a site "
                    "0.002")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    command
        .add_option("-o,--output", output_,
                    "the registry (SQLite), which a later tune continues; default: the study's "
                    "name with .sqlite, in this folder")
        ->type_name("REGISTRY");
    command
        .add_option("-d,--diffs", diffs_,
                    "the folder for the patches and sacctmgr commands of the front; default: the "
                    "registry's name with .front")
        ->type_name("FOLDER");
    command
        .add_option("--samples", samples_,
                    "try so many settings, instead of the study's; of a site 48")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    command.add_option("--seed", seed_, "the seed of the search and of the first replication")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--method", method_, "nsga2 or random, instead of the study's")
        ->check(CLI::IsMember({"nsga2", "random"}));
    command.add_option("-j,--threads", threads_, "so many simulations at once; default: all cores")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command.add_flag("--dry-run", dry_run_, "check it, print its keys and weeks, and run nothing");
    command.add_flag("--json", json_, "print everything as JSON (one versioned schema)");
    format_.describe(command);
  }

  [[nodiscard]] Files files() const override { return {{output_}, {site_.site, site_.jobs}}; }

  Exit run() override {
    try {
      const bool is_study = asked_.objectives.empty() && !fs::is_directory(site_.site);
      if (is_study && is_site_asked()) {
        return usage_error(name(), "a study says itself what it varies, and of which jobs",
                           "of a site: --objective wait_mean; of a study --samples, --days, "
                           "--unstarted, --seed and --method");
      }
      if (!is_study && site_.jobs == "-") {
        return usage_error(name(), "the jobs are read for every setting: stdin is read once",
                           "name a file: --jobs FILE");
      }
      return tune(is_study ? read_study(site_.site) : study_of_the_site());
    } catch (const SiteTuningError& error) {
      return usage_error(name(), error.what, error.hint);
    }
  }

 private:
  /// What only a site takes.
  [[nodiscard]] bool is_site_asked() const {
    const bool changes_users = site_.resample_users || site_.growth < 1 || site_.growth > 1;
    return changes_users || !asked_.keys.empty() || !site_.set.empty() || !site_.jobs.empty() ||
           !site_.from.empty() || !site_.to.empty();
  }

  [[nodiscard]] StudyConf study_of_the_site() {
    if (asked_.objectives.empty()) {
      throw SiteTuningError{"of a site it must be told what is to become better",
                            "--objective wait_mean, or several: --objective wait_p95 --objective "
                            "slowdown_fairness"};
    }
    asked_.site = site_.site;
    LoadOptions options = site_.load_options();
    options.reads_jobs = false;
    Diagnostics told_by_the_runs;
    const auto today = load_site(site_.site, options, told_by_the_runs);
    return study_of_site(asked_, options, *today);
  }

  Exit tune(StudyConf read) {
    check_tunable(read);
    if (samples_) read.samples = *samples_;
    if (seed_) read.seed = *seed_;
    if (days_) read.tune.days = *days_;
    if (unstarted_) read.tune.unstarted = *unstarted_;
    if (method_ == "nsga2") read.tune.method = TuneMethod::Nsga2;
    if (method_ == "random") read.tune.method = TuneMethod::Random;
    const StudyConf study = with_weeks(std::move(read));
    const fs::path registry_file(output_.empty() ? study.file.stem().string() + ".sqlite"
                                                 : output_);
    const ProgramVersion program{release_text(), commit_text()};
    Diagnostics found;
    PointRunner runner(study, program, registry_file.parent_path(), found);
    print_findings(found.all());
    check_parameters(study, runner.site());
    const TuneWeeks cut = weeks_to_tune_on(runner);
    if (dry_run_) {
      for (const StudyParameter& one : study.parameters) {
        if (one.name != kWeekName) fmt::print("{}  {}\n", one.name, range_text(one));
      }
      for (const TuneWeek& week : cut.weeks) {
        fmt::print("{}  {} to {}  {} jobs\n", week.is_held_out ? "held out" : "training", week.from,
                   week.to, week.jobs);
      }
      return Exit::Ok;
    }
    const fs::path folder(diffs_.empty() ? fs::path(registry_file).replace_extension(".front")
                                         : fs::path(diffs_));
    require_folder(folder);
    StudyRegistry registry(registry_file);
    registry.begin(define_study(runner, program), runner, {});
    TuneStudy tuning(runner, registry, threads());
    const std::uint64_t before = registry.counts().complete;
    if (before > 0) fmt::print(stderr, "continuing: {} runs are known from before\n", before);
    SweepProgress progress(tuning.runs_at_most(), 0);
    const auto answer =
        tuning.run([&](const PointOutcome& outcome) { progress.ended(outcome); }, &interrupted());
    progress.close();
    if (!answer) {
      fmt::print(stderr, "interrupted: the same command continues\n");
      return Exit::Interrupted;
    }
    write_pastes(*answer, study, folder);
    if (json_) {
      fmt::print("{}\n", tune_json(*answer, study));
    } else {
      fmt::print("{}", format_.parsable ? tune_rows(*answer, study, format_.no_header)
                                        : tune_text(*answer, study));
    }
    fmt::print(stderr, "{}: {} runs, {} of them now; {}: what to paste\n", registry_file.string(),
               registry.counts().all(), progress.run(), folder.string());
    return Exit::Ok;
  }

  [[nodiscard]] std::size_t threads() const {
    return threads_ > 0 ? static_cast<std::size_t>(threads_) : default_threads();
  }

  SiteOptions site_;
  SiteTuning asked_;
  std::string output_, diffs_, method_;
  std::optional<std::uint64_t> samples_, seed_, days_;
  std::optional<double> unstarted_;
  int threads_ = 0;
  bool json_ = false, dry_run_ = false;
  TableOptions format_;
};

}  // namespace

std::unique_ptr<Verb> make_tune() {
  return std::make_unique<Tune>();
}

}  // namespace rehearse
