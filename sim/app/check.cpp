// sim/app/check.cpp — `rehearse check`: what is simulated, what is ignored, what looks wrong.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "sim/app/check_feedback.hpp"
#include "sim/app/check_gpus.hpp"
#include "sim/app/findings.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/verb.hpp"
#include "sim/config/lint.hpp"
#include "sim/config/slurm_version.hpp"
#include "sim/config/traps.hpp"
#include "sim/output/version_json.hpp"
#include "sim/study/job_check.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLineWidth = 100;

std::string label(const KeyUse& use) {
  return use.scope == KeyScope::SchedulerWord ? "SchedulerParameters=" + use.name : use.name;
}

std::string_view severity_text(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      break;
  }
  return "note";
}

/// `  simulated (12): A B C …`, wrapped.
void print_keys(const std::vector<KeyUse>& uses, KeyEffect effect) {
  std::vector<std::string> names;
  for (const KeyUse& use : uses) {
    if (use.effect == effect) names.push_back(label(use));
  }
  if (names.empty()) return;
  std::string line = fmt::format("  {} ({}):", to_text(effect), names.size());
  for (const std::string& name : names) {
    if (line.size() + 1 + name.size() > kLineWidth) {
      fmt::print("{}\n", line);
      line = "   ";
    }
    line += " " + name;
  }
  fmt::print("{}\n", line);
}

/// Keys that matter and are not simulated are told one by one, with what they do.
void print_ignored(const std::vector<KeyUse>& uses) {
  for (const KeyUse& use : uses) {
    if (use.effect != KeyEffect::IgnoredMayChangeResults) continue;
    fmt::print("  {}:{}: {}: {}\n", use.where.file, use.where.line, label(use), use.meaning);
  }
}

class Check final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "check"; }
  [[nodiscard]] std::string_view summary() const override {
    return "read every file of a site and tell what is simulated, ignored or wrong";
  }

  void describe(CLI::App& command) override {
    site_.describe(command);
    command.add_flag("--json", json_, "print JSON (one versioned schema)");
  }

  Exit run() override {
    Diagnostics found;
    const auto loaded = load_site(site_.site, site_.load_options(), found);
    find_traps(loaded->inputs.slurm_conf, loaded->inputs.gres_conf, found);
    const auto uses = keys_in_use(loaded->inputs.slurm_conf);
    const auto impossible = find_impossible_jobs(*loaded);
    if (const std::uint64_t jobs = count_jobs_of_later_layouts(*loaded); jobs > 0) {
      found.warning({loaded->trace.report.source, 0, 0},
                    fmt::format("{} jobs ask for MIG instances that there are not when the run "
                                "begins: those that come before or after such a layout are refused",
                                jobs),
                    "mig.absent_types: wait lets them wait");
    }
    if (json_) {
      print_json(*loaded, uses, impossible, found);
    } else {
      print_text(*loaded, uses, impossible);
      print_findings(found.all());
    }
    return Exit::Ok;
  }

 private:
  static void print_text(const LoadedSite& site, const std::vector<KeyUse>& uses,
                         const std::vector<ImpossibleJobs>& impossible) {
    const SlurmConf& conf = site.inputs.slurm_conf;
    fmt::print("{}: cluster {}, {} nodes, {} partitions, {} associations, {} QOS, Slurm {}\n",
               site.folder.root.string(), conf.cluster_name, conf.nodes.size(),
               conf.partitions.size(), site.cluster->accounts.associations.size(),
               site.cluster->accounts.qos.size(), to_text(site.inputs.site.slurm_version));
    print_differences(site.inputs.site.slurm_version);
    fmt::print("slurm.conf\n");
    print_keys(uses, KeyEffect::Simulated);
    print_keys(uses, KeyEffect::Harmless);
    print_keys(uses, KeyEffect::IgnoredMayChangeResults);
    print_ignored(uses);
    for (const std::string& line : gpu_lines(site)) fmt::print("{}\n", line);
    if (!site.has_jobs) {
      fmt::print("jobs: none (no sacct.txt or sacct.json in the folder)\n");
      return;
    }
    fmt::print("{}", to_text(site.trace.report, site.zone));
    fmt::print("{}", feedback_text(site));
    fmt::print("jobs that can never run: {}\n", total(impossible, &ImpossibleJobs::jobs));
    for (const ImpossibleJobs& group : impossible) {
      fmt::print("{:>12}  {} (first: job {}, {}:{}{}{}{}{})\n", group.jobs, group.why,
                 group.first_id, site.trace.report.source, group.first_line,
                 group.first_asks.empty() ? "" : ", asks for ", group.first_asks,
                 group.first_lacks.empty() ? "" : ": ", group.first_lacks);
    }
    if (const std::uint64_t ran = total(impossible, &ImpossibleJobs::ran); ran > 0) {
      fmt::print(
          "{:>12}  of these ran when they were recorded: slurm.conf of another day, or a request "
          "misread?\n",
          ran);
    }
  }

  /// What the emulated release does otherwise than 22.05.
  static void print_differences(SlurmVersion version) {
    for (const VersionDifference& difference : differences_in_force(version)) {
      fmt::print("{:>12}  {}\n", difference.is_simulated ? "simulated" : "not yet",
                 to_text(difference));
    }
  }

  static std::uint64_t total(const std::vector<ImpossibleJobs>& impossible,
                             std::uint64_t ImpossibleJobs::*count) {
    std::uint64_t sum = 0;
    for (const ImpossibleJobs& group : impossible) sum += group.*count;
    return sum;
  }

  static void print_json(const LoadedSite& site, const std::vector<KeyUse>& uses,
                         const std::vector<ImpossibleJobs>& impossible, const Diagnostics& found) {
    Json out{{"schema", "rehearse-check/1"},
             {"site", site.folder.root.string()},
             {"cluster", site.inputs.slurm_conf.cluster_name},
             {"slurm_version", to_text(site.inputs.site.slurm_version)},
             {"nodes", site.inputs.slurm_conf.nodes.size()},
             {"partitions", site.inputs.slurm_conf.partitions.size()},
             {"keys", Json::array()},
             {"jobs", site.trace.report.jobs},
             {"rows_read", site.trace.report.rows_read},
             {"rows_explained", site.trace.report.explained_rows()},
             {"impossible_jobs", Json::array()},
             {"findings", Json::array()}};
    out["gpus"] = gpus_json(site);
    if (site.has_jobs) out["feedback"] = feedback_json(site);
    out["slurm_differences"] = differences_json(site.inputs.site.slurm_version);
    for (const KeyUse& use : uses) {
      out["keys"].push_back({{"key", label(use)},
                             {"effect", to_text(use.effect)},
                             {"file", use.where.file},
                             {"line", use.where.line}});
    }
    for (const ImpossibleJobs& group : impossible) {
      out["impossible_jobs"].push_back({{"why", group.why},
                                        {"jobs", group.jobs},
                                        {"ran", group.ran},
                                        {"first_asks", group.first_asks},
                                        {"first_lacks", group.first_lacks},
                                        {"first_job", group.first_id},
                                        {"first_line", group.first_line}});
    }
    for (const Diagnostic& finding : found.all()) {
      out["findings"].push_back({{"severity", severity_text(finding.severity)},
                                 {"file", finding.where.file},
                                 {"line", finding.where.line},
                                 {"column", finding.where.column},
                                 {"what", finding.what},
                                 {"hint", finding.hint}});
    }
    fmt::print("{}\n", out.dump(2));
  }

  SiteOptions site_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_check() {
  return std::make_unique<Check>();
}

}  // namespace rehearse
