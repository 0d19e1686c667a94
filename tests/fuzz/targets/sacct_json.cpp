// tests/fuzz/targets/sacct_json.cpp — sacct --json; no row is lost, and pieces are read as the
// whole is.
#include "sim/core/check.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/rows_told.hpp"
#include "workloads/sacct_text.hpp"

namespace rehearse::test {

void fuzz_sacct_json(std::string_view text) {
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  const Trace trace =
      read_sacct_json(InputStream({"sacct.json", std::string(text)}), {}, names, requests, found);
  REHEARSE_CHECK(trace.report.adds_up(), "{} rows", trace.report.rows_read);
  REHEARSE_CHECK(json_told(in_pieces(text, text.size() % 61 + 1)) == json_told(TextWindow(text)),
                 "read in pieces: other rows");
}

}  // namespace rehearse::test
