// sim/app/compare.cpp — `rehearse compare`: two runs of the same jobs, who waits longer, and how
// sure that is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "sim/app/compare_print.hpp"
#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/progress_text.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/verb.hpp"
#include "sim/app/version.hpp"
#include "sim/output/output_place.hpp"
#include "sim/output/text_file.hpp"
#include "sim/study/comparison/condition.hpp"
#include "sim/study/comparison/side.hpp"
#include "sim/study/report/report.hpp"
#include "sim/study/sweep.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kExpressions =
    "\nEXPR compares figures, of B unless a. stands before them: p95_wait(account=physics) > "
    "1.1*a.\n"
    "Operators: + - * / < <= > >= and or not ( ). Units: s min h d %. Selections, joined by "
    "commas:\n"
    "account= partition= qos= size= user=, or gpu and cpu: jobs with GPUs, and those without (a\n"
    "partition of that name: partition=gpu). A bare a or b is the one figure of its comparison on\n"
    "that side. worse(FIGURE) and better(FIGURE) hold where the difference is significant.";

class Compare final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "compare"; }
  [[nodiscard]] std::string_view summary() const override {
    return "hold two runs of the same jobs against each other: who waits longer, how sure is that";
  }

  void describe(CLI::App& command) override {
    command.footer(std::string(help_on_changes()) + "\n" + std::string(kExpressions));
    command.add_option("A", a_, "a site folder, a scenario .yaml or a result file")->required();
    command.add_option("B", b_, "the same; without it A once more, with --set-b");
    add_set(command, "--set-a", set_a_, "change A: forms below (may be repeated)");
    add_set(command, "--set-b", set_b_, "change B: forms below (may be repeated)");
    command
        .add_option("--from", from_,
                    "only jobs submitted at this time or later; the cluster is empty then, but for "
                    "--start-from")
        ->type_name("TIME");
    command.add_option("--to", to_, "only jobs submitted before this time")->type_name("TIME");
    command
        .add_option("--start-from", start_from_,
                    "begin both sides with what ran and pended then: snapshot (of collect), or a "
                    "time of the recorded past")
        ->type_name("TIME");
    command
        .add_option("--seed", seed_, "the seed of all chance of the runs, instead of site.yaml's")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--draws", options_.draws, "draw users anew this often; default: 1000")
        ->type_name("N")
        ->check(CLI::Range(100, 1'000'000));
    command.add_option("--draw-seed", options_.seed, "the seed of these draws; default: 1")
        ->type_name("N");
    command
        .add_option("--min-users", options_.users_min,
                    "give no interval for fewer users; default: 10")
        ->type_name("N")
        ->check(CLI::Range(2, 1'000'000));
    command
        .add_option("--fail-if", fail_if_,
                    "exit 4 where this holds: 'p95_wait(account=x) > 1.1*a', 'worse(mean_wait)'")
        ->type_name("EXPR");
    command
        .add_option("--populations", populations_,
                    "draw N populations of users anew and simulate both sides for each: would it "
                    "hold with other users? 39 give a range that holds 95 % of them")
        ->type_name("N")
        ->check(CLI::Range(2, 100'000));
    command.add_option("-j,--threads", threads_, "so many populations at once; default: all cores")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command.add_option("--groups", print_.groups, "print this many groups of a table; default: 12")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command.add_flag("--users", print_.users, "print waits by user too");
    command
        .add_option("--jobs", print_.jobs,
                    "name the N jobs whose waits grow most, and the N whose waits shrink most")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command.add_option("--html", html_, "write all of it as one offline page with charts too")
        ->type_name("FILE");
    command.add_flag("--json", json_, "print everything as JSON (one versioned schema)");
    format_.describe(command);
  }

  [[nodiscard]] Files files() const override { return {{html_}, {a_, b_}}; }

  Exit run() override {
    if (b_.empty() && set_a_.empty() && set_b_.empty() && is_result_file(a_)) {
      return usage_error(name(), fmt::format("{} is a result, and there is no second side", a_),
                         "name another result, a site or a scenario beside it");
    }
    if (b_.empty()) b_ = a_;
    if (const auto wrong = misused()) return *wrong;
    std::optional<ConditionNode> condition;
    try {
      if (!fail_if_.empty()) condition = parse_condition(fail_if_);
    } catch (const ConditionError& error) {
      return refuse(error);
    }
    if (!html_.empty()) require_writable(html_);  // not after both simulations
    const Side a = load(a_, set_a_);
    if (!a.result.complete && interrupted()) return Exit::Interrupted;
    const Side b = load(b_, set_b_);
    if (!b.result.complete && interrupted()) return Exit::Interrupted;
    const Compared compared(a, b, options_);
    for (const auto& [side, left_out] : {std::pair{PairSide::A, &compared.value().left_out_a},
                                         {PairSide::B, &compared.value().left_out_b}}) {
      if (!compared.value().pairs.pairs.empty() || left_out->refused == 0) continue;
      throw InputError({side == PairSide::A ? a_ : b_, 0, 0},
                       fmt::format("no job is on both sides: {}", left_out_words(side, *left_out)),
                       "rehearse run with the same changes lists their messages");
    }
    if (compared.value().pairs.pairs.empty()) {
      throw InputError(
          {b_, 0, 0},
          fmt::format("no job is on both sides: A has {}, B has {}",
                      compared.value().pairs.only_a.jobs, compared.value().pairs.only_b.jobs),
          "both sides must be given the same jobs");
    }
    std::optional<Populations> populations;
    if (populations_ > 0 && has_users(compared.value())) {
      populations = simulate_others();
      if (!populations->is_complete) return Exit::Interrupted;
      print_.populations = &*populations;
    }
    if (!html_.empty()) write_page(compared.value());
    print(compared.value());
    return condition ? judge(*condition, compared) : Exit::Ok;
  }

 private:
  static void add_set(CLI::App& command, const std::string& name, std::vector<std::string>& into,
                      const std::string& text) {
    command.add_option(name, into, text)->type_name("KEY=VALUE")->allow_extra_args(false);
  }

  [[nodiscard]] std::optional<Exit> misused() const {
    for (const std::string& path : {a_, b_}) {
      if (populations_ == 0 || !is_result_file(path)) continue;
      return usage_error(name(), fmt::format("{} is a result: other users cannot run on it", path),
                         "name the site, not its result");
    }
    if (html_ == "-") {
      return usage_error(name(), "--html writes a file beside the table", "name it: --html r.html");
    }
    if (a_ == b_ && set_a_ == set_b_ && !is_result_file(a_)) {
      return usage_error(name(), "both sides are the same site without a change",
                         "name a second one, or change it: --set-b PriorityWeightFairshare=20000");
    }
    for (const auto& [path, set] : {std::pair{&a_, &set_a_}, {&b_, &set_b_}}) {
      if (!is_result_file(*path)) continue;
      if (!set->empty() || !from_.empty() || !to_.empty() || !start_from_.empty() || seed_ >= 0) {
        return usage_error(
            name(), fmt::format("{} is a result: it cannot be changed any more", *path),
            "name the site, not its result, with --set-a, --set-b, --from, --to, --start-from or "
            "--seed");
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Exit refuse(const ConditionError& error) const {
    const Exit exit =
        usage_error(name(), fmt::format("--fail-if, column {}: {}", error.column, error.what), "");
    fmt::print(stderr, "  {}\n  {:>{}}\n", fail_if_, "^", error.column);
    if (!error.hint.empty()) fmt::print(stderr, "  hint: {}\n", error.hint);
    return exit;
  }

  /// A population of a few users would be one of them, over and over.
  [[nodiscard]] bool has_users(const Comparison& value) const {
    if (value.pairs.paired_users >= options_.users_min) return true;
    fmt::print(stderr, "no populations are drawn: the jobs are of {} user{} (--min-users {})\n",
               value.pairs.paired_users, value.pairs.paired_users == 1 ? "" : "s",
               options_.users_min);
    return false;
  }

  [[nodiscard]] Populations simulate_others() const {
    PopulationsRequest request;
    request.a = request_of(a_, set_a_);
    request.b = request_of(b_, set_b_);
    request.count = populations_;
    request.seed = options_.seed;
    request.threads = threads_ > 0 ? threads_ : default_threads();
    ProgressText progress;
    Populations populations = simulate_populations(
        request,
        [&](std::size_t done) {
          if (!progress.is_due()) return;
          progress.show(fmt::format("{} of {} populations", done, request.count));
        },
        &interrupted());
    progress.clear();
    return populations;
  }

  [[nodiscard]] SideRequest request_of(const std::string& path,
                                       const std::vector<std::string>& set) const {
    SideRequest request;
    request.path = path;
    request.label = path;
    for (const std::string& change : set) request.label += " --set " + change;
    if (!from_.empty()) request.label += " --from " + from_;
    if (!to_.empty()) request.label += " --to " + to_;
    if (!start_from_.empty()) request.label += " --start-from " + start_from_;
    request.options.set = set;
    request.options.from = from_;
    request.options.to = to_;
    request.options.start_from = start_from_;
    if (seed_ >= 0) request.options.seed = static_cast<std::uint64_t>(seed_);
    return request;
  }

  /// What both sides' files have in common is told once.
  Side load(const std::string& path, const std::vector<std::string>& set) {
    const SideRequest request = request_of(path, set);
    const Watcher watcher = [](const LoadedSite& site) {
      return std::make_unique<ProgressLine>(site.zone, runs_of(site.jobs()));
    };
    Diagnostics found;
    Side side = load_side(request, {release_text(), commit_text()}, watcher, &interrupted(), found);
    std::vector<Diagnostic> fresh;
    for (const Diagnostic& finding : found.all()) {
      if (told_.insert(to_text(finding)).second) fresh.push_back(finding);
    }
    print_findings(fresh);
    return side;
  }

  /// Where A is a site as it is, the page says how near it is to what the site recorded.
  void write_page(const Comparison& value) const {
    ReportRequest request;
    std::unique_ptr<WaitCalibration> held;
    if (!is_result_file(a_)) {
      Diagnostics told_already;  // when the side was loaded
      LoadOptions options;
      options.from = from_;
      options.to = to_;
      options.start_from = start_from_;
      held = calibrate_waits(*load_site(a_, options, told_already), value.a->result);
      request.calibration = held.get();
      const bool is_scenario = std::filesystem::path(a_).extension() == ".yaml";
      request.is_changed = is_scenario || !set_a_.empty();
    }
    request.populations = print_.populations;
    write_text_file(html_, report_page(value, request));
    fmt::print(stderr, "wrote {}\n", html_);
  }

  void print(const Comparison& value) {
    if (json_) {
      fmt::print("{}\n", comparison_json(value, print_));
      return;
    }
    print_.colours = wants_colour(STDOUT_FILENO);
    print_.no_header = format_.no_header;
    fmt::print("{}",
               format_.parsable ? comparison_rows(value, print_) : comparison_text(value, print_));
  }

  [[nodiscard]] Exit judge(const ConditionNode& condition, const Compared& compared) const {
    try {
      const ConditionAnswer answer = evaluate(condition, compared);
      for (const std::string& figure : answer.figures) fmt::print(stderr, "{}\n", figure);
      for (const std::string& note : answer.notes) fmt::print(stderr, "note: {}\n", note);
      fmt::print(stderr, "--fail-if {}: {}\n", fail_if_, answer.holds ? "holds" : "does not hold");
      return answer.holds ? Exit::TargetMissed : Exit::Ok;
    } catch (const ConditionError& error) {
      return refuse(error);
    }
  }

  std::string a_, b_, from_, to_, start_from_, fail_if_, html_;
  std::vector<std::string> set_a_, set_b_;
  std::int64_t seed_ = -1;
  std::size_t populations_ = 0, threads_ = 0;
  ResamplingOptions options_;
  ComparePrint print_;
  TableOptions format_;
  bool json_ = false;
  std::set<std::string> told_;
};

}  // namespace

std::unique_ptr<Verb> make_compare() {
  return std::make_unique<Compare>();
}

}  // namespace rehearse
