// sim/app/size.cpp — `rehearse size`: the fewest nodes of one kind that meet a target.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "sim/app/findings.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/progress_text.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/size_print.hpp"
#include "sim/app/verb.hpp"
#include "sim/study/sizing/sizing.hpp"
#include "sim/study/sweep.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kExpressions =
    "\nEXPR is a condition on one run, as of compare --fail-if: p95_wait(partition=gpu) < 1h and\n"
    "gpu_utilization > 50%. Selections, joined by commas: account= partition= qos= size= user=,\n"
    "or gpu and cpu: jobs with GPUs, and those without (a partition of that name: partition=gpu).\n"
    "Operators: + - * / < <= > >= and or not ( ). Units: s min h d %.\n"
    "T is a type of GPU (h100, gpu:h100), gpu, a feature (x, feature:x), or nodes: n[01-16].";

class Size final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "size"; }
  [[nodiscard]] std::string_view summary() const override {
    return "the fewest nodes of one kind that meet a target, and how sure that is";
  }

  void describe(CLI::App& command) override {
    command.footer(std::string(kExpressions));
    site_.describe(command);
    site_.describe_seed(command);
    site_.describe_users(command);
    site_.describe_start(command);
    command.add_option("--node-type", request_.node_type, "the nodes of which there may be more")
        ->type_name("T")
        ->required();
    command.add_option("--target", target_, "what the cluster must come to")
        ->type_name("EXPR")
        ->required();
    command.add_option("--min", request_.min, "the fewest to try; default: 1")
        ->type_name("N")
        ->check(CLI::Range(1, 65536));
    command.add_option("--max", request_.max, "the most to try; default: four times today's")
        ->type_name("N")
        ->check(CLI::Range(1, 65536));
    command
        .add_option("--confidence", request_.confidence,
                    "in this share of the draws of users the target must hold; default: 0.9")
        ->type_name("SHARE")
        ->check(CLI::Range(0.001, 1.0));
    command.add_flag("--every", request_.every, "try every count between the bounds");
    command
        .add_option("--price", request_.price_gpu_hour,
                    "the price of a GPU-hour, instead of site.yaml's price_gpu_hour")
        ->type_name("PRICE")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--draws", request_.draws.draws, "draw users anew this often; default: 1000")
        ->type_name("N")
        ->check(CLI::Range(100, 1'000'000));
    command.add_option("--draw-seed", request_.draws.seed, "the seed of these draws; default: 1")
        ->type_name("N");
    command
        .add_option("--min-users", request_.draws.users_min,
                    "draw no fewer users than these; default: 10")
        ->type_name("N")
        ->check(CLI::Range(2, 1'000'000));
    command.add_option("-j,--threads", threads_, "so many simulations at once; default: all cores")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command.add_flag("--json", json_, "print everything as JSON (one versioned schema)");
    format_.describe(command);
  }

  Exit run() override {
    try {
      request_.target = read_target(target_);
      if (site_.jobs == "-") {
        return usage_error(name(), "the jobs are read for every count: stdin is read once",
                           "name a file: --jobs FILE");
      }
      if (request_.min && request_.max && *request_.min > *request_.max) {
        return usage_error(name(), "--min is more than --max", "");
      }
      return search();
    } catch (const ConditionError& error) {
      return refuse(error);
    } catch (const NodeKindError& error) {
      return usage_error(name(), "--node-type: " + error.what, error.hint);
    }
  }

 private:
  Exit search() {
    request_.site = site_.site;
    request_.options = site_.load_options();
    request_.threads = threads_ > 0 ? static_cast<std::size_t>(threads_) : default_threads();
    Diagnostics found;
    SizeStudy study(request_, found);
    print_findings(found.all());
    ProgressText progress;
    const SizeAnswer answer = study.run(
        [&](const std::vector<std::uint32_t>& counts) {
          if (!progress.is_due()) return;
          progress.show(fmt::format("trying {} nodes", fmt::join(counts, ", ")));
        },
        &interrupted());
    progress.clear();
    if (json_) {
      fmt::print("{}\n", size_json(answer, request_));
    } else {
      fmt::print("{}", format_.parsable ? size_rows(answer, request_, format_.no_header)
                                        : size_text(answer, request_));
    }
    if (!answer.search.is_complete) return Exit::Interrupted;
    return answer.search.answer() ? Exit::Ok : Exit::TargetMissed;
  }

  [[nodiscard]] Exit refuse(const ConditionError& error) const {
    const Exit exit =
        usage_error(name(), fmt::format("--target, column {}: {}", error.column, error.what), "");
    fmt::print(stderr, "  {}\n  {:>{}}\n", target_, "^", error.column);
    if (!error.hint.empty()) fmt::print(stderr, "  hint: {}\n", error.hint);
    return exit;
  }

  SiteOptions site_;
  SizeRequest request_;
  std::string target_;
  TableOptions format_;
  int threads_ = 0;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_size() {
  return std::make_unique<Size>();
}

}  // namespace rehearse
