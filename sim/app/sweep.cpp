// sim/app/sweep.cpp — `rehearse sweep`: every point of a study, over all cores, into its registry.
#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/registry_table.hpp"
#include "sim/app/sweep_progress.hpp"
#include "sim/app/verb.hpp"
#include "sim/app/version.hpp"
#include "sim/study/outside.hpp"
#include "sim/study/parameter_check.hpp"
#include "sim/study/registry.hpp"
#include "sim/study/slurm_array.hpp"
#include "sim/study/sweep.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBestShown = 5;
/// What sim/study/outside.hpp says, for who writes such an optimiser.
constexpr std::string_view kOutside =
    "A study that says `design: outside` has its points from whoever writes to this command's\n"
    "standard input, a line of JSON a question and a line an answer, as each comes; before them a\n"
    "line tells \"parameters\" (name, least, most, whole, scale, or values) and \"objectives\":\n"
    "  {\"ask\": 7, \"parameters\": {\"PriorityWeightAge\": 2000}}\n"
    "  {\"tell\": 7, \"design\": 3, \"status\": \"complete\", \"objectives\": {\"wait_mean\": "
    "5120.5}}\n"
    "A failed question has \"status\": \"failed\" and an \"error\". An example: optimise.py, "
    "beside the\n"
    "other scripts (share/rehearse where installed).";

/// What runs this program again; of a portable archive (scripts/portable.sh), whose binary is
/// started by its own loader, the script that does.
fs::path own_program() {
  fs::path self = fs::read_symlink("/proc/self/exe");
  if (!self.filename().string().starts_with("ld-")) return self;
  return (self.parent_path() / "../bin/rehearse").lexically_normal();
}

class Sweep final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "sweep"; }
  [[nodiscard]] std::string_view summary() const override {
    return "simulate every point of a study, over all cores, resumably";
  }

  void describe(CLI::App& command) override {
    command.footer(std::string(kOutside));
    command.add_option("STUDY", study_, "a study .yaml (configs/studies, configs/reference.yaml)")
        ->required();
    command
        .add_option("-o,--output", output_,
                    "the registry (SQLite), which a later sweep continues; default: the study's "
                    "name with .sqlite, in this folder")
        ->type_name("REGISTRY");
    command.add_option("-j,--threads", threads_, "so many simulations at once; default: all cores")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command.add_flag("--retry", retry_, "run the points that have failed again");
    command.add_flag("--slurm", slurm_,
                     "run the points as a job array (sbatch) and wait for them; the study's slurm: "
                     "says where and how many at once");
    // S:T:R: life R of task T of submission S. What --slurm submits; not for people.
    command.add_option("--worker", worker_)->group("");
    command.add_flag("--dry-run", dry_run_, "print the commands of the points, and run nothing");
  }

  [[nodiscard]] Files files() const override { return {{output_}, {study_}}; }

  Exit run() override {
    const StudyConf study = read_study(study_);
    if (slurm_ && study.design == StudyDesign::Outside) {
      return usage_error(name(), "points that are asked for from outside are no job array",
                         "run it without --slurm, inside of a job if need be");
    }
    if (study.design == StudyDesign::Tune) {
      return usage_error(name(), "the study's points are chosen by what was found so far",
                         "rehearse tune STUDY.yaml");
    }
    const fs::path registry_file(output_.empty() ? fs::path(study_).stem().string() + ".sqlite"
                                                 : output_);
    const ProgramVersion program{release_text(), commit_text()};
    Diagnostics found;
    PointRunner runner(study, program, registry_file.parent_path(), found);
    const StudyDefinition definition = define_study(runner, program);
    if (!worker_.empty()) return work_on(runner, definition, registry_file);
    print_findings(found.all());
    check_parameters(study, runner.site());
    const std::vector<StudyPoint> points = points_of(study);
    if (dry_run_) {
      for (const StudyPoint& point : points) fmt::print("{}\n", command_of(study, point));
      return Exit::Ok;
    }
    Exit exit = Exit::Ok;
    {
      StudyRegistry registry(registry_file);
      registry.begin(definition, runner, points);
      exit = study.design == StudyDesign::Outside ? answer(runner, registry)
             : slurm_ ? submit(study, registry, registry_file, fingerprint_of(definition))
                      : run_all(runner, registry);
      exit = tell_end(registry, registry_file, exit);
    }
    if (study.design != StudyDesign::Outside && exit != Exit::Interrupted) print(registry_file);
    return exit;
  }

 private:
  [[nodiscard]] std::size_t threads() const {
    return threads_ > 0 ? static_cast<std::size_t>(threads_) : default_threads();
  }

  Exit run_all(PointRunner& runner, StudyRegistry& registry) const {
    const std::vector<StudyPoint> points = registry.to_run(retry_);
    const PointCounts before = registry.counts();
    if (before.all() > points.size()) {
      fmt::print(stderr, "continuing: {} of {} points have run before\n",
                 before.all() - points.size(), before.all());
    }
    SweepProgress progress(points.size(), before.all() - points.size());
    const auto keep = [&](const PointOutcome& outcome) {
      (void)registry.record(outcome);
      progress.ended(outcome);
    };
    const bool done = sweep(runner, points, keep, threads(), &interrupted());
    progress.close();
    if (progress.run() > 0) {
      fmt::print(stderr, "{} points in {:.1f} s\n", progress.run(), progress.elapsed_s());
    }
    return done ? Exit::Ok : Exit::Interrupted;
  }

  Exit submit(const StudyConf& study, StudyRegistry& registry, const fs::path& file,
              const std::string& fingerprint) const {
    const std::size_t left = registry.to_run(retry_).size();
    SweepProgress progress(left, registry.counts().all() - left);
    SlurmArray array(study, registry, {own_program().string(), study_, file.string()}, fingerprint);
    const auto end = array.run([&](const PointOutcome& outcome) { progress.ended(outcome); },
                               [&](const std::string& text) {
                                 progress.close();
                                 fmt::print(stderr, "{}\n", text);
                               },
                               &interrupted());
    progress.close();
    if (end == SlurmArray::End::Done) array.clean();
    if (end == SlurmArray::End::Interrupted) {
      fmt::print(stderr, "the job array goes on; scancel it, or come back\n");
    }
    if (end == SlurmArray::End::Stuck) {
      fmt::print(stderr,
                 "rehearse sweep: error: workers end without an outcome\n  hint: read {}/*.log\n",
                 array.folder().string());
      return Exit::Failed;
    }
    return end == SlurmArray::End::Done ? Exit::Ok : Exit::Interrupted;
  }

  Exit work_on(PointRunner& runner, const StudyDefinition& definition, const fs::path& file) const {
    SpoolTask task;
    if (std::sscanf(worker_.c_str(), "%" SCNu64 ":%" SCNu64 ":%" SCNu64, &task.submission,
                    &task.task, &task.life) != 3) {
      return usage_error(name(), "--worker is SUBMISSION:TASK:LIFE", "it is what --slurm submits");
    }
    const bool done = work(runner, Spool(spool_of(file)), task, fingerprint_of(definition),
                           threads(), &interrupted());
    return done ? Exit::Ok : Exit::Interrupted;
  }

  Exit answer(PointRunner& runner, StudyRegistry& registry) const {
    QuestionLines lines(STDIN_FILENO, &interrupted());
    OutsidePoints outside(runner, registry, lines, [](const std::string& line) {
      fmt::print("{}", line);
      std::fflush(stdout);
    });
    outside.introduce();
    const PointFlow flow{.next = [&] { return outside.next(); },
                         .keep = [&](const PointOutcome& outcome) { outside.keep(outcome); }};
    return sweep(runner, flow, threads(), &interrupted()) ? Exit::Ok : Exit::Interrupted;
  }

  static Exit tell_end(StudyRegistry& registry, const fs::path& file, Exit exit) {
    const PointCounts counts = registry.counts();
    fmt::print(stderr, "{}: {} points complete, {} failed, {} waiting\n", file.string(),
               counts.complete, counts.failed, counts.waiting);
    if (exit == Exit::Interrupted) {
      fmt::print(stderr, "interrupted: the same command continues\n");
    } else if (counts.failed > 0) {
      fmt::print(stderr,
                 "why they failed: rehearse query {} --sql \"SELECT point, error FROM points WHERE "
                 "status = 'failed'\"\n",
                 file.string());
      return Exit::Failed;
    }
    return exit;
  }

  static void print(const fs::path& file) {
    RegistryReader reader(file);
    if (reader.counts().complete == 0) return;
    const RegistryTable best = reader.best(reader.objective(), std::nullopt, kBestShown);
    fmt::print("{}", table_text(best, {}));
    explain_best(best);
  }

  std::string study_, output_, worker_;
  int threads_ = 0;
  bool retry_ = false, dry_run_ = false, slurm_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_sweep() {
  return std::make_unique<Sweep>();
}

}  // namespace rehearse
