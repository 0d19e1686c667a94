// sim/study/idle_settings.hpp — keys of site.yaml that are set and change nothing.
#pragma once

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Warns of what somebody set in site.yaml and no part of this site looks at; a GPU model that
/// nobody knows is an error. `loaded` has its cluster and its GPUs.
void tell_idle_settings(const LoadedSite& loaded, Diagnostics& found);

}  // namespace rehearse
