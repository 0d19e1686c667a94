// sim/config/site_events.cpp — events.csv and runtimes.csv: what was done, and how long jobs run.
#include <fmt/format.h>

#include <array>
#include <map>

#include "sim/config/csv_table.hpp"
#include "sim/config/parsable_table.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

/// Exactly `count` digits at `at`, as a number within the range.
bool digits_within(std::string_view text, std::size_t at, std::size_t count, std::uint32_t least,
                   std::uint32_t most) {
  if (at + count > text.size()) return false;
  const auto value = text::parse_decimal32(text.substr(at, count));
  return value && *value >= least && *value <= most;
}

/// Empty, `Z`, or an offset `+01:00`, `+0100`, `+01`.
bool is_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return true;
  if (text[0] != '+' && text[0] != '-') return false;
  text.remove_prefix(1);
  if (!digits_within(text, 0, 2, 0, 14)) return false;
  text.remove_prefix(2);
  if (text.empty()) return true;
  if (text[0] == ':') text.remove_prefix(1);
  return text.size() == 2 && digits_within(text, 0, 2, 0, 59);
}

/// `YYYY-MM-DDTHH:MM[:SS[.fff]]` with an optional zone; a blank may stand for the T.
bool is_iso_time(std::string_view text) {
  const bool date = digits_within(text, 0, 4, 1970, 2105) && digits_within(text, 5, 2, 1, 12) &&
                    digits_within(text, 8, 2, 1, 31) && text[4] == '-' && text[7] == '-';
  if (!date || text.size() < 16) return false;
  const bool clock = (text[10] == 'T' || text[10] == ' ') && digits_within(text, 11, 2, 0, 23) &&
                     text[13] == ':' && digits_within(text, 14, 2, 0, 59);
  if (!clock) return false;
  const auto year = *text::parse_decimal32(text.substr(0, 4));
  const auto month = *text::parse_decimal32(text.substr(5, 2));
  const auto day = *text::parse_decimal32(text.substr(8, 2));
  constexpr std::array<std::uint32_t, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (day > kDays[month - 1] + (month == 2 && leap ? 1U : 0U)) return false;
  std::string_view rest = text.substr(16);
  if (rest.starts_with(':')) {
    if (!digits_within(rest, 1, 2, 0, 59)) return false;
    rest.remove_prefix(3);
    if (rest.starts_with('.')) {
      const std::size_t end = rest.find_first_not_of("0123456789", 1);
      if (end == 1 || rest.size() == 1) return false;
      rest.remove_prefix(std::min(end, rest.size()));
    }
  }
  return is_zone(rest);
}

}  // namespace

std::vector<AdminCommand> read_admin_events(const std::filesystem::path& path, Diagnostics& found) {
  constexpr std::array<CsvColumn, 2> kColumns = {{{"time"}, {"command"}}};
  std::vector<AdminCommand> commands;
  const auto text = text::read_file(path, found);
  if (!text) return commands;
  for (auto& row : read_csv(*text, path.string(), kColumns, found)) {
    if (!is_iso_time(row[0].text)) {
      found.error(row[0].where, fmt::format("time: '{}' is not a time", shortened(row[0].text)),
                  "write 2027-01-15T08:42:02, with Z or +01:00 where it is not the site's time");
    } else if (trimmed(row[1].text).empty()) {
      found.error(row[1].where, "command: nothing to do",
                  "write what an admin types: scontrol update NodeName=n2 State=DRAIN Reason=x");
    } else {
      commands.push_back({row[0].text, std::string(trimmed(row[1].text)), row[1].where});
    }
  }
  return commands;
}

std::vector<NodeOutage> read_node_events(const std::filesystem::path& path, Diagnostics& found) {
  std::vector<NodeOutage> rows;
  const auto text = text::read_file(path, found);
  if (!text) return rows;
  const auto table =
      read_parsable_table(*text, path.string(), "sacctmgr -P show event > node_events.txt", found);
  if (!table) return rows;
  const auto column = [&](std::string_view name, std::string_view other, bool needed) {
    const auto at = table->find({name, other});
    if (!at && needed) {
      found.error({path.string(), table->header_line, 1}, fmt::format("no {} column", name),
                  "run: sacctmgr -P show event start=2025-01-01 > node_events.txt");
    }
    return at;
  };
  const auto node = column("NodeName", "Node Name", true),
             start = column("TimeStart", "Start", true), end = column("TimeEnd", "End", true),
             state = column("State", "NodeState", true), reason = column("Reason", "Reason", false);
  if (!node || !start || !end || !state) return rows;
  for (const TableRow& line : table->rows) {
    const auto cell = [&](std::size_t at) { return std::string(trimmed(line.cells[at].text)); };
    NodeOutage row{
        cell(*node),           cell(*start), cell(*end), cell(*state), reason ? cell(*reason) : "",
        table->at(line, *node)};
    if (row.nodes.empty()) continue;  // the cluster's own size
    for (const std::size_t at : {*start, *end}) {
      const std::string time = cell(at);
      const bool open = time.empty() || time == "Unknown" || time == "None";
      if (open && at == *end) {
        row.end_text.clear();
      } else if (!is_iso_time(time)) {
        found.error(table->at(line, at), fmt::format("'{}' is not a time", shortened(time)),
                    "as sacctmgr writes it: 2027-01-15T08:42:02");
      }
    }
    if (is_iso_time(row.start_text) && is_iso_time(row.end_text) && row.end_text < row.start_text) {
      found.warning(table->at(line, *end),
                    fmt::format("{} is before its TimeStart, {}: left out", shortened(row.end_text),
                                shortened(row.start_text)),
                    "a node that is still away has the TimeEnd Unknown");
      continue;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<RuntimeRow> read_runtimes(const std::filesystem::path& path, Diagnostics& found) {
  constexpr std::array<CsvColumn, 3> kColumns = {
      {{"JobIDRaw"}, {"runtime_s"}, {"exit_code", false}}};
  std::vector<RuntimeRow> rows;
  const auto text = text::read_file(path, found);
  if (!text) return rows;
  std::map<std::uint32_t, std::uint32_t> lines;
  for (const auto& row : read_csv(*text, path.string(), kColumns, found)) {
    const auto job = text::parse_decimal32(row[0].text);
    const auto runtime = text::parse_decimal32(row[1].text);
    const auto code = row[2].text.empty() ? 0U : text::parse_decimal32(row[2].text);
    if (!job || *job == 0) {
      found.error(row[0].where,
                  fmt::format("JobIDRaw: '{}' is not a job number", shortened(row[0].text)));
    } else if (!runtime) {
      found.error(row[1].where, fmt::format("runtime_s: '{}' is not a whole number of seconds",
                                            shortened(row[1].text)));
    } else if (!code || *code > 255) {
      found.error(row[2].where,
                  fmt::format("exit_code: '{}' is not within 0 .. 255", shortened(row[2].text)));
    } else if (const auto [first, is_new] = lines.try_emplace(*job, row[0].where.line); !is_new) {
      found.error(row[0].where, fmt::format("job {} is already on line {}", *job, first->second));
    } else {
      rows.push_back({*job, Seconds{*runtime}, static_cast<std::int32_t>(*code)});
    }
  }
  return rows;
}

}  // namespace rehearse
