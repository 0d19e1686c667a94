// sim/study/site_warnings.hpp — what a site's files say together, and nobody may have meant.
#pragma once

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Warns of what each file alone does not show: of configurations, before jobs are read.
void tell_configuration(const LoadedSite& loaded, Diagnostics& found);

/// Warns of the commands of events.csv, understood by now, for jobs, users, partitions and QOS that
/// the site does not have: they do nothing.
void tell_unknown_targets(const std::vector<AdminCommand>& lines, const LoadedSite& loaded,
                          Diagnostics& found);

/// A job whose QOS no input knows has none, as where slurmctld does not enforce QOS; told.
void tell_unknown_qos(const LoadedSite& loaded, Diagnostics& found);

/// A job that names a reservation of which no input knows is scheduled as if it named none.
void tell_unknown_reservations(const LoadedSite& loaded, Diagnostics& found);

}  // namespace rehearse
