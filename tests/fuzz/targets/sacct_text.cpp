// tests/fuzz/targets/sacct_text.cpp — sacct's text; no row is lost, times are in order, and pieces
// are read as the whole is.
#include "workloads/sacct_text.hpp"

#include "sim/core/check.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/rows_told.hpp"

namespace rehearse::test {

void fuzz_sacct_text(std::string_view text) {
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  SacctOptions options;
  options.unusable_rows = UnusableRows::AreLeftOut;
  const Trace trace = read_sacct_text(InputStream({"sacct.txt", std::string(text)}), options, names,
                                      requests, found);
  REHEARSE_CHECK(trace.report.adds_up(), "{} rows", trace.report.rows_read);
  Time before = Time::min();
  for (const JobSpec& job : trace.jobs.specs()) {
    REHEARSE_CHECK(job.submit >= before && job.run.runtime >= Seconds{0}, "job {}",
                   static_cast<std::uint32_t>(job.id));
    before = job.submit;
  }
  REHEARSE_CHECK(table_told(in_pieces(text, text.size() % 61 + 1)) == table_told(TextWindow(text)),
                 "read in pieces: other rows");
}

}  // namespace rehearse::test
