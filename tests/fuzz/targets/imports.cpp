// tests/fuzz/targets/imports.cpp — every trace format but SWF, which has a target of its own.
#include "workloads/import.hpp"

#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_imports(std::string_view text) {
  const InputText input{"trace", std::string(text)};
  for (const TraceFormat& format : trace_formats()) {
    if (format.name == "swf") continue;
    ImportOptions options;
    if (format.name == "sacct") options.form.columns = {"JobID", "Submit", "Start", "End", "State"};
    ImportReport report;
    Diagnostics found;
    try {
      (void)format.read(input, options, report, found);
    } catch (const InputError&) {
    }
  }
}

}  // namespace rehearse::test
