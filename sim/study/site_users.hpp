// sim/study/site_users.hpp — a site with its users drawn anew, or more of them (user_draws.hpp).
#pragma once

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Who is drawn, where users are. They need associations before the cluster is built, so the jobs
/// are read once more for their names; what is wrong with them is told by the other reading.
void draw_site_users(LoadedSite& loaded, Diagnostics& found);

/// The jobs of who was drawn, instead of all.
void take_drawn_users(LoadedSite& loaded, Diagnostics& found);

}  // namespace rehearse
