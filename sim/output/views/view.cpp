// sim/output/views/view.cpp — the two printers of Slurm's clients, and who is where at an instant.
#include "sim/output/views/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace rehearse {
namespace {

std::string joined(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : "|") + fields[i];
  return line + "\n";
}

std::vector<std::string> headers(const std::vector<ViewColumn>& columns) {
  std::vector<std::string> texts;
  for (const ViewColumn& column : columns) texts.push_back(column.header);
  return texts;
}

std::string padded(std::string text, const ViewColumn& column) {
  if (column.width == 0) return text;
  text = text.substr(0, column.width);
  const std::string blanks(column.width - text.size(), ' ');
  return column.left ? text + blanks : blanks + text;
}

}  // namespace

std::string ViewTable::as_squeue(const ViewOptions& options) const {
  std::string text;
  const auto add = [&](const std::vector<std::string>& fields) {
    if (options.parsable) {
      text += joined(fields);
      return;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += (i == 0 ? "" : " ") + padded(fields[i], columns[i]);
    }
    text += '\n';
  };
  if (!options.no_header) add(headers(columns));
  for (const auto& row : rows) add(row);
  return text;
}

std::string ViewTable::as_sacct(const ViewOptions& options) const {
  std::string text;
  const auto add = [&](const std::vector<std::string>& fields, bool marks_cuts) {
    if (options.parsable) {
      text += joined(fields);
      return;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string field = fields[i];
      if (marks_cuts && field.size() > columns[i].width) {
        field = field.substr(0, columns[i].width - 1) + "+";
      }
      text += padded(field, columns[i]) + ' ';
    }
    text += '\n';
  };
  if (!options.no_header) {
    add(headers(columns), false);
    std::vector<std::string> dashes;
    for (const ViewColumn& column : columns) dashes.emplace_back(column.width, '-');
    if (!options.parsable) add(dashes, false);
  }
  for (const auto& row : rows) add(row, true);
  return text;
}

View ViewTable::view(Print print, const ViewOptions& options, std::string note) const {
  View view{{}, std::move(note), {}};
  if (!options.json) {
    view.text = (this->*print)(options);
    return view;
  }
  for (const auto& row : rows) {
    ViewRow& fields = view.rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fields.emplace_back(columns[i].key.empty() ? columns[i].header : columns[i].key, row[i]);
    }
  }
  return view;
}

std::string heading(const Result& result, const ViewOptions& options) {
  if (!options.long_form || options.no_header || options.parsable || options.json) return {};
  return ctime_text(zone_of(result), options.at.value_or(result.end)) + "\n";
}

Standing standing_at(const RunColumns& runs, std::size_t row, std::int64_t at) {
  if (runs.submit[row] > at) return Standing::Absent;
  if (runs.end[row] != kNoTime && runs.end[row] <= at) return Standing::Ended;
  const std::int64_t allocated = runs.start[row] - std::int64_t{runs.configuring_s[row]};
  if (runs.start[row] != kNoTime && allocated <= at) return Standing::Running;
  return Standing::Pending;
}

std::map<std::uint32_t, StoodStill> stood_still_at(const Result& result, std::int64_t at) {
  std::map<std::uint32_t, StoodStill> found;
  const SuspensionColumns& all = result.suspensions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.begin[i] > at) continue;
    const bool lasts = all.end[i] == kNoTime || all.end[i] > at;
    StoodStill& row = found[all.run[i]];
    row.seconds += (lasts ? at : all.end[i]) - all.begin[i];
    row.is_suspended = row.is_suspended || lasts;
    row.lends_cores = row.lends_cores || (lasts && all.lends_cores[i] != 0);
  }
  return found;
}

std::vector<std::uint32_t> completing_at(const Result& result, std::int64_t at) {
  const CompletingColumns& all = result.completing;
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool keeps = all.end[i] == kNoTime || all.end[i] > at;
    if (keeps && result.runs.end[all.run[i]] <= at) rows.push_back(all.run[i]);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::uint32_t> waits_at(const Result& result, std::int64_t at) {
  const WaitColumns& waits = result.waits;
  // At the very end the last interval of a job that still waits is the present one.
  const bool is_end = at >= result.end;
  std::vector<std::uint32_t> found(result.runs.size(), kNoRow);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const bool covers =
        waits.begin[i] <= at && (at < waits.end[i] || (is_end && at == waits.end[i]));
    if (covers) found[waits.run[i]] = static_cast<std::uint32_t>(i);
  }
  // Rows split off later waited as part of the row before them, which stands before them here.
  for (std::size_t row = 0; row < found.size(); ++row) {
    const std::uint32_t before = result.runs.split_from[row];
    if (found[row] == kNoRow && before != kNoRow) found[row] = found[before];
  }
  return found;
}

std::string squeue_time(std::int64_t seconds) {
  constexpr std::int64_t kDay = 86400;
  if (seconds < 0 || seconds > 365 * kDay) return "INVALID";
  const std::int64_t days = seconds / kDay;
  const std::int64_t hours = seconds / 3600 % 24;
  const std::int64_t minutes = seconds / 60 % 60;
  if (days > 0) return fmt::format("{}-{:02}:{:02}:{:02}", days, hours, minutes, seconds % 60);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, seconds % 60);
  return fmt::format("{}:{:02}", minutes, seconds % 60);
}

std::string ctime_text(const TimeZone& zone, std::int64_t at) {
  constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::int64_t local = at + zone.offset_at(from_epoch_seconds(at)).count();
  const std::chrono::sys_days day{
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds{Seconds{local}})};
  const std::chrono::year_month_day date{day};
  const std::int64_t second = local - std::int64_t{day.time_since_epoch().count()} * 86400;
  return fmt::format(
      "{} {} {:2} {:02}:{:02}:{:02} {}", kDays[std::chrono::weekday{day}.c_encoding()],
      kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<unsigned>(date.day()),
      second / 3600, second / 60 % 60, second % 60, static_cast<int>(date.year()));
}

TimeZone zone_of(const Result& result) {
  return TimeZone::find(result.cluster.time_zone).value_or(TimeZone::utc());
}

}  // namespace rehearse
