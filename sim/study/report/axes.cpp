// sim/study/report/axes.cpp — the axes that several charts share.
#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

#include <fmt/format.h>

namespace rehearse {

ReportJson wait_axis(std::string_view title) {
  return {{"title", fmt::format("{} (symlog: linear to 1 min, logarithmic above)", title)},
          {"values", {0, 60, 600, 3600, 21600, 86400, 259200, 864000, 2592000}},
          {"labelExpr",
           "datum.value < 60 ? datum.value + ' s' : datum.value < 3600 ? datum.value / 60 + ' min' "
           ": datum.value < 86400 ? datum.value / 3600 + ' h' : datum.value / 86400 + ' d'"}};
}

ReportJson wait_scale() {
  return {{"type", "symlog"}, {"constant", 60}, {"domainMin", 0}, {"nice", false}};
}

ReportJson clock_axis(const std::string& field, const Window& shown, const TimeZone& zone) {
  // Vega-Lite takes a plain number of a temporal axis for parts of a date.
  return {{"field", field},
          {"type", "temporal"},
          {"scale",
           {{"type", "utc"},
            {"domainMin", {{"expr", fmt::format("{}", wall_clock_ms(shown.from, zone))}}},
            {"domainMax", {{"expr", fmt::format("{}", wall_clock_ms(shown.to, zone))}}},
            {"nice", false}}},
          {"axis",
           {{"title", nullptr},
            {"labelOverlap", true},
            {"tickCount", 8},
            {"format",
             {{"year", "%Y"},
              {"quarter", "%b %Y"},
              {"month", "%b"},
              {"week", "%b %d"},
              {"date", "%b %d"},
              {"day", "%b %d"},
              {"hours", "%H:%M"},
              {"minutes", "%H:%M"}}}}}};
}

ReportJson side_colour(const ReportSides& sides) {
  if (sides.size() < 2) return {{"value", "var(--c1)"}};
  return {{"field", "side"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"scale", {{"range", {"var(--c9)", "var(--c1)"}}}},
          {"legend", {{"title", nullptr}}}};
}

std::vector<std::string> panels_of(const ReportSides& sides) {
  std::vector<std::string> names;
  for (const ReportSide& side : sides) names.push_back(side.name);
  return sides.size() < 2 ? std::vector<std::string>() : names;
}

ReportJson named_colours(const std::vector<std::string>& names) {
  constexpr std::size_t kColours = 10;  // of page.css
  ReportJson range = ReportJson::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    range.push_back(fmt::format("var(--c{})", 1 + i % kColours));
  }
  return {{"domain", names}, {"range", range}};
}

}  // namespace rehearse
