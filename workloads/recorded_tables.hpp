// workloads/recorded_tables.hpp — what `sprio -l` and `sshare -a -l -P` printed while a site ran.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// A command prints its table a little after the instant that is written over it.
inline constexpr Duration kTableDelay = Seconds{2};

/// One line of `sprio -l`: what it prints under each header, and the numbers of its TRES column as
/// far as it is not cut.
struct SprioRow {
  JobId job{};  ///< of an array's record: the array's id
  std::string partition;
  std::map<std::string, std::int64_t, std::less<>> points;       ///< by header: PRIORITY, AGE …
  std::map<std::string, std::int64_t, std::less<>> tres_points;  ///< by TRES; empty: none told
  SourcePosition where;
};

/// One line of `sshare -a -l -P`: the texts as printed, by header.
struct SshareRow {
  std::string account, user;
  std::map<std::string, std::string, std::less<>> fields;
  SourcePosition where;
};

/// The tables of one instant.
struct RecordedTables {
  SlurmTime at;
  std::vector<SprioRow> sprio;
  std::vector<SshareRow> sshare;
};

/// The files of `folder` whose names hold "sprio" or "sshare", plain or compressed; each table
/// begins with a line `# at EPOCH_SECONDS`. By instant; empty where there is no such folder. Lines
/// that are not rows of the table are errors with their place. Throws InputError for a file that
/// cannot be read.
[[nodiscard]] std::vector<RecordedTables> read_recorded_tables(const std::filesystem::path& folder,
                                                               Diagnostics& found);

/// When `sshare` was run, by the `# at` lines of the files of `folder` whose names hold "sshare",
/// ascending; empty where there is no such folder. The tables themselves are not looked at.
[[nodiscard]] std::vector<SlurmTime> read_share_questions(const std::filesystem::path& folder);

}  // namespace rehearse
