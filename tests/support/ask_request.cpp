// tests/support/ask_request.cpp — sbatch's words to a Request, as traces' submit lines are read.
#include "tests/support/ask_request.hpp"

#include <stdexcept>
#include <string>

#include "sim/config/sbatch_args.hpp"
#include "workloads/request_from_args.hpp"

namespace rehearse::test {

Request ask_request(std::string_view options, NamePool& names) {
  Diagnostics found;
  const std::string line = "sbatch " + std::string(options);
  Request request = make_request(parse_submit_line(line, {}, found), names, found);
  for (const Diagnostic& each : found.all()) {
    if (each.severity == Severity::Error) throw std::invalid_argument(line + ": " + each.what);
  }
  return request;
}

}  // namespace rehearse::test
