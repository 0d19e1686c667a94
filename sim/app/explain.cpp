// sim/app/explain.cpp — `rehearse explain`: why a job waited, and who went first by what rule.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>

#include "sim/app/explain_print.hpp"
#include "sim/app/findings.hpp"
#include "sim/app/verb.hpp"
#include "sim/output/result_file.hpp"
#include "sim/output/views/view.hpp"
#include "sim/study/explanation/job_lookup.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;

class Explain final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "explain"; }
  [[nodiscard]] std::string_view summary() const override {
    return "tell why a job waited: its Reasons, its priority, who went first and by what rule";
  }

  void describe(CLI::App& command) override {
    command.add_option("OUT", file_, "a result file")->required();
    command.add_option("JOBID", job_, "123, 123_4 (a task of an array) or 200+1 (a component)");
    command.add_flag("--reasons", reasons_,
                     "print how many jobs pended for each Reason, over time");
    command.add_option("--by", by_, "with --reasons: hour or day; default: what fits on a page")
        ->check(CLI::IsMember({"hour", "day"}));
    command
        .add_option("--limit", print_.overtakers,
                    "print this many of those who went first; default: 10")
        ->type_name("N");
    command.add_flag("--json", json_, "print everything as JSON (one versioned schema)");
    format_.describe(command);
  }

  Exit run() override {
    if (reasons_ == !job_.empty()) {
      return usage_error(name(), reasons_ ? "--reasons is of all jobs" : "no job is named",
                         "rehearse explain OUT JOBID, or rehearse explain OUT --reasons");
    }
    const ResultFile file = read_result(file_);
    const Result& result = file.result;
    if (!result.complete)
      fmt::print(stderr, "note: the run was interrupted: this is a part of it\n");
    if (reasons_) {
      print_reasons(result);
      return Exit::Ok;
    }
    const FoundJobs found = find_jobs(result, job_);
    if (!found.note.empty()) fmt::print(stderr, "note: {}\n", found.note);
    if (found.rows.size() > 1) {
      fmt::print("{}", array_text(result, found.rows, format_));
      fmt::print(stderr, "note: name one task for more: rehearse explain {} {}\n", file_,
                 longest_waiting(result, found.rows));
      return Exit::Ok;
    }
    const Explanation explanation = explain_job(result, found.rows.front());
    print_.colours = wants_colour(STDOUT_FILENO);
    fmt::print("{}", json_ ? explanation_json(result, explanation) + "\n"
                           : explanation_text(result, explanation, print_));
    return Exit::Ok;
  }

 private:
  void print_reasons(const Result& result) const {
    const std::int64_t length = result.end - result.begin;
    const bool by_day = by_ == "day" || (by_.empty() && length > 3 * kDay);
    const ReasonTable table =
        reasons_over_time(result, by_day ? day_begins(result) : even_begins(result, kHour, 0));
    fmt::print("{}", json_ ? reasons_json(table, by_day ? kDay : kHour) + "\n"
                           : reasons_text(result, table, format_));
  }

  std::string file_, job_, by_;
  bool reasons_ = false, json_ = false;
  ExplainPrint print_;
  TableOptions format_;
};

}  // namespace

std::unique_ptr<Verb> make_explain() {
  return std::make_unique<Explain>();
}

}  // namespace rehearse
