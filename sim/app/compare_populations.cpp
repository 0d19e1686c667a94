// sim/app/compare_populations.cpp — what other populations of users make of a comparison: as a
// table, as rows and as JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/app/compare_print.hpp"
#include "sim/output/json_number.hpp"

namespace rehearse {

std::vector<std::string> populations_lines(const Populations& populations, double level) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("  {:<25}{:>9}{:>9}{:>11}{:>25}{:>8}{:>8}", "medians of them", "A",
                              "B", "difference", "range", "B less", "B more"));
  for (const PopulationFigure& each : populations.figures) {
    const PopulationSummary of = summary_of(each, level);
    if (of.measured < 2) continue;
    const FigureInfo& info = *each.info;
    const std::string range = fmt::format("{} .. {}", difference_text(of.range.low, info),
                                          difference_text(of.range.high, info));
    lines.push_back(fmt::format("  {:<25}{:>9}{:>9}{:>11}{:>25}{:>8}{:>8}", info.title,
                                figure_text(of.median_a, info), figure_text(of.median_b, info),
                                difference_text(of.median_difference, info), range, of.b_less,
                                of.b_more));
  }
  return lines;
}

std::string populations_rows(const Populations& populations, double level) {
  std::string text;
  for (const PopulationFigure& each : populations.figures) {
    const PopulationSummary of = summary_of(each, level);
    if (of.measured < 2) continue;
    text += fmt::format("population|{} of {} more, {} less|{}|{}|{}|{}|{}|{}|{}|||\n", of.b_more,
                        of.measured, of.b_less, each.info->name, each.info->units, of.median_a,
                        of.median_b, of.median_difference, of.range.low, of.range.high);
  }
  return text;
}

nlohmann::ordered_json populations_json(const Populations& populations, double level) {
  using Json = nlohmann::ordered_json;
  const auto numbers = [](const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(json_number(value));
    return list;
  };
  Json figures = Json::object();
  for (const PopulationFigure& each : populations.figures) {
    const PopulationSummary of = summary_of(each, level);
    Json json{{"units", each.info->units}, {"measured", of.measured}};
    if (of.measured >= 2) {
      json["median_a"] = of.median_a;
      json["median_b"] = of.median_b;
      json["median_difference"] = of.median_difference;
      json["range"] = {of.range.low, of.range.high};
      json["covers"] = of.covers;
      json["b_less"] = of.b_less;
      json["b_more"] = of.b_more;
    }
    json["a"] = numbers(each.a);
    json["b"] = numbers(each.b);
    figures[std::string(each.info->name)] = std::move(json);
  }
  return {{"count", populations.asked}, {"first_seed", populations.seed}, {"figures", figures}};
}

}  // namespace rehearse
