// sim/app/compare_print.hpp — a comparison as a person, a script and a pipe read it.
#pragma once

#include <string>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {

struct ComparePrint {
  bool colours = false;
  bool users = false;       ///< the table by user too
  std::size_t groups = 12;  ///< most groups of a table
  std::size_t jobs = 0;     ///< name so many jobs that wait longer, and so many that wait less
  bool no_header = false;   ///< of the parsable form
};

/// Tables of at most 100 columns; ends in a newline.
[[nodiscard]] std::string comparison_text(const Comparison& value, const ComparePrint& print);
/// One row a figure, and of --jobs one a job (SCOPE `job`, FIGURE `wait`):
/// `SCOPE|GROUP|FIGURE|UNITS|A|B|DIFFERENCE|LOW|HIGH|JUDGEMENT|USERS|JOBS`.
[[nodiscard]] std::string comparison_rows(const Comparison& value, const ComparePrint& print);
/// `rehearse-compare/1`: sim/app/schema/compare.schema.json says what stands where. One line.
[[nodiscard]] std::string comparison_json(const Comparison& value, const ComparePrint& print);

/// `better`, `worse`, `changed`; empty: not significant; `no interval`: too few users.
[[nodiscard]] std::string_view judgement_of(const Figure& figure);

/// `42s`, `61.20 %`, `3`; `-`: cannot be computed.
[[nodiscard]] std::string figure_text(double value, const FigureInfo& info);

}  // namespace rehearse
