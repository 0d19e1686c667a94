// sim/config/gres_conf.hpp — the lines of gres.conf, and the Gres= text of a node, as typed values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

/// One entry of a node's Gres= (gres.md §1.2): `gpu:a100:8` and its relatives.
struct GresSpec {
  std::string name;
  std::string type;  ///< empty: none
  std::uint64_t count = 1;
  bool no_consume = false;
};

/// One record of gres.conf (gres.md §1.3).
struct GresConfLine {
  std::vector<std::string> nodes;  ///< empty: every node
  std::string name;
  std::string type;
  std::vector<std::string> files;           ///< expanded; of File=
  std::vector<std::string> multiple_files;  ///< of MultipleFiles=: one device
  std::optional<std::uint64_t> count;
  std::vector<std::uint32_t> cores;  ///< abstract core indexes; empty: every core
  std::vector<std::int32_t> links;   ///< empty: none given
  bool count_only = false, one_sharing = false, all_sharing = false, is_explicit = false;
  SourcePosition where;
};

struct GresConf {
  std::vector<GresConfLine> lines;
  bool auto_detect = false;  ///< AutoDetect= other than off: devices are taken from slurm.conf
  std::vector<std::string> auto_detect_on, auto_detect_off;  ///< nodes for which a line says else
  std::vector<std::pair<std::string, std::string>> sources;  ///< file, text
};

/// Parses the text of Gres= on a NodeName line. Errors are added to `found`.
[[nodiscard]] std::vector<GresSpec> parse_gres_spec(std::string_view text,
                                                    const SourcePosition& where,
                                                    Diagnostics& found);

/// Reads gres.conf; a file that does not exist gives no lines (gres.md §1.3).
[[nodiscard]] GresConf read_gres_conf(const std::filesystem::path& path, Diagnostics& found);

/// The same from text; `name` stands in messages, Includes are relative to `directory`.
[[nodiscard]] GresConf parse_gres_conf(std::string_view text, const std::string& name,
                                       const std::filesystem::path& directory, Diagnostics& found);

/// `400`, `4K` (x1024), `2KB` (x1000), `1MiB` …; none: not a count (gres.md §1.2).
[[nodiscard]] std::optional<std::uint64_t> parse_gres_count(std::string_view text);

}  // namespace rehearse
