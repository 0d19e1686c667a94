// sim/output/export/step_series.cpp — one walk along the changes.
#include "sim/output/export/step_series.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rehearse {

void StepSeries::write(const std::string& line, const SampleGrid& grid, std::int64_t unit,
                       bool sparse, const TextSink& sink) {
  std::sort(changes_.begin(), changes_.end());
  std::sort(there_.begin(), there_.end());
  std::int64_t value = 0, there = 0;
  std::size_t next = 0, next_there = 0;
  for (std::int64_t at = grid.begin; at < grid.end; at += grid.step) {
    for (; next < changes_.size() && changes_[next].first <= at; ++next) {
      value += changes_[next].second;
    }
    for (; next_there < there_.size() && there_[next_there].first <= at; ++next_there) {
      there += there_[next_there].second;
    }
    if (sparse && there == 0) continue;
    sink(unit > 1 ? fmt::format("{} {:g} {}\n", line,
                                static_cast<double>(value) / static_cast<double>(unit), at)
                  : fmt::format("{} {} {}\n", line, value, at));
  }
}

std::string label_text(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace rehearse
