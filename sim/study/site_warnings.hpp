// sim/study/site_warnings.hpp — what a site's files say together, and nobody may have meant.
#pragma once

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Warns of what each file alone does not show: of configurations, before jobs are read.
void tell_configuration(const LoadedSite& loaded, Diagnostics& found);

/// Warns of commands of events.csv for jobs that the whole trace does not have.
void tell_unknown_jobs(const LoadedSite& loaded, Diagnostics& found);

}  // namespace rehearse
