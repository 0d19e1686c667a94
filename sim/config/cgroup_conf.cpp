// sim/config/cgroup_conf.cpp — the few keys of cgroup.conf that end jobs.
#include "sim/config/cgroup_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/conf_lexer.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

// The keys of 22.05 and of later releases that end no job: cores and devices are bound, not
// counted.
constexpr std::array<std::string_view, 21> kOtherKeys = {
    "AllowedDevicesFile",     "AllowedKmemSpace",
    "CgroupAutomount",        "CgroupMountpoint",
    "CgroupPlugin",           "CgroupSlice",
    "ConstrainCores",         "ConstrainDevices",
    "ConstrainKmemSpace",     "EnableControllers",
    "EnableExtraControllers", "IgnoreSystemd",
    "MaxKmemPercent",         "IgnoreSystemdOnFailure",
    "MaxRAMPercent",          "MaxSwapPercent",
    "MemoryLimitEnforcement", "MemorySwappiness",
    "MinKmemSpace",           "MinRAMSpace",
    "SystemdTimeout"};
constexpr std::array<std::string_view, 2> kFormerKeys = {"CgroupReleaseAgentDir", "TaskAffinity"};

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view each) { return equals_ignoring_case(key, each); });
}

/// slurmctld reads this file too, and stops at a key that it does not know (formats.md §6.8).
void tell_key(const ConfText& text, const ConfPair& pair, Diagnostics& found) {
  if (is_one_of(pair.key, kOtherKeys)) return;
  if (is_one_of(pair.key, kFormerKeys)) {
    found.warning(
        text.position(pair.key_at),
        fmt::format("{} was removed before 22.05, whose slurmctld stops at it; it decides "
                    "nothing here, and is passed over",
                    pair.key),
        "remove it");
    return;
  }
  std::vector<std::string_view> names(kOtherKeys.begin(), kOtherKeys.end());
  names.insert(names.end(),
               {"ConstrainRAMSpace", "ConstrainSwapSpace", "AllowedRAMSpace", "AllowedSwapSpace"});
  found.warning(
      text.position(pair.key_at),
      fmt::format("{} is not a key of cgroup.conf; slurmctld stops at it", shown(pair.key)),
      did_you_mean(pair.key, names));
}

std::optional<double> percent(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= 0 && value <= 1e6)) return std::nullopt;
  return value;
}

void read_pair(const ConfText& text, const ConfPair& pair, CgroupConf& conf, Diagnostics& found) {
  const auto wants = [&](std::string_view key) { return equals_ignoring_case(pair.key, key); };
  const auto fail = [&](std::string_view remedy) {
    found.error(text.position(pair.value_at),
                fmt::format("{}: {} is not understood", pair.key, shown(pair.value)),
                std::string(remedy));
  };
  const auto flag = [&](bool& value) {
    const auto answer = parse_conf_bool(pair.value);
    answer ? void(value = *answer) : fail("yes or no");
  };
  const auto share = [&](double& value) {
    const auto number = percent(pair.value);
    number ? void(value = *number) : fail("a percentage of the allocated memory");
  };
  if (wants("ConstrainRAMSpace")) return flag(conf.constrain_ram_space);
  if (wants("ConstrainSwapSpace")) return flag(conf.constrain_swap_space);
  if (wants("AllowedRAMSpace")) return share(conf.allowed_ram_percent);
  if (wants("AllowedSwapSpace")) return share(conf.allowed_swap_percent);
  tell_key(text, pair, found);
}

}  // namespace

CgroupConf read_cgroup_conf(const std::filesystem::path& path, Diagnostics& found) {
  CgroupConf conf;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return conf;
  std::string content;
  if (!read_text_file(path, content)) {
    found.error({path.string()}, "cannot be read");
    return conf;
  }
  const ConfText text = lex_conf(content, path.string(), path.parent_path(), found);
  for (const ConfLine& line : text.lines) {
    for (const ConfPair& pair : line.pairs) read_pair(text, pair, conf, found);
  }
  return conf;
}

}  // namespace rehearse
