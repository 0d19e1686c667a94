// sim/config/cgroup_conf.cpp — the few keys of cgroup.conf that end jobs.
#include "sim/config/cgroup_conf.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/conf_lexer.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

std::optional<bool> yes_or_no(std::string_view text) {
  if (equals_ignoring_case(text, "yes") || equals_ignoring_case(text, "true")) return true;
  if (equals_ignoring_case(text, "no") || equals_ignoring_case(text, "false")) return false;
  return std::nullopt;
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
    const auto answer = yes_or_no(pair.value);
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
  // The other keys end no job: cores and devices are bound, not counted.
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
