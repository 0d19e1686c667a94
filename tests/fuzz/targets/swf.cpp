// tests/fuzz/targets/swf.cpp — the Standard Workload Format, and the sacct text made of it.
#include "sim/core/check.hpp"
#include "tests/fuzz/targets.hpp"
#include "workloads/import.hpp"
#include "workloads/sacct_text.hpp"

namespace rehearse::test {

void fuzz_swf(std::string_view text) {
  for (const TraceFormat& format : trace_formats()) {
    if (format.name != "swf") continue;
    ImportOptions options;
    options.processors_per_node = 16;
    options.queue_gpus[1] = {4, 16};
    options.invent_limits = true;
    ImportReport report;
    Diagnostics found;
    const std::string rows = format.read({"jobs.swf", std::string(text)}, options, report, found);
    if (found.has_errors()) return;
    NamePool names;
    RequestTable requests;
    Diagnostics again;
    (void)read_sacct_text(InputStream({"sacct.txt", rows}), {}, names, requests, again);
    REHEARSE_CHECK(!again.has_errors(), "{}\n{}", to_text(again.all().front()), rows);
  }
}

}  // namespace rehearse::test
