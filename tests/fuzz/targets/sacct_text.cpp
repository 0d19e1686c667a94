// tests/fuzz/targets/sacct_text.cpp — sacct's text; no row is lost, and times are in order.
#include "workloads/sacct_text.hpp"
#include "sim/core/check.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_sacct_text(std::string_view text) {
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  SacctOptions options;
  options.unusable_rows = UnusableRows::AreLeftOut;
  const Trace trace =
      read_sacct_text(InputText{"sacct.txt", std::string(text)}, options, names, requests, found);
  REHEARSE_CHECK(trace.report.adds_up(), "{} rows", trace.report.rows_read);
  Time before = Time::min();
  for (const JobSpec& job : trace.jobs.specs()) {
    REHEARSE_CHECK(job.submit >= before && job.run.runtime >= Seconds{0}, "job {}",
                   static_cast<std::uint32_t>(job.id));
    before = job.submit;
  }
}

}  // namespace rehearse::test
