// sim/study/tuning/paste.hpp — a setting as an admin takes it over: a patch of slurm.conf, and
// sacctmgr commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/site_conf.hpp"

namespace rehearse {

struct Paste {
  std::string conf_diff;              ///< unified, for patch -p0; empty: nothing changes
  std::vector<std::string> commands;  ///< sacctmgr, a line each
  std::vector<std::string> by_hand;   ///< changes that no line of a file can be named for
};

/// Why an admin cannot take such a change over; empty: it can be pasted. `change` as in --set,
/// without its value.
[[nodiscard]] std::string unpasteable(std::string_view change);

/// What `--set` of every one of `set` in turn comes to. The site's files must be readable.
[[nodiscard]] Paste paste_of(const SiteFolder& site, const std::string& cluster_name,
                             const std::vector<std::string>& set);

/// `slurm.conf` with the changes, file by file: the name relative to the site, before and after.
struct ChangedFile {
  std::string name, before, after;
};
/// The changes of slurm.conf's keys and records, in its own text and the files that it includes.
[[nodiscard]] std::vector<ChangedFile> change_conf(const SiteFolder& site,
                                                   const std::vector<std::string>& set,
                                                   std::vector<std::string>& by_hand);

/// The lines that differ, with three lines around them. Lines may change or come at the end; none
/// may go.
[[nodiscard]] std::string unified_diff(const ChangedFile& file);

}  // namespace rehearse
