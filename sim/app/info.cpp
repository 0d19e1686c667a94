// sim/app/info.cpp — `rehearse info`: what a file is, how it was made, and how to make it again.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/app/verb.hpp"
#include "sim/output/result_file.hpp"

namespace rehearse {
namespace {

class Info final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "info"; }
  [[nodiscard]] std::string_view summary() const override {
    return "tell what a result file is and how it was made";
  }

  void describe(CLI::App& command) override {
    command.add_option("FILE", file_, "a result file")->required();
    command.add_flag("--json", json_, "print JSON (one versioned schema)");
  }

  Exit run() override {
    const ResultFile file = read_result(file_);
    if (json_) {
      print_json(file);
    } else {
      print_text(file);
    }
    return Exit::Ok;
  }

 private:
  void print_text(const ResultFile& file) const {
    const Provenance& made = file.provenance;
    const Result& result = file.result;
    fmt::print("{}: a result of rehearse {} ({}), {}\n", file_, made.version, made.commit,
               result.complete ? "complete" : "partial: the run was interrupted");
    fmt::print("  {:<22}{}, Slurm {}\n", "cluster", result.cluster.cluster_name,
               made.slurm_version);
    fmt::print("  {:<22}{}\n", "made by", made.command_line);
    for (const auto& [purpose, seed] : made.seeds) fmt::print("  {:<22}{}\n", purpose, seed);
    fmt::print("  {:<22}{}\n", "rows of /jobs", result.runs.size());
    fmt::print("  {:<22}{}\n", "events", result.loops.events);
    fmt::print("  {:<22}{:016x}\n", "schedule fingerprint", result.loops.schedule_fingerprint);
    fmt::print("  {:<22}{:016x}\n", "event fingerprint", result.loops.event_fingerprint);
    print_differences(made);
    fmt::print("inputs\n");
    for (const InputFile& input : made.inputs) {
      fmt::print("  {}  {:>10} B  {} ({})\n", input.sha256, input.bytes, input.name, input.role);
    }
  }

  /// As the file keeps them: the program that made it may have known others.
  static void print_differences(const Provenance& made) {
    const auto all = nlohmann::json::parse(made.configuration, nullptr, false);
    const auto site = all.is_object() && all.contains("site") ? all["site"] : nlohmann::json();
    if (!site.is_object() || !site.contains("slurm_differences")) return;
    for (const auto& one : site["slurm_differences"]) {
      fmt::print("  {:<22}since {}: {} ({})\n",
                 one.value("simulated", false) ? "emulated" : "not simulated yet",
                 one.value("since", ""), one.value("what", ""), one.value("section", ""));
    }
  }

  void print_json(const ResultFile& file) const {
    const Provenance& made = file.provenance;
    nlohmann::ordered_json out{{"schema", "rehearse-info/1"},
                               {"file", file_},
                               {"version", made.version},
                               {"commit", made.commit},
                               {"status", file.result.complete ? "complete" : "partial"},
                               {"command_line", made.command_line},
                               {"slurm_version", made.slurm_version},
                               {"rows", file.result.runs.size()},
                               {"inputs", nlohmann::ordered_json::array()}};
    for (const InputFile& input : made.inputs) {
      out["inputs"].push_back({{"role", input.role},
                               {"name", input.name},
                               {"sha256", input.sha256},
                               {"bytes", input.bytes}});
    }
    out["configuration"] = nlohmann::ordered_json::parse(made.configuration, nullptr, false);
    fmt::print("{}\n", out.dump(2));
  }

  std::string file_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_info() {
  return std::make_unique<Info>();
}

}  // namespace rehearse
