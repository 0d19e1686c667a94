// sim/app/run.cpp — `rehearse run`: one simulation, from a site to a result file.
#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/verb.hpp"
#include "sim/app/version.hpp"
#include "sim/output/output_place.hpp"
#include "sim/output/plan_recorder.hpp"
#include "sim/output/result_file.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/summary.hpp"
#include "sim/output/trace.hpp"
#include "sim/study/second_opinion.hpp"
#include "sim/study/shell_word.hpp"
#include "sim/study/simulate.hpp"
#include "sim/study/site_provenance.hpp"

namespace rehearse {
namespace {

class Run final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "run"; }
  [[nodiscard]] std::string_view summary() const override {
    return "simulate a site's jobs under its slurm.conf";
  }

  void describe(CLI::App& command) override {
    site_.describe(command);
    site_.describe_seed(command);
    site_.describe_start(command);
    site_.describe_users(command);
    command.add_option("-o,--output", output_, "write the result here (HDF5)")->type_name("FILE");
    command
        .add_option(
            "--sacct", sacct_,
            "write the schedule as sacct -P prints it, without SubmitLine (to replay it asks for "
            "less: no lists, licences, %N); - is stdout")
        ->type_name("FILE");
    command.add_flag("--trace", trace_, "print every decision instead of the summary");
    command.add_flag("--plans", plans_, "keep what backfill planned, for show OUT squeue --start");
    command.add_flag("--json", json_, "print every figure as JSON (one versioned schema)");
    command.add_flag(
        "--paranoid", paranoid_,
        "run twice, the second time with nothing remembered and every state recounted, "
        "and compare all decisions, with --plans also what was planned; slow");
  }

  [[nodiscard]] Files files() const override {
    return {{output_, sacct_}, {site_.site, site_.jobs}};
  }

  Exit run() override {
    if (paranoid_ && site_.jobs == "-") {
      return usage_error(name(), "--paranoid reads the jobs twice, standard input can be read once",
                         "give a file: --jobs FILE");
    }
    if (output_ == "-") {
      return usage_error(name(), "a result is no stream, -o - cannot be",
                         "give a file: -o out.h5; --sacct - and --json write to standard output");
    }
    if (sacct_ == "-" && json_) {
      return usage_error(name(), "--sacct - and --json both write to standard output",
                         "give one a file: --sacct FILE");
    }
    Diagnostics found;
    const LoadOptions options = site_.load_options();
    const auto site = load_site(site_.site, options, found);
    if (site->has_jobs && site->jobs().specs().empty() && !site->start) {
      found.warning({site->trace.report.source, 0, 0}, "no row of it is a job: nothing runs",
                    "rehearse check SITE tells what became of each");
    }
    print_findings(found.all());
    if (!site->has_jobs) {
      throw InputError({site->folder.root.string(), 0, 0}, "there are no jobs to run",
                       "put sacct.txt into the folder, or name a file: --jobs FILE");
    }
    fmt::print(stderr, "{}", brief_text(site->trace.report));
    if (!output_.empty()) require_file(output_);
    if (!sacct_.empty() && sacct_ != "-") require_writable(sacct_);
    const Provenance made =
        provenance_of(*site, options, {release_text(), commit_text()}, command_line());
    const Simulation done = run_once(*site);
    if (paranoid_ && done.status == RunStatus::Complete) {
      const Exit verdict = run_again(*site, options);
      if (verdict != Exit::Ok) return verdict;
    }
    report(done, made);
    return done.status == RunStatus::Complete ? Exit::Ok : Exit::Interrupted;
  }

 private:
  Simulation run_once(LoadedSite& site) {
    const std::uint64_t runs = runs_of(site.jobs());
    ProgressLine progress(site.zone, runs);
    TraceWriter trace(stdout, site.zone, false);
    std::vector<Observer*> observers{&progress};
    if (trace_) observers.push_back(&trace);
    PlanRecorder plans;
    if (plans_) observers.push_back(&plans);
    FactLog& facts = facts_.emplace(plans_);
    if (paranoid_) observers.push_back(&facts);
    Simulation done = simulate(site, observers, &interrupted());
    if (plans_) plans.give_to(done.result);
    tell_opening(done.opened);
    if (!done.refused_commands.empty()) {
      fmt::print(stderr, "warning: {} (--trace prints each)\n", done.refused_commands);
    }
    if (done.status == RunStatus::Complete) {
      fmt::print(stderr, "{} jobs in {:.1f} s\n", runs, progress.elapsed_s());
    } else {
      fmt::print(stderr, "interrupted after {:.1f} s: {} jobs were to run, this is a part\n",
                 progress.elapsed_s(), runs);
    }
    return done;
  }

  /// Nothing is written where the second run decides otherwise.
  Exit run_again(const LoadedSite& first, const LoadOptions& options) {
    Diagnostics found;  // told before the first
    const auto site = load_site(site_.site, options, found, {&first});
    site->cluster->recalls = false;
    ProgressLine progress(site->zone, runs_of(first.jobs()), "again, nothing remembered: ");
    FactComparison comparison(*facts_, &interrupted());
    const Simulation again = simulate(*site, {&progress, &comparison}, &comparison.stop());
    if (interrupted()) return Exit::Interrupted;
    const auto difference = comparison.difference();
    if (!difference) {
      fmt::print(stderr, "run again with nothing remembered: all {} facts the same, {:.1f} s\n",
                 comparison.agreed(), progress.elapsed_s());
      return Exit::Ok;
    }
    const auto words = [&](const std::optional<ToldFact>& fact) {
      if (!fact) return std::string("nothing more");
      return fmt::format("{} {} ({}){}{}", site->zone.print(fact->at), fact->what, fact->number,
                         fact->detail.empty() ? "" : ": ", fact->detail);
    };
    fmt::print(stderr,
               "rehearse run: the run decides otherwise with nothing remembered, after {} facts:\n"
               "  first run:  {}\n  second run: {}\n"
               "  This is a defect of rehearse: please report it with the site.\n",
               comparison.agreed(), words(difference->first), words(difference->second));
    return Exit::Failed;
  }

  static void tell_opening(const OpeningCounts& opened) {
    if (opened.placed_anew > 0) {
      fmt::print(stderr, "{} running jobs do not fit on their nodes here: they run elsewhere\n",
                 opened.placed_anew);
    }
    if (!opened.not_placed.empty()) {
      fmt::print(stderr, "{} running jobs fit nowhere here, job {} first: they pend\n",
                 opened.not_placed.size(), static_cast<std::uint32_t>(opened.not_placed.front()));
    }
    if (!opened.refused.empty()) {
      fmt::print(stderr, "{} running jobs are refused here, job {} first\n", opened.refused.size(),
                 static_cast<std::uint32_t>(opened.refused.front()));
    }
  }

  void report(const Simulation& done, const Provenance& made) const {
    const Kpis kpis = compute_kpis(done.result);
    if (!output_.empty()) {
      write_result(output_, done.result, kpis, made);
      fmt::print(stderr, "wrote {}\n", output_);
    }
    if (!sacct_.empty()) write_sacct(sacct_, done.result);
    if (json_) {
      fmt::print("{}\n", summary_json(done.result, kpis));
    } else if (trace_) {
      fmt::print("schedule fingerprint  {:016x}\n", done.result.loops.schedule_fingerprint);
      fmt::print("event fingerprint     {:016x}\n", done.result.loops.event_fingerprint);
    } else if (sacct_ != "-") {
      SummaryOptions options;
      options.colours = wants_colour(STDOUT_FILENO);
      fmt::print("{}", summary_text(done.result, kpis, options));
    }
  }

  /// What makes this result again. Where it is written to is no part of it: the same run gives the
  /// same file under any name.
  [[nodiscard]] std::string command_line() const {
    std::string text = "rehearse run " + shell_word(site_.site);
    for (const std::string& change : site_.set) text += " --set " + shell_word(change);
    if (!site_.jobs.empty()) text += " --jobs " + shell_word(site_.jobs);
    if (!site_.from.empty()) text += " --from " + shell_word(site_.from);
    if (!site_.to.empty()) text += " --to " + shell_word(site_.to);
    if (!site_.start_from.empty()) text += " --start-from " + shell_word(site_.start_from);
    text += site_.users_text();
    if (plans_) text += " --plans";
    if (site_.seed >= 0) text += fmt::format(" --seed {}", site_.seed);
    return text;
  }

  SiteOptions site_;
  std::string output_, sacct_;
  bool trace_ = false, json_ = false, plans_ = false, paranoid_ = false;
  std::optional<FactLog> facts_;  ///< of the first run
};

}  // namespace

std::unique_ptr<Verb> make_run() {
  return std::make_unique<Run>();
}

}  // namespace rehearse
