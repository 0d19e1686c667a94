// sim/output/export/step_series.hpp — a whole number that changes at instants, sampled on a grid.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/output/export/export.hpp"

namespace rehearse {

/// Samples at begin, begin + step … and the last before end.
struct SampleGrid {
  std::int64_t begin = 0, end = 0, step = 1;
};

class StepSeries {
 public:
  /// `amount` holds over [from, to).
  void add(std::int64_t amount, std::int64_t from, std::int64_t to) {
    if (from >= to || amount == 0) return;
    changes_.emplace_back(from, amount);
    changes_.emplace_back(to, -amount);
  }
  /// The series is there over [from, to), with this amount: of a sparse one zero is told, too.
  void hold(std::int64_t amount, std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    add(amount, from, to);
    there_.emplace_back(from, 1);
    there_.emplace_back(to, -1);
  }
  /// Samples as `line timestamp`. Divides each value by `unit` where that is above 1. `sparse`:
  /// none where nothing holds.
  void write(const std::string& line, const SampleGrid& grid, std::int64_t unit, bool sparse,
             const TextSink& sink);

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> changes_, there_;
};

/// Series of one name, by their labels: `{account="x"}`; empty: none.
struct MetricFamily {
  std::string name, help;
  std::int64_t unit = 1;  ///< values are thousandths where it is 1000
  std::map<std::string, StepSeries> series = {};
  bool sparse = false;  ///< a series that is not there has no sample, as the exporter has none
};

/// The text of a label's value: `\`, `"` and line ends escaped (outputs.md §12).
[[nodiscard]] std::string label_text(std::string_view value);

}  // namespace rehearse
