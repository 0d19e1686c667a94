// sim/study/report/assumptions.cpp — what the answer rests on, read off how the run was made.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/study/comparison/conf_diff.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

bool has_input(const Provenance& made, std::string_view role) {
  return std::any_of(made.inputs.begin(), made.inputs.end(),
                     [&](const InputFile& input) { return input.role == role; });
}

std::vector<std::string> assumptions_of(const ReportSide& of) {
  const Provenance& made = of.side->provenance;
  const bool stretched = of.side->result.speeds.kept;
  std::vector<std::string> all{
      of.side->result.feedback.kept
          ? "Users wait for their jobs (feedback): who submitted soon after an end in the record "
            "comes "
            "as long after that end here. Who waited for what is told from the times alone."
          : "Open replay: every job is submitted when it was, however long its user waits. On a "
            "real "
            "cluster people react: they submit less where they wait, and more where they do not. "
            "(feedback.mode in site.yaml lets them.)",
      made.command_line.find(" --start-from ") == std::string::npos
          ? "The cluster is empty when the jobs begin: the first days wait less than they would."
          : "The run begins with the jobs that ran and waited at its instant (--start-from); their "
            "waits until then are those of the record.",
      stretched
          ? "Runs on shared GPUs, MIG slices and other models than the recorded ones are longer or "
            "shorter than their record, by fitted models (performance: in site.yaml)."
          : "A job's run time is that of its record, unless the site gives another: no GPU is "
            "slower for being shared, and no other model faster."};
  if (!has_input(made, "usage")) {
    all.push_back(
        "No usage.txt: fair-share begins without usage, and needs a half-life or two to be true.");
  }
  if (!has_input(made, "node_events") && !has_input(made, "events")) {
    all.push_back("No node_events.txt and no events.csv: no recorded outage is replayed.");
  }
  if (!has_input(made, "reservations") && !has_input(made, "events")) {
    all.push_back("No reservations.txt: no node is reserved for anybody.");
  }
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> not_simulated(const Provenance& made) {
  std::vector<std::string> lines;
  const std::vector<std::string> ignored = diff_configurations(made, made).ignored_both;
  if (!ignored.empty()) {
    lines.push_back("Keys of slurm.conf that are not simulated and may change results: " +
                    joined(ignored));
  }
  const auto all = nlohmann::json::parse(made.configuration, nullptr, false);
  if (!all.is_object() || !all.contains("site") || !all["site"].is_object()) return lines;
  for (const auto& one : all["site"].value("slurm_differences", nlohmann::json::array())) {
    if (one.value("simulated", false)) continue;
    lines.push_back(fmt::format("Slurm {} and later: {} (not simulated)", one.value("since", ""),
                                one.value("what", "")));
  }
  return lines;
}

}  // namespace

void add_assumptions(ReportPage& page, const ReportSides& sides) {
  page.section("assumptions", "What it rests on");
  std::set<std::string> told;
  std::vector<std::string> rests;
  std::vector<std::string> missing;
  for (const ReportSide& each : sides) {
    for (const std::string& line : assumptions_of(each)) {
      if (told.insert(line).second) rests.push_back(line);
    }
    for (const std::string& line : not_simulated(each.side->provenance)) {
      if (told.insert(line).second) missing.push_back(line);
    }
  }
  page.list("Assumptions", rests);
  if (missing.empty()) missing.push_back("Every key that is set and matters is simulated.");
  page.list("Ignored", missing);
}

void add_making(ReportPage& page, const ReportSides& sides, const ReportRequest& request) {
  page.section("making", "How it was made");
  if (!request.command.empty()) page.paragraph("This page: " + request.command);
  for (const ReportSide& each : sides) {
    const Provenance& made = each.side->provenance;
    const Result& result = each.side->result;
    ReportTable facts{"made-" + each.name, each.name + ": the run", {{"what"}, {""}}, {}};
    facts.rows = {
        {"command", made.command_line},
        {"program", fmt::format("rehearse {} ({})", made.version, made.commit)},
        {"emulated Slurm", made.slurm_version},
        {"schedule fingerprint", fmt::format("{:016x}", result.loops.schedule_fingerprint)},
        {"event fingerprint", fmt::format("{:016x}", result.loops.event_fingerprint)}};
    for (const auto& [purpose, seed] : made.seeds) {
      facts.rows.push_back({purpose, fmt::format("{}", seed)});
    }
    page.table(facts, true);
    ReportTable inputs{"inputs-" + each.name,
                       each.name + ": its inputs and their SHA-256",
                       {{"file"}, {"read as"}, {"bytes", true}, {"SHA-256"}},
                       {}};
    for (const InputFile& input : made.inputs) {
      inputs.rows.push_back(
          {input.name, input.role, count_words(static_cast<double>(input.bytes)), input.sha256});
    }
    page.table(inputs, false);
  }
}

}  // namespace rehearse
