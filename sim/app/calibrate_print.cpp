// sim/app/calibrate_print.cpp — the verdict, the worst, then every group.
#include "sim/app/calibrate_print.hpp"
#include "sim/app/text_wrap.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {
namespace {

std::string row_text(const std::string& name, const WaitGroup& group) {
  std::string text = fmt::format("  {:<24.24}{:>8}", name, group.jobs);
  for (std::size_t i = 0; i < kWaitFigureCount; ++i) {
    text += fmt::format(
        "{:>13}", fmt::format("{} {}", span_text(group.simulated[i]), signed_span(group.error(i))));
  }
  return text + "\n";
}

std::string head_text() {
  std::string text = fmt::format("  {:<24}{:>8}", "", "jobs");
  for (const std::string_view name : kWaitFigures) text += fmt::format("{:>13}", name);
  return text + "\n";
}

nlohmann::ordered_json figures(const WaitFigures& of) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < kWaitFigureCount; ++i) json[std::string(kWaitFigures[i])] = of[i];
  return json;
}

}  // namespace

std::string calibration_text(const WaitCalibration& answer) {
  std::string text = wrapped(answer.sentence, "") + "\n";
  text += fmt::format(
      "{} jobs started in both; {} in the recording alone, {} in the simulation alone\n",
      answer.jobs, answer.started_only_recorded, answer.started_only_simulated);
  const bool has_waits = answer.verdict != BaselineVerdict::NoWaits;
  if (answer.jobs > 0 && has_waits) {
    text += fmt::format("{:.1f} % of the starts are within 60 s of the recorded ones\n",
                        100 * answer.within_minute);
  }
  if (!answer.missing.empty()) text += "\nWHAT THE INPUTS LACK, AND WHAT IT WOULD EXPLAIN\n";
  for (const MissingInput& each : answer.missing) {
    text += fmt::format("  {}\n    would explain {}\n    from: {}\n", each.what, each.explains,
                        each.remedy);
  }
  if (answer.groups.empty() || !has_waits) return text;
  text += "\nTHE WORST GROUPS (simulated wait, and how far from the recorded one)\n" + head_text();
  for (const WaitGroup* each : answer.worst) {
    text += row_text(each->scope + " " + each->name, *each);
  }
  std::string scope;
  for (const WaitGroup& group : answer.groups) {
    if (group.scope != scope) text += fmt::format("\nBY {}\n{}", group.scope, head_text());
    scope = group.scope;
    text += row_text(group.name.empty() ? "(all)" : group.name, group);
  }
  return text;
}

std::string calibration_json(const WaitCalibration& answer) {
  nlohmann::ordered_json json{
      {"schema", "rehearse-calibrate/1"},
      {"verdict", to_text(answer.verdict)},
      {"sentence", answer.sentence},
      {"jobs", answer.jobs},
      {"started_only_recorded", answer.started_only_recorded},
      {"started_only_simulated", answer.started_only_simulated},
      {"within_60_s", answer.within_minute},
      {"rank_correlation", std::isnan(answer.rank) ? nlohmann::ordered_json(nullptr)
                                                   : nlohmann::ordered_json(answer.rank)},
      {"missing", nlohmann::ordered_json::array()},
      {"groups", nlohmann::ordered_json::array()},
      {"worst", nlohmann::ordered_json::array()}};
  for (const MissingInput& each : answer.missing) {
    json["missing"].push_back(
        {{"what", each.what}, {"explains", each.explains}, {"remedy", each.remedy}});
  }
  for (const WaitGroup& group : answer.groups) {
    json["groups"].push_back({{"scope", group.scope},
                              {"name", group.name},
                              {"jobs", group.jobs},
                              {"recorded", figures(group.recorded)},
                              {"simulated", figures(group.simulated)}});
  }
  for (const WaitGroup* each : answer.worst) {
    json["worst"].push_back(
        {{"scope", each->scope}, {"name", each->name}, {"wrong_hours", each->wrong_hours()}});
  }
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace rehearse
