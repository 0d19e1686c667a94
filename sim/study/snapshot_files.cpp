// sim/study/snapshot_files.cpp — an instant, node states: read leniently, told plainly.
#include "sim/study/snapshot_files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

/// `State=DOWN+DRAIN`, `IDLE*`, `MIXED+DRAIN`: what an admin would type to get there; empty:
/// nothing.
std::string_view command_state(std::string_view state) {
  bool down = state.ends_with('*');
  bool drain = false;
  bool fail = false;
  while (!state.empty()) {
    const std::size_t plus = std::min(state.find('+'), state.size());
    std::string_view word = state.substr(0, plus);
    while (!word.empty() && std::string_view("*~#!%$@^-").find(word.back()) != word.npos) {
      word.remove_suffix(1);
    }
    down = down || word == "DOWN" || word == "NOT_RESPONDING" || word == "UNKNOWN";
    drain = drain || word == "DRAIN" || word == "DRAINED" || word == "DRAINING";
    fail = fail || word == "FAIL" || word == "FAILING";
    state.remove_prefix(std::min(plus + 1, state.size()));
  }
  if (down) return "DOWN";
  if (drain) return "DRAIN";
  return fail ? "FAIL" : std::string_view{};
}

}  // namespace

std::string_view record_value(std::string_view record, std::string_view key) {
  for (std::size_t at = 0; (at = record.find(key, at)) != std::string_view::npos; ++at) {
    if ((at == 0 || record[at - 1] == ' ') && record.substr(at + key.size()).starts_with('=')) {
      const std::string_view rest = record.substr(at + key.size() + 1);
      return rest.substr(0, rest.find(' '));
    }
  }
  return {};
}

std::optional<SlurmTime> snapshot_instant(const fs::path& site, Diagnostics& found) {
  const fs::path path = site / "snapshot" / "taken.txt";
  if (!fs::is_regular_file(path)) {
    found.error({path.string(), 0, 0}, "is not there: the site has no snapshot",
                "rehearse collect makes one; or give a time of the recorded past");
    return std::nullopt;
  }
  const auto text = text::read_file(path, found);
  const auto at =
      text ? TimeZone::utc().read(trimmed(*text)) : std::optional<SlurmTime>(std::nullopt);
  if (text && !at) {
    found.error({path.string(), 1, 1}, "is not a time", "2025-03-01T12:00:00Z");
  }
  return at;
}

void use_snapshot(SiteFolder& folder) {
  const auto if_there = [&](const char* name) -> std::optional<fs::path> {
    const fs::path path = folder.root / "snapshot" / name;
    return fs::is_regular_file(path) ? std::optional(path) : std::nullopt;
  };
  folder.usage = if_there("usage.txt");
  folder.reservations = if_there("reservations.txt");
}

std::vector<AdminCommandAt> node_commands(LoadedSite& site, SlurmTime at, Diagnostics& found) {
  const fs::path path = site.folder.root / "snapshot" / "nodes.txt";
  if (!fs::is_regular_file(path)) return {};
  const auto text = text::read_file(path, found);
  if (!text) return {};
  std::vector<AdminCommand> lines;
  std::size_t unknown = 0;
  std::uint32_t number = 0;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    const std::string_view node = record_value(line, "NodeName");
    if (node.empty()) continue;
    const auto name = site.names.find(node);
    if (!name || !site.cluster->find_node(*name)) {
      ++unknown;
      continue;
    }
    const std::string_view state = command_state(record_value(line, "State"));
    if (state.empty()) continue;
    lines.push_back(
        {site.zone.print(at - Seconds{1}),
         fmt::format("scontrol update NodeName={} State={} Reason=snapshot", node, state),
         {path.string(), number, 1}});
  }
  if (unknown > 0) {
    found.warning(
        {path.string(), 0, 0},
        fmt::format("{} nodes are not those of slurm.conf: their states are left out", unknown),
        "take slurm.conf and the snapshot on the same day");
  }
  return understand_commands(lines, *site.cluster, site.names, found);
}

}  // namespace rehearse
