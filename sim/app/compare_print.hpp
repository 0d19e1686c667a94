// sim/app/compare_print.hpp — a comparison as a person, a script and a pipe read it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/study/comparison/comparison.hpp"
#include "sim/study/comparison/populations.hpp"

namespace rehearse {

struct ComparePrint {
  bool colours = false;
  bool users = false;       ///< the table by user too
  std::size_t groups = 12;  ///< most groups of a table
  std::size_t jobs = 0;     ///< name so many jobs that wait longer, and so many that wait less
  bool no_header = false;   ///< of the parsable form
  const Populations* populations = nullptr;  ///< null: none were simulated
};

/// Tables of at most 100 columns; ends in a newline.
[[nodiscard]] std::string comparison_text(const Comparison& value, const ComparePrint& print);
/// One row a figure, of --populations one more (SCOPE `population`: medians of them, LOW and HIGH
/// the range of the difference), and of --jobs one a job (SCOPE `job`, FIGURE `wait`):
/// `SCOPE|GROUP|FIGURE|UNITS|A|B|DIFFERENCE|LOW|HIGH|JUDGEMENT|USERS|JOBS`.
[[nodiscard]] std::string comparison_rows(const Comparison& value, const ComparePrint& print);
/// `rehearse-compare/1`: sim/app/schema/compare.schema.json says what stands where. One line.
[[nodiscard]] std::string comparison_json(const Comparison& value, const ComparePrint& print);

/// `better`, `worse`, `changed`; empty: not significant; `no interval`: too few users.
[[nodiscard]] std::string_view judgement_of(const Figure& figure);

/// `42s`, `61.20 %`, `3`; `-`: cannot be computed.
[[nodiscard]] std::string figure_text(double value, const FigureInfo& info);
/// The same with a sign; of a share its percentage points.
[[nodiscard]] std::string difference_text(double value, const FigureInfo& info);

// compare_populations.cpp; `level`: the share of populations that a range is to hold.
[[nodiscard]] std::vector<std::string> populations_lines(const Populations& populations,
                                                         double level);
[[nodiscard]] std::string populations_rows(const Populations& populations, double level);
[[nodiscard]] nlohmann::ordered_json populations_json(const Populations& populations, double level);

}  // namespace rehearse
