// sim/config/reservation_file.cpp — reservations.txt: what `scontrol show reservation` prints.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/hostlist.hpp"
#include "sim/config/reservation_values.hpp"
#include "sim/config/reservation_words.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"

namespace rehearse {
namespace {

// Read, or of no consequence here: State, counts and TRES follow from nodes and times.
constexpr std::array<std::string_view, 24> kKeys = {
    "ReservationName", "StartTime",     "EndTime",       "Duration",
    "Nodes",           "NodeCnt",       "CoreCnt",       "Features",
    "Flags",           "TRES",          "Users",         "Groups",
    "Accounts",        "Licenses",      "State",         "BurstBuffer",
    "Watts",           "MaxStartDelay", "NodeName",      "CoreIDs",
    "Comment",         "PartitionName", "PurgeCompTime", "AllowedPartitions"};

class FileReader {
 public:
  FileReader(const TimeZone& zone, Diagnostics& found) : zone_(zone), found_(found) {}

  void token(std::string_view key, std::string_view value, const SourcePosition& where) {
    at_ = where;
    const auto known = std::find_if(kKeys.begin(), kKeys.end(), [&](std::string_view each) {
      return equals_ignoring_case(each, key);
    });
    if (known == kKeys.end()) {
      found_.error(where, fmt::format("{} is no field of scontrol show reservation", shown(key)),
                   did_you_mean(key, kKeys));
      return;
    }
    if (*known == "ReservationName") {
      records_.emplace_back();
      records_.back().where = where;
      records_.back().name = value;
      return;
    }
    if (records_.empty()) {
      found_.error(where, fmt::format("{}= stands before the first ReservationName=", key),
                   "paste the whole output of scontrol show reservation");
      return;
    }
    if (value == "(null)" || value == "n/a" || value.empty()) return;
    take(*known, value, records_.back());
  }

  [[nodiscard]] std::vector<ReservationWords> take_records() { return std::move(records_); }

 private:
  void take(std::string_view key, std::string_view value, ReservationWords& record) {
    if (key == "StartTime" || key == "EndTime") {
      const auto at = zone_.read(value);
      if (!at) {
        found_.error(at_, fmt::format("{}: {} is not a time", key, shown(value)),
                     "as scontrol prints it: 2027-01-15T08:00:00");
      }
      (key == "StartTime" ? record.start : record.end) = at;
    } else if (key == "Duration") {
      record.duration = parse_time_minutes(value);
    } else if (key == "Nodes") {
      HostlistResult hosts = expand_hostlist(value);
      if (!hosts.error.empty()) found_.error(at_, "Nodes: " + hosts.error);
      record.nodes = NameListChange{NameListChange::How::Set, std::move(hosts.hosts), {}, at_};
    } else if (key == "Flags") {
      const FlagWords flags = read_flag_words(value, at_, found_);
      record.set = flags.flags;
      if (flags.purge_after) record.purge_after = *flags.purge_after;
    } else if (key == "Features") {
      record.features = std::string(value);
    } else if (key == "PartitionName") {
      record.partition = std::string(value);
    } else if (key == "Users") {
      record.users = read_names(value, false, at_, found_);
    } else if (key == "Accounts") {
      record.accounts = read_names(value, false, at_, found_);
    } else if (key == "Licenses") {
      record.licenses = read_license_words(value, at_, found_);
    } else if (key == "MaxStartDelay") {
      record.max_start_delay = parse_time_minutes(value);
    } else if (key == "NodeName") {
      record.core_ids.emplace_back(std::string(value), std::vector<std::uint32_t>{});
    } else if (key == "CoreIDs" && !record.core_ids.empty()) {
      const auto cores = parse_index_list(value, 65535);
      if (!cores) found_.error(at_, fmt::format("CoreIDs: {} is not a list", shown(value)));
      record.core_ids.back().second = cores.value_or(std::vector<std::uint32_t>{});
    } else if (key == "Groups") {
      found_.error(at_, "Groups= is not simulated: who is in a group stands in no file of a site",
                   "write Users= instead");
    }
  }

  const TimeZone& zone_;
  Diagnostics& found_;
  SourcePosition at_;
  std::vector<ReservationWords> records_;
};

void check_records(const std::vector<ReservationWords>& records, Diagnostics& found) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const ReservationWords& record = records[i];
    if (!record.start || !record.end) {
      found.error(record.where, fmt::format("reservation {} has no start or end", record.name),
                  "paste the whole record");
    }
    if (!record.users && !record.accounts) {
      found.error(record.where, fmt::format("reservation {} has no users or accounts", record.name),
                  "Slurm creates none such");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (records[j].name != record.name) continue;
      found.error(record.where, fmt::format("reservation {} is already on line {}", record.name,
                                            records[j].where.line));
    }
  }
}

}  // namespace

std::vector<ReservationWords> parse_reservations(std::string_view text, const std::string& file,
                                                 const TimeZone& zone, Diagnostics& found) {
  FileReader reader(zone, found);
  std::uint32_t number = 0;
  for (const std::string_view line : text::lines_of(text)) {
    ++number;
    const std::string_view head = trimmed(line);
    if (head.empty() || head.starts_with('#') || head.starts_with("No reservations in")) continue;
    // `Reservation data as of …` of -d is a title, not a record.
    if (head.starts_with("Reservation data as of")) continue;
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
        ++i;
        continue;
      }
      std::size_t end = std::min(line.find_first_of(" \t\r", i), line.size());
      const std::string_view word = line.substr(i, end - i);
      const SourcePosition where{file, number, static_cast<std::uint32_t>(i + 1)};
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) {
        found.error(where, fmt::format("{} is not Key=Value", shown(word)),
                    "scontrol show reservation prints Key=Value pairs");
      } else {
        reader.token(word.substr(0, equals), word.substr(equals + 1), where);
      }
      i = end;
    }
  }
  std::vector<ReservationWords> records = reader.take_records();
  check_records(records, found);
  return records;
}

std::vector<ReservationWords> read_reservations(const std::filesystem::path& path,
                                                const TimeZone& zone, Diagnostics& found) {
  const auto text = text::read_file(path, found);
  return text ? parse_reservations(*text, path.string(), zone, found)
              : std::vector<ReservationWords>{};
}

}  // namespace rehearse
