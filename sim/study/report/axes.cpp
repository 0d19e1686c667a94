// sim/study/report/axes.cpp — the axes that several charts share.
#include "sim/study/report/sections.hpp"

namespace rehearse {

ReportJson wait_axis(std::string_view title) {
  return {{"title", title},
          {"values", {0, 60, 600, 3600, 21600, 86400, 259200, 864000, 2592000}},
          {"labelExpr",
           "datum.value < 60 ? datum.value + ' s' : datum.value < 3600 ? datum.value / 60 + ' min' "
           ": datum.value < 86400 ? datum.value / 3600 + ' h' : datum.value / 86400 + ' d'"}};
}

ReportJson wait_scale() {
  return {{"type", "symlog"}, {"constant", 60}, {"domainMin", 0}, {"nice", false}};
}

ReportJson clock_axis(const std::string& field) {
  return {{"field", field},
          {"type", "temporal"},
          {"scale", {{"type", "utc"}}},
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

}  // namespace rehearse
