// sim/config/topology_conf.hpp — topology.conf: switches and what hangs below them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

/// One SwitchName line (formats.md §8): a leaf names nodes, any other names switches.
struct SwitchConf {
  std::string name;
  std::vector<std::string> nodes;
  std::vector<std::string> switches;
  SourcePosition where;
};

/// Reads topology.conf; unknown nodes and switches are the caller's to judge.
[[nodiscard]] std::vector<SwitchConf> read_topology_conf(const std::filesystem::path& path,
                                                         Diagnostics& found);

/// The same from text; `name` stands in messages, Includes are relative to `directory`.
[[nodiscard]] std::vector<SwitchConf> parse_topology_conf(std::string_view text,
                                                          const std::string& name,
                                                          const std::filesystem::path& directory,
                                                          Diagnostics& found);

}  // namespace rehearse
