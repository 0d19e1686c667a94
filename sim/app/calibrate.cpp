// sim/app/calibrate.cpp — `rehearse calibrate`: how near the simulation is to what was recorded.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/app/calibrate_print.hpp"
#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/verb.hpp"
#include "sim/study/decisions.hpp"
#include "sim/study/simulate.hpp"

namespace rehearse {
namespace {

/// 0 of 0 is whole: nothing was missed.
double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string_view name_of(StartedBy loop) {
  return loop == StartedBy::Main ? "main" : "backfill";
}

class Calibrate final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "calibrate"; }
  [[nodiscard]] std::string_view summary() const override {
    return "hold the simulation against what a site recorded";
  }

  void describe(CLI::App& command) override {
    site_.describe(command);
    command.add_flag("--decisions", decisions_,
                     "ask each loop, on the recorded state, for the starts that it recorded; "
                     "default: run the site, and compare waits");
    command.add_option("--limit", limit_, "print this many disagreements; default: 20")
        ->type_name("N");
    command
        .add_option("--passes", passes_, "ask an even sample of this many passes; default: 2000")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command.add_flag("--json", json_, "print every figure and disagreement as JSON");
  }

  Exit run() override {
    Diagnostics found;
    const LoadOptions options = site_.load_options();
    const auto site = load_site(site_.site, options, found);
    print_findings(found.all());
    if (!site->has_jobs) {
      throw InputError({site->folder.root.string(), 0, 0}, "there are no jobs to run",
                       "put sacct.txt into the folder, or name a file: --jobs FILE");
    }
    if (!decisions_) return compare_waits(*site);
    const Decisions decisions = compare_decisions(*site, options, {.passes_max = passes_});
    if (json_) {
      print_json(*site, decisions);
    } else {
      print_text(*site, decisions);
    }
    return Exit::Ok;
  }

 private:
  /// The baseline: the site as it is, against the starts that its own jobs recorded.
  [[nodiscard]] Exit compare_waits(LoadedSite& site) const {
    ProgressLine progress(site.zone, runs_of(site.jobs()));
    const Simulation done = simulate(site, {&progress}, &interrupted());
    const auto answer = calibrate_waits(site, done.result);
    fmt::print("{}", json_ ? calibration_json(*answer) + "\n" : calibration_text(*answer));
    return done.status == RunStatus::Complete ? Exit::Ok : Exit::Interrupted;
  }

  static void print_row(std::string_view loop, const LoopDecisions& figures) {
    const Agreement& starts = figures.starts;
    fmt::print("{:9} {:6} {:6} {:9} {:7.1f}% {:10.1f}% {:6} {:9.1f}%\n", loop, figures.passes,
               figures.ties, starts.recorded, 100 * share(starts.same_job, starts.recorded),
               100 * share(starts.same_nodes, starts.same_job), starts.made,
               100 * share(starts.same_job, starts.made));
  }

  static LoopDecisions sum(const Decisions& decisions) {
    LoopDecisions all = decisions.main;
    all.passes += decisions.backfill.passes;
    all.ties += decisions.backfill.ties;
    all.starts += decisions.backfill.starts;
    all.victims += decisions.backfill.victims;
    return all;
  }

  void print_text(const LoadedSite& site, const Decisions& decisions) const {
    fmt::print("loop      passes   ties  recorded   recall  same nodes   made  precision\n");
    print_row("main", decisions.main);
    print_row("backfill", decisions.backfill);
    print_row("both", sum(decisions));
    if (const Agreement victims = sum(decisions).victims; victims.recorded + victims.made > 0) {
      fmt::print("victims: {} preempted, {} by ours, {} by both\n", victims.recorded, victims.made,
                 victims.same_job);
    }
    const std::size_t asked = decisions.main.passes + decisions.backfill.passes;
    if (asked < decisions.passes_recorded) {
      fmt::print("an even sample: {} of {} passes\n", asked, decisions.passes_recorded);
    }
    if (decisions.runs_of_no_loop > 0) {
      fmt::print("{} runs were started by neither loop: forced, not asked for\n",
                 decisions.runs_of_no_loop);
    }
    for (std::size_t i = 0; i < std::min(limit_, decisions.not_placed.size()); ++i) {
      const NotPlaced& each = decisions.not_placed[i];
      fmt::print("{} job {} cannot be forced: {}\n", site.zone.print(each.start),
                 static_cast<std::uint32_t>(each.job), each.why);
    }
    if (decisions.runs_of_known_cpus > 0) {
      fmt::print("CPUs: {} of {} runs hold as many as recorded\n",
                 decisions.runs_of_known_cpus - decisions.other_cpus.size(),
                 decisions.runs_of_known_cpus);
    }
    for (std::size_t i = 0; i < std::min(limit_, decisions.other_cpus.size()); ++i) {
      const OtherCpus& each = decisions.other_cpus[i];
      fmt::print("{} job {} CPUs: ours {}, theirs {}\n", site.zone.print(each.start),
                 static_cast<std::uint32_t>(each.job), each.ours, each.theirs);
    }
    print_tables(site, decisions.tables);
    for (std::size_t i = 0; i < std::min(limit_, decisions.disagreements.size()); ++i) {
      const Disagreement& each = decisions.disagreements[i];
      fmt::print("{} {} job {} {}\n  ours:   {}\n  theirs: {}\n",
                 site.zone.print(whole_second(each.at)), name_of(each.loop),
                 static_cast<std::uint32_t>(each.job), each.what, each.ours, each.theirs);
    }
    if (decisions.disagreements.size() > limit_) {
      fmt::print("{} more disagreements: --limit {}\n", decisions.disagreements.size() - limit_,
                 decisions.disagreements.size());
    }
  }

  void print_tables(const LoadedSite& site, const TableAgreement& tables) const {
    if (tables.tables == 0) return;
    fmt::print("sprio, {} rows: {:.1f}% within one point; sshare, {} rows: {:.1f}% to the digit\n",
               tables.priority_rows,
               100 * share(tables.priority_rows_within_one, tables.priority_rows),
               tables.share_rows, 100 * share(tables.share_rows_same, tables.share_rows));
    for (std::size_t i = 0; i < std::min(limit_, tables.differences.size()); ++i) {
      const TableDifference& each = tables.differences[i];
      fmt::print("{} {} {}: ours {}, theirs {}\n", site.zone.print(each.at), each.row, each.column,
                 each.ours, each.theirs);
    }
  }

  static nlohmann::ordered_json json_of(const LoopDecisions& figures) {
    const Agreement& starts = figures.starts;
    return {{"passes", figures.passes},
            {"ties", figures.ties},
            {"recorded", starts.recorded},
            {"made", starts.made},
            {"same_job", starts.same_job},
            {"same_nodes", starts.same_nodes},
            {"victims_recorded", figures.victims.recorded},
            {"victims_made", figures.victims.made},
            {"victims_same", figures.victims.same_job},
            {"recall", share(starts.same_job, starts.recorded)},
            {"precision", share(starts.same_job, starts.made)}};
  }

  static void print_json(const LoadedSite& site, const Decisions& decisions) {
    nlohmann::ordered_json json{{"schema", "rehearse-decisions/1"},
                                {"main", json_of(decisions.main)},
                                {"backfill", json_of(decisions.backfill)},
                                {"both", json_of(sum(decisions))},
                                {"passes_recorded", decisions.passes_recorded},
                                {"runs_of_no_loop", decisions.runs_of_no_loop}};
    json["not_placed"] = nlohmann::ordered_json::array();
    for (const NotPlaced& each : decisions.not_placed) {
      json["not_placed"].push_back({{"job", static_cast<std::uint32_t>(each.job)},
                                    {"start", site.zone.print(each.start)},
                                    {"why", each.why}});
    }
    json["runs_of_known_cpus"] = decisions.runs_of_known_cpus;
    json["other_cpus"] = nlohmann::ordered_json::array();
    for (const OtherCpus& each : decisions.other_cpus) {
      json["other_cpus"].push_back({{"job", static_cast<std::uint32_t>(each.job)},
                                    {"start", site.zone.print(each.start)},
                                    {"ours", each.ours},
                                    {"theirs", each.theirs}});
    }
    json["disagreements"] = nlohmann::ordered_json::array();
    for (const Disagreement& each : decisions.disagreements) {
      json["disagreements"].push_back({{"at", site.zone.print(whole_second(each.at))},
                                       {"loop", name_of(each.loop)},
                                       {"job", static_cast<std::uint32_t>(each.job)},
                                       {"what", each.what},
                                       {"ours", each.ours},
                                       {"theirs", each.theirs}});
    }
    const TableAgreement& tables = decisions.tables;
    json["tables"] = {{"samples", tables.tables},
                      {"priority_rows", tables.priority_rows},
                      {"priority_rows_within_one", tables.priority_rows_within_one},
                      {"share_rows", tables.share_rows},
                      {"share_rows_same", tables.share_rows_same}};
    fmt::print("{}\n", json.dump(2));
  }

  SiteOptions site_;
  bool decisions_ = false, json_ = false;
  std::size_t limit_ = 20, passes_ = 2000;
};

}  // namespace

std::unique_ptr<Verb> make_calibrate() {
  return std::make_unique<Calibrate>();
}

}  // namespace rehearse
