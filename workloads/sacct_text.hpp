// workloads/sacct_text.hpp — sacct text into jobs.
#pragma once

#include <string>
#include <string_view>

#include "sim/cluster/request.hpp"
#include "sim/core/error.hpp"
#include "workloads/import_report.hpp"
#include "workloads/input.hpp"
#include "workloads/sacct_options.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

/// The jobs of a trace, and the account of its rows.
struct Trace {
  TraceJobs jobs;
  ImportReport report;
};

/// Reads the text output of sacct (formats.md §10, §17). `names` and `requests` take what the jobs
/// name. Rows that cannot be used are errors in `found` (or warnings, as the options say), and the
/// report explains them either way. Throws InputError where the text itself cannot be read on.
[[nodiscard]] Trace read_sacct_text(InputStream input, const SacctOptions& options, NamePool& names,
                                    RequestTable& requests, Diagnostics& found);

/// Reads `sacct --json` of any release (formats.md §11).
[[nodiscard]] Trace read_sacct_json(InputStream input, const SacctOptions& options, NamePool& names,
                                    RequestTable& requests, Diagnostics& found);

/// One of the two above, by what the text begins with.
[[nodiscard]] Trace read_sacct(InputStream input, const SacctOptions& options, NamePool& names,
                               RequestTable& requests, Diagnostics& found);

}  // namespace rehearse
