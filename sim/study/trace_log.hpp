// sim/study/trace_log.hpp — what slurmctld.log adds to the rows of sacct.
#pragma once

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Takes submissions and ends of the site's own jobs to the logged part of their second, and notes
/// how many. Notes too which submissions the log tells, between the first and the last of the rows,
/// that have no row: `sacct -S` passes over jobs that were never eligible, and slurmdbd loses one
/// now and then. They are not simulated, though they pended there. Nothing is said of them with
/// --from or --to, which leave out rows, and where the log is of other jobs.
void take_submissions(const ControllerLog& log, LoadedSite& loaded, Diagnostics& found);

}  // namespace rehearse
