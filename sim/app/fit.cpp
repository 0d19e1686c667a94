// sim/app/fit.cpp — `rehearse fit`: a generator from a site's own jobs, and how near it comes.
#include "workloads/generator/fit.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/app/findings.hpp"
#include "sim/app/fit_print.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/verb.hpp"
#include "sim/config/config_node.hpp"
#include "sim/output/output_place.hpp"
#include "sim/output/text_file.hpp"
#include "workloads/generator/generate.hpp"

namespace rehearse {
namespace {

class Fit final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "fit"; }
  [[nodiscard]] std::string_view summary() const override {
    return "make a generator of jobs from a site's own, and show how near it comes";
  }

  void describe(CLI::App& command) override {
    site_.describe(command);
    command.add_option("-o,--output", output_, "the generator to write (.yaml)")
        ->type_name("SPEC")
        ->required();
    command
        .add_option("--session-gap", gap_,
                    "a user who submits nothing for longer begins a new session; default: 20min")
        ->type_name("SPAN");
    command
        .add_option("--own", options_.own_jobs,
                    "users with so many submissions are modelled each by themselves; default: 50")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    command.add_option("--draws", draws_, "hold so many draws against the trace; default: 5")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    command.add_flag("--force", force_, "write over a file that is there");
    command.add_flag("--json", json_, "print everything as JSON (one versioned schema)");
    format_.describe(command);
  }

  [[nodiscard]] Files files() const override { return {{output_}, {site_.site, site_.jobs}}; }

  Exit run() override {
    const auto gap = parse_duration(gap_);
    if (!gap || *gap < Duration{1000000}) {
      return usage_error(name(), fmt::format("--session-gap: '{}' is not a duration", gap_),
                         "write the unit: 30s, 20min, 1h");
    }
    options_.session_gap = std::chrono::duration_cast<Seconds>(*gap);
    if (!force_) require_absent(output_);
    if (output_ != "-") require_writable(output_);
    Diagnostics found;
    const auto site = load_site(site_.site, site_.load_options(), found);
    print_findings(found.all());
    const std::vector<WorkloadJob> jobs =
        workload_of(site->trace.jobs, site->names, site->requests);
    if (jobs.empty()) {
      throw InputError({site->folder.root.string(), 0, 0}, "there are no jobs to fit",
                       "put sacct.txt into the folder, or name a file: --jobs FILE");
    }
    print(fit(jobs, site->zone));
    return Exit::Ok;
  }

 private:
  FitReport fit(const std::vector<WorkloadJob>& jobs, const TimeZone& zone) const {
    const FittedGenerator fitted = fit_generator(jobs, zone, options_);
    std::vector<std::string> head{
        fmt::format("Fitted by `rehearse fit` to {} submissions of {}.", jobs.size(), site_.site),
        "Keys: configs/reference.yaml (generator). Draw from it: rehearse gen SPEC.yaml -o SITE"};
    head.insert(head.end(), fitted.notes.begin(), fitted.notes.end());
    const std::string text = generator_text(fitted.conf, head);
    // What is shown is what the file gives: it is read back.
    Diagnostics found;
    GeneratorConf conf = parse_generator(text, output_, found);
    found.throw_if_errors();
    FitReport report{site_.site, output_, conf.groups.size(), 0, fitted.notes, {}};
    for (const UserGroup& group : conf.groups) report.kinds += group.kinds.size();
    std::vector<std::vector<WorkloadJob>> draws;
    for (std::size_t i = 0; i < draws_; ++i) {
      conf.seed = i + 1;
      auto drawn = generate(conf);
      if (!drawn.empty()) draws.push_back(std::move(drawn));
    }
    if (draws.empty()) throw InputError({site_.site, 0, 0}, "too few jobs: no draw has one");
    report.goodness = goodness_of(jobs, draws, options_.session_gap);
    write_text_file(output_, text);
    return report;
  }

  void print(const FitReport& report) const {
    if (json_) {
      fmt::print("{}\n", fit_json(report));
    } else {
      fmt::print("{}", format_.parsable ? fit_rows(report, format_.no_header) : fit_text(report));
    }
    if (output_ != "-") fmt::print(stderr, "wrote {}\n", output_);
  }

  SiteOptions site_;
  FitOptions options_;
  std::string output_, gap_ = "20min";
  std::size_t draws_ = 5;
  TableOptions format_;
  bool json_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_fit() {
  return std::make_unique<Fit>();
}

}  // namespace rehearse
