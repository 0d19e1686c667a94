// sim/app/tune.cpp — `rehearse tune`: a Pareto front over chosen keys, tried on held-out weeks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/sweep_progress.hpp"
#include "sim/app/tune_print.hpp"
#include "sim/app/verb.hpp"
#include "sim/app/version.hpp"
#include "sim/study/sweep.hpp"
#include "sim/study/tuning/tune.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

class Tune final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "tune"; }
  [[nodiscard]] std::string_view summary() const override {
    return "the best trade-offs of chosen keys, as patches, tried on held-out weeks";
  }

  void describe(CLI::App& command) override {
    command.add_option("STUDY", study_, "a study .yaml with design: tune (configs/studies)")
        ->required();
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
    command.add_option("--samples", samples_, "try so many settings, instead of the study's")
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
    command.add_flag("--dry-run", dry_run_, "check the study, print its weeks, and run nothing");
    command.add_flag("--json", json_, "print everything as JSON (one versioned schema)");
    format_.describe(command);
  }

  [[nodiscard]] Files files() const override { return {{output_}, {study_}}; }

  Exit run() override {
    StudyConf read = read_study(study_);
    check_tunable(read);
    if (samples_) read.samples = *samples_;
    if (seed_) read.seed = *seed_;
    if (method_ == "nsga2") read.tune.method = TuneMethod::Nsga2;
    if (method_ == "random") read.tune.method = TuneMethod::Random;
    const StudyConf study = with_weeks(std::move(read));
    const fs::path registry_file(output_.empty() ? fs::path(study_).stem().string() + ".sqlite"
                                                 : output_);
    const ProgramVersion program{release_text(), commit_text()};
    Diagnostics found;
    PointRunner runner(study, program, registry_file.parent_path(), found);
    print_findings(found.all());
    runner.check_parameters();
    const TuneWeeks cut = weeks_to_tune_on(runner);
    if (dry_run_) {
      for (const TuneWeek& week : cut.weeks) {
        fmt::print("{}  {} to {}  {} jobs\n", week.is_held_out ? "held out" : "training", week.from,
                   week.to, week.jobs);
      }
      return Exit::Ok;
    }
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
    const fs::path folder(diffs_.empty() ? fs::path(registry_file).replace_extension(".front")
                                         : fs::path(diffs_));
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

 private:
  [[nodiscard]] std::size_t threads() const {
    return threads_ > 0 ? static_cast<std::size_t>(threads_) : default_threads();
  }

  std::string study_, output_, diffs_, method_;
  std::optional<std::uint64_t> samples_, seed_;
  int threads_ = 0;
  bool json_ = false, dry_run_ = false;
  TableOptions format_;
};

}  // namespace

std::unique_ptr<Verb> make_tune() {
  return std::make_unique<Tune>();
}

}  // namespace rehearse
