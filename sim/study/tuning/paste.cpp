// sim/study/tuning/paste.cpp — the commands of sacctmgr, and a unified diff.
#include "sim/study/tuning/paste.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/site_changes.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/study/shell_word.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kContext = 3;

/// Columns of `sacctmgr show` whose name `sacctmgr modify` spells out (man sacctmgr).
struct LongName {
  std::string_view column, option;
};
constexpr std::array kLongNames{
    LongName{"Share", "Fairshare"},
    LongName{"UsageThres", "UsageThreshold"},
    LongName{"MinPrioThres", "MinPrioThreshold"},
    LongName{"GrpSubmit", "GrpSubmitJobs"},
    LongName{"MaxSubmit", "MaxSubmitJobs"},
    LongName{"MaxTRES", "MaxTRESPerJob"},
    LongName{"MinTRES", "MinTRESPerJob"},
    LongName{"MaxTRESMins", "MaxTRESMinsPerJob"},
    LongName{"MaxTRESPU", "MaxTRESPerUser"},
    LongName{"MaxJobsPU", "MaxJobsPerUser"},
    LongName{"MaxSubmitPU", "MaxSubmitJobsPerUser"},
    LongName{"MaxTRESPA", "MaxTRESPerAccount"},
    LongName{"MaxJobsPA", "MaxJobsPerAccount"},
    LongName{"MaxSubmitPA", "MaxSubmitJobsPerAccount"},
};

std::string option_of(std::string_view key) {
  for (const LongName& each : kLongNames) {
    if (equals_ignoring_case(each.column, key)) return std::string(each.option);
  }
  return std::string(key);
}

std::string command_of(const SiteChange& change, const std::string& cluster) {
  std::string_view key = change.key;
  std::string op = "=";
  if (!key.empty() && (key.back() == '+' || key.back() == '-')) {
    op.insert(0, 1, key.back());
    key.remove_suffix(1);
  }
  const std::string set =
      " set " + shell_word(option_of(trimmed(key)) + op + std::string(change.value));
  if (change.kind == SiteChange::Kind::Qos) {
    return fmt::format("sacctmgr -i modify qos where name={}{}", shell_word(change.of), set);
  }
  const std::vector<std::string_view> parts = split_list(change.of);
  std::string user;
  std::string more;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string value(trimmed(parts[i].substr(equals + 1)));
    if (starts_with_ignoring_case(parts[i], "User")) {
      user = value;
    } else {
      more += " partition=" + shell_word(value);
    }
  }
  const std::string account(parts.empty() ? std::string_view() : parts.front());
  const std::string end = fmt::format(" cluster={}{}{}", shell_word(cluster), more, set);
  return user.empty()
             ? fmt::format("sacctmgr -i modify account where name={}{}", shell_word(account), end)
             : fmt::format("sacctmgr -i modify user where name={} account={}{}", shell_word(user),
                           shell_word(account), end);
}

std::vector<std::string_view> lines_with_ends(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

void add_line(std::string& diff, char sign, std::string_view line) {
  diff += sign;
  diff += line;
  if (line.empty() || line.back() != '\n') diff += "\n\\ No newline at end of file\n";
}

/// Where a hunk begins, counted from 1; one of no lines stands behind the line before it.
std::size_t first_line(std::size_t from, std::size_t count) {
  return count == 0 ? from : from + 1;
}

}  // namespace

std::string unpasteable(std::string_view change) {
  for (const std::string_view own : {"jobs", "span", "growth", "seed"}) {
    if (change == own) return "is no setting of a cluster";
  }
  if (starts_with_ignoring_case(change, "site.yaml:")) return "is no key of Slurm's";
  if (starts_with_ignoring_case(change, "Nodes=")) return "changes what hardware there is";
  return {};
}

std::string unified_diff(const ChangedFile& file) {
  if (file.before == file.after) return {};
  const std::vector<std::string_view> before = lines_with_ends(file.before);
  const std::vector<std::string_view> after = lines_with_ends(file.after);
  const auto differs = [&](std::size_t i) { return i >= before.size() || before[i] != after[i]; };
  std::string diff = fmt::format("--- {0}\n+++ {0}\n", file.name);
  for (std::size_t i = 0; i < after.size();) {
    if (!differs(i)) {
      ++i;
      continue;
    }
    const std::size_t from = i - std::min(i, kContext);
    std::size_t last = i;  // the hunk's last line that differs
    for (std::size_t j = i; j < after.size() && j <= last + 2 * kContext; ++j) {
      if (differs(j)) last = j;
    }
    const std::size_t to = std::min(after.size(), last + 1 + kContext);
    const std::size_t old_count = std::min(before.size(), to) - std::min(before.size(), from);
    diff += fmt::format("@@ -{},{} +{},{} @@\n", first_line(from, old_count), old_count,
                        first_line(from, to - from), to - from);
    for (std::size_t j = from; j < to; ++j) {
      if (!differs(j)) {
        add_line(diff, ' ', before[j]);
        continue;
      }
      std::size_t end = j;
      while (end < to && differs(end)) ++end;
      for (std::size_t k = j; k < std::min(end, before.size()); ++k) add_line(diff, '-', before[k]);
      for (std::size_t k = j; k < end; ++k) add_line(diff, '+', after[k]);
      j = end - 1;
    }
    i = to;
  }
  return diff;
}

Paste paste_of(const SiteFolder& site, const std::string& cluster_name,
               const std::vector<std::string>& set) {
  Paste paste;
  Diagnostics ignored;  // the setting has run: its changes are well formed
  const SiteChanges changes = split_changes(set, ignored);
  for (const ChangedFile& file : change_conf(site, changes.slurm_conf, paste.by_hand)) {
    paste.conf_diff += unified_diff(file);
  }
  for (const SiteChange& change : changes.others) {
    const bool is_account =
        change.kind == SiteChange::Kind::Qos || change.kind == SiteChange::Kind::Association;
    if (is_account) paste.commands.push_back(command_of(change, cluster_name));
  }
  return paste;
}

}  // namespace rehearse
