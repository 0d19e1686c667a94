// sim/study/snapshot_files.hpp — the instant, usage, reservations and nodes of a site's snapshot/,
// as `rehearse collect` leaves them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/site_conf.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/controller/admin_command.hpp"
#include "sim/study/start_state.hpp"

namespace rehearse {

/// The value of `Key=` in a record of one line, as `scontrol -o show` prints them; empty: it has
/// none.
[[nodiscard]] std::string_view record_value(std::string_view record, std::string_view key);

/// Of taken.txt. None: told in `found`.
[[nodiscard]] std::optional<SlurmTime> snapshot_instant(const std::filesystem::path& site,
                                                        Diagnostics& found);

/// The folder's usage and reservations are those of its snapshot from now on.
void use_snapshot(SiteFolder& folder);

/// Of nodes.txt (`scontrol -o show node`): commands that bring nodes into the states they were in,
/// just before `at`. Nodes that slurm.conf does not have are a warning.
[[nodiscard]] std::vector<AdminCommandAt> node_commands(LoadedSite& site, SlurmTime at,
                                                        Diagnostics& found);

}  // namespace rehearse
