// sim/app/show.cpp — `rehearse show`: Slurm's own tables at an instant of the simulation.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/app/show_tables.hpp"
#include "sim/app/verb.hpp"
#include "sim/config/suggest.hpp"
#include "sim/output/result_file.hpp"
#include "sim/output/views/view.hpp"
#include "sim/study/explanation/job_lookup.hpp"

namespace rehearse {
namespace {

struct Table {
  std::string_view name;
  View (*view)(const Result& result, const ViewOptions& options);
  bool is_of_now;  ///< of the queue or the nodes at one instant, which at the end may be bare
  bool has_long = false;     ///< knows -l
  bool has_records = false;  ///< of scontrol: knows -d, -o and which of them are asked for
};
constexpr std::array<Table, 8> kTables{{{"squeue", squeue_view, true, true},
                                        {"sinfo", sinfo_view, true, true},
                                        {"sprio", sprio_view, true, true},
                                        {"sshare", sshare_view, false, true},
                                        {"sacct", sacct_view, false},
                                        {"sdiag", sdiag_view, false},
                                        {"job", job_view, true, false, true},
                                        {"node", node_view, true, false, true}}};
constexpr std::string_view kTableNames =
    "squeue, sinfo, sprio, sshare, sacct, sdiag, job or node (as scontrol show job, show node)";

std::string list_hint(std::string_view word) {
  const std::string meant = did_you_mean(word, show_table_names());
  return meant.empty() ? fmt::format("the tables are {}", kTableNames) : meant;
}

bool anything_pends(const Result& result, std::int64_t at) {
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    if (standing_at(result.runs, row, at) == Standing::Pending) return true;
  }
  return false;
}

/// The first instant at which the most rows pend; none where no row ever does.
std::optional<std::int64_t> longest_queue(const Result& result) {
  const RunColumns& runs = result.runs;
  std::vector<std::pair<std::int64_t, int>> steps;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    const std::int64_t left = runs.start[row] != kNoTime ? runs.start[row]
                              : runs.end[row] != kNoTime ? runs.end[row]
                                                         : result.end;
    if (left <= runs.submit[row]) continue;
    steps.emplace_back(runs.submit[row], 1);
    steps.emplace_back(left, -1);
  }
  std::sort(steps.begin(), steps.end());  // at one instant who leaves goes first
  std::int64_t pending = 0;
  std::int64_t most = 0;
  std::optional<std::int64_t> at;
  for (const auto& [time, step] : steps) {
    pending += step;
    if (pending <= most) continue;
    most = pending;
    at = time;
  }
  return at;
}

class Show final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "show"; }
  [[nodiscard]] std::string_view summary() const override {
    return "print Slurm's own tables at an instant of a run";
  }

  void describe(CLI::App& command) override {
    command.add_option("OUT", file_, "a result file")->required();
    command.add_option("TABLE", table_, std::string(kTableNames))->required();
    command.add_option("WHICH", which_,
                       "job: 123, 123_4 or 200+1, also where it ended long before; default: all "
                       "that slurmctld knows then, ended ones for MinJobAge. node: n1,n[4-7]");
    command
        .add_option("--at", at_,
                    "at this time, local to the site, as 2025-01-31T12:00:00; default: the end")
        ->type_name("TIME");
    command.add_flag("--start", start_,
                     "squeue: when backfill planned to start pending jobs (of run --plans)");
    command.add_flag("-l,--long", long_form_, "print the long form of the table");
    command.add_flag("-d,--details", details_, "job, node: tell which devices are held");
    command.add_flag("-o,--oneliner", one_line_, "job, node: print a record a line");
    command.add_flag("--json", json_, "print the rows as JSON (one versioned schema)");
    format_.describe(command);
  }

  Exit run() override {
    const auto table = std::find_if(kTables.begin(), kTables.end(),
                                    [&](const Table& each) { return each.name == table_; });
    if (table == kTables.end()) {
      return usage_error(name(), fmt::format("there is no table '{}'", table_), list_hint(table_));
    }
    if (long_form_ && !table->has_long) {
      return usage_error(name(), fmt::format("{} has no long form", table_), "leave out -l");
    }
    if (start_ && table->name != "squeue") {
      return usage_error(name(), fmt::format("{} has no --start", table_),
                         "show OUT squeue --start");
    }
    if (!table->has_records && (details_ || one_line_ || !which_.empty())) {
      return usage_error(name(),
                         fmt::format("{} has no {}", table_,
                                     details_    ? "-d"
                                     : one_line_ ? "-o"
                                                 : fmt::format("'{}'", which_)),
                         "show OUT job JOBID, or show OUT node NODES");
    }
    const ResultFile file = read_result(file_);
    const Result& result = file.result;
    if (start_ && !result.plans.kept) {
      throw InputError({file_, 0, 0}, "the run did not keep its plans",
                       "make it with: rehearse run SITE -o OUT --plans");
    }
    ViewOptions options;
    options.parsable = format_.parsable;
    options.no_header = format_.no_header;
    options.long_form = long_form_;
    options.start = start_;
    options.one_line = one_line_;
    options.details = details_;
    options.json = json_;
    if (!at_.empty()) {
      constexpr std::size_t kDateLength = 10;  // a bare date is its midnight
      const std::optional<SlurmTime> at =
          zone_of(result).read(at_.size() == kDateLength ? at_ + "T00:00:00" : at_);
      if (!at) {
        return usage_error(name(), fmt::format("--at '{}' is not a time", at_),
                           "write it as 2025-01-31T12:00:00, local to the site");
      }
      options.at = epoch_seconds(*at);
      if (*options.at < result.begin || *options.at > result.end) {
        return usage_error(name(), fmt::format("--at {} lies outside of the run", at_),
                           "the run is " + period_of(result));
      }
    }
    if (table->name == "job" && !which_.empty()) options.jobs = jobs_of(result);
    if (table->name == "node") options.nodes = which_;
    print(result, *table, options);
    return Exit::Ok;
  }

 private:
  static std::string time_text(const Result& result, std::int64_t at) {
    return zone_of(result).print(from_epoch_seconds(at));
  }
  static std::string period_of(const Result& result) {
    return fmt::format("{} to {} ({})", time_text(result, result.begin),
                       time_text(result, result.end), zone_of(result).name());
  }

  /// The first rows of the jobs; of a heterogeneous job's id those of all of its components.
  [[nodiscard]] std::vector<std::uint32_t> jobs_of(const Result& result) const {
    FoundJobs found = find_jobs(result, which_);
    if (!found.note.empty()) note(found.note);
    const RunColumns& runs = result.runs;
    const std::uint32_t leader = runs.het_job[found.rows.front()];
    if (leader == 0 || which_ != std::to_string(leader)) return found.rows;
    found.rows.clear();
    for (std::uint32_t row = 0; row < runs.size(); ++row) {
      if (runs.het_job[row] == leader) found.rows.push_back(row);
    }
    return found.rows;
  }

  void print(const Result& result, const Table& table, const ViewOptions& options) const {
    const View view = table.view(result, options);
    if (json_) {
      fmt::print("{}\n", view_json(result, table.name, options, view));
      return;
    }
    fmt::print("{}", view.text);
    if (!result.complete) note("the run was interrupted: this is a part of it");
    if (!view.note.empty()) note(view.note);
    if (table.is_of_now && which_.empty() && !options.at && !anything_pends(result, result.end)) {
      const auto longest = longest_queue(result);
      note(!longest ? "nothing pends at the end of the run, nor did anything before"
                    : fmt::format("nothing pends at the end of the run; the queue was longest at "
                                  "--at {}",
                                  time_text(result, *longest)));
    }
  }

  /// A view's own note may have more than one line.
  static void note(std::string_view text) { fmt::print(stderr, "note: {}\n", text); }

  std::string file_, table_, which_, at_;
  TableOptions format_;
  bool long_form_ = false, start_ = false, details_ = false, one_line_ = false, json_ = false;
};

}  // namespace

std::vector<std::string_view> show_table_names() {
  std::vector<std::string_view> names;
  for (const Table& table : kTables) names.push_back(table.name);
  return names;
}

std::unique_ptr<Verb> make_show() {
  return std::make_unique<Show>();
}

}  // namespace rehearse
