// sim/app/report.cpp — `rehearse report`: a result as one offline page for who decides.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/app/findings.hpp"
#include "sim/app/verb.hpp"
#include "sim/output/output_place.hpp"
#include "sim/output/text_file.hpp"
#include "sim/output/views/view.hpp"
#include "sim/study/report/assets.hpp"
#include "sim/study/report/report.hpp"
#include "sim/study/report/sensitivity.hpp"
#include "sim/study/shell_word.hpp"
#include "sim/study/site_provenance.hpp"

namespace rehearse {
namespace {

const InputFile* jobs_of(const Provenance& made) {
  for (const InputFile& input : made.inputs) {
    if (input.role == "jobs") return &input;
  }
  return nullptr;
}

class Report final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "report"; }
  [[nodiscard]] std::string_view summary() const override {
    return "write a result as one offline page with charts, for a browser";
  }

  void describe(CLI::App& command) override {
    command.add_option("OUT", file_, "a result file")->required();
    command.add_option("-o,--output", output_, "write the page here (HTML); - is stdout")
        ->type_name("FILE")
        ->required();
    command
        .add_option(
            "--site", site_,
            "the site folder that OUT was made of: hold the run against its recorded starts")
        ->type_name("SITE");
    command
        .add_option("--jobs", jobs_, "with --site: the jobs that OUT was made of, if not its own")
        ->type_name("FILE");
    command
        .add_option("--day", day_,
                    "show this day GPU by GPU; default: the day with the longest queue")
        ->type_name("YYYY-MM-DD");
    command
        .add_option("--sensitivity", sensitivity_,
                    "show how the figures move with the parameters of this sweep's registry")
        ->type_name("REGISTRY");
  }

  [[nodiscard]] Files files() const override {
    return {{output_}, {file_, site_, jobs_, sensitivity_}};
  }

  Exit run() override {
    if (!jobs_.empty() && site_.empty()) {
      return usage_error(name(), "--jobs is of no site", "name it: --site SITE --jobs FILE");
    }
    if (output_ != "-") require_writable(output_);
    ResultFile file = read_result(file_);
    Side side{file_, std::move(file.result), std::move(file.kpis), std::move(file.provenance)};
    if (!day_.empty() && !find_day(side.result, day_)) {
      const TimeZone zone = zone_of(side.result);
      return usage_error(
          name(), fmt::format("'{}' is not a day of the run", day_),
          fmt::format("it goes from {} to {}",
                      zone.print(from_epoch_seconds(side.result.begin)).substr(0, 10),
                      zone.print(from_epoch_seconds(side.result.end)).substr(0, 10)));
    }
    if (!side.result.complete)
      fmt::print(stderr, "note: the run was interrupted: this is a part of it\n");
    ReportRequest request;
    request.day = day_;
    request.command = command_line();
    const auto held = calibration(side, request);
    request.calibration = held.get();
    Sensitivity moves;
    if (!sensitivity_.empty()) {
      moves = read_sensitivity(sensitivity_);
      request.sensitivity = &moves;
    }
    if (report_script().empty()) {
      fmt::print(stderr,
                 "note: this program was built without its charts: the page has tables in their "
                 "place\n");
    }
    write_text_file(output_, report_page(side, request));
    if (output_ != "-") fmt::print(stderr, "wrote {}\n", output_);
    return Exit::Ok;
  }

 private:
  /// Null: no site was named.
  [[nodiscard]] std::unique_ptr<WaitCalibration> calibration(const Side& side,
                                                             ReportRequest& request) const {
    if (site_.empty()) return nullptr;
    Diagnostics found;
    LoadOptions options;
    if (!jobs_.empty()) options.jobs = jobs_;
    const auto site = load_site(site_, options, found);
    print_findings(found.all());
    const Provenance now = provenance_of(*site, options, {}, {});
    const InputFile* const theirs = jobs_of(side.provenance);
    const InputFile* const ours = jobs_of(now);
    if (theirs == nullptr || ours == nullptr || theirs->sha256 != ours->sha256) {
      throw InputError({site_, 0, 0},
                       fmt::format("its jobs are not those that {} was made of", file_),
                       "name the site of that run; rehearse info tells its inputs");
    }
    // Texts with --set are other texts; what counts is what was made of them.
    const bool is_scenario = std::filesystem::path(site_).extension() == ".yaml";
    request.is_changed =
        is_scenario || nlohmann::json::parse(now.configuration, nullptr, false) !=
                           nlohmann::json::parse(side.provenance.configuration, nullptr, false);
    return calibrate_waits(*site, side.result);
  }

  [[nodiscard]] std::string command_line() const {
    std::string text = "rehearse report " + shell_word(file_);
    if (!site_.empty()) text += " --site " + shell_word(site_);
    if (!jobs_.empty()) text += " --jobs " + shell_word(jobs_);
    if (!day_.empty()) text += " --day " + shell_word(day_);
    if (!sensitivity_.empty()) text += " --sensitivity " + shell_word(sensitivity_);
    return text;
  }

  std::string file_, output_, site_, jobs_, day_, sensitivity_;
};

}  // namespace

std::unique_ptr<Verb> make_report() {
  return std::make_unique<Report>();
}

}  // namespace rehearse
