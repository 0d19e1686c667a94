// sim/app/fit_print.hpp — how near a generator is to its trace, as a person, a script and a pipe
// read it.
#pragma once

#include <string>
#include <vector>

#include "workloads/generator/goodness.hpp"

namespace rehearse {

/// What `fit` found and wrote.
struct FitReport {
  std::string site, spec;
  std::size_t groups = 0, kinds = 0;
  std::vector<std::string> notes;
  Goodness goodness;
};

/// A table by marginal, arrivals, users; ends in a newline.
[[nodiscard]] std::string fit_text(const FitReport& report);
/// A row a figure: `SCOPE|NAME|UNITS|TRACE|DRAWN|DISTANCE|HALVES`.
[[nodiscard]] std::string fit_rows(const FitReport& report, bool no_header);
/// `rehearse-fit/1`: sim/app/schema/fit.schema.json says what stands where. One line.
[[nodiscard]] std::string fit_json(const FitReport& report);

}  // namespace rehearse
