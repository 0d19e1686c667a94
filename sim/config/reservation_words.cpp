// sim/config/reservation_words.cpp — `scontrol create|update|delete reservation`, word by word, and
// what scontrol itself refuses before it asks the controller.
#include "sim/config/reservation_words.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "sim/config/hostlist.hpp"
#include "sim/config/reservation_values.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/time_words.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// A word as the shell hands it on, and where it begins.
struct ShellWord {
  std::string text;
  std::size_t offset = 0;
};

std::vector<ShellWord> shell_words(std::string_view line) {
  std::vector<ShellWord> words;
  char quote = 0;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool blank = quote == 0 && (c == ' ' || c == '\t');
    if (blank) {
      inside = false;
      continue;
    }
    if (!inside) words.push_back({{}, i});
    inside = true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back().text += c;
    }
  }
  return words;
}

// In the order in which an abbreviation is tried.
constexpr std::array<std::string_view, 20> kKeys = {
    "ReservationName", "StartTime",   "EndTime", "Duration", "Nodes",
    "NodeCnt",         "CoreCnt",     "Flags",   "Features", "Licenses",
    "PartitionName",   "Users",       "Groups",  "Accounts", "TRES",
    "MaxStartDelay",   "BurstBuffer", "Watts",   "Skip",     "Comment"};

class Reader {
 public:
  Reader(const SourcePosition& where, SlurmTime now, const TimeZone& zone, Diagnostics& found)
      : where_(where), now_(now), zone_(zone), found_(found) {
    words_.where = where;
  }

  void read(const ShellWord& word) {
    at_ = text::shifted(where_, word.offset);
    const std::size_t equals = word.text.find('=');
    std::string_view key = std::string_view(word.text).substr(0, equals);
    std::string_view value;
    sign_ = 0;
    if (equals != std::string::npos) {
      value = std::string_view(word.text).substr(equals + 1);
      if (!key.empty() && (key.back() == '+' || key.back() == '-')) {
        sign_ = key.back();
        key.remove_suffix(1);
      }
    }
    for (const std::string_view known : kKeys) {
      if (text::abbreviates(key, known, 3)) {
        take(known, trimmed(value));
        return;
      }
    }
    const std::string nearest = did_you_mean(key, kKeys);
    found_.error(
        at_, fmt::format("{} is not a word of a reservation", shown(key)),
        nearest.empty() ? "ReservationName=, StartTime=, Duration=, Nodes=, Users= …" : nearest);
  }

  [[nodiscard]] ReservationWords& words() { return words_; }
  [[nodiscard]] bool has_groups() const { return has_groups_; }

 private:
  void take(std::string_view key, std::string_view value) {
    if (key == "ReservationName") {
      words_.name = value;
    } else if (key == "StartTime") {
      words_.start = moment(key, value);
    } else if (key == "EndTime") {
      words_.end = moment(key, value);
    } else if (key == "Duration") {
      const auto span = minutes(key, value);
      if (sign_ == 0) {
        words_.duration = span;
      } else if (span) {
        words_.duration_change = sign_ == '-' ? -*span : *span;
      }
    } else if (key == "Nodes") {
      take_nodes(value);
    } else if (key == "NodeCnt") {
      words_.node_counts = read_counts(value, at_, found_);
    } else if (key == "CoreCnt") {
      words_.core_counts = read_counts(value, at_, found_);
    } else if (key == "Flags") {
      take_flags(value);
    } else if (key == "Features") {
      words_.features = std::string(value);
    } else if (key == "Licenses") {
      words_.licenses = read_license_words(value, at_, found_);
    } else if (key == "PartitionName") {
      words_.partition = std::string(value);
    } else if (key == "Users") {
      words_.users = names(value);
    } else if (key == "Accounts") {
      words_.accounts = names(value);
    } else if (key == "TRES") {
      take_tres(value);
    } else if (key == "MaxStartDelay") {
      words_.max_start_delay = minutes(key, value);
    } else if (key == "Skip") {
      words_.skip = true;
    } else if (key == "Groups") {
      has_groups_ = true;
      found_.error(at_, "Groups= is not simulated: who is in a group stands in no file of a site",
                   "name the users: Users=a,b");
    } else if (key != "Comment") {
      found_.error(at_, fmt::format("{}= is not simulated", key), "leave it out");
    }
  }

  std::optional<SlurmTime> moment(std::string_view key, std::string_view value) {
    const auto at = read_time_words(value, now_, zone_);
    if (!at) {
      found_.error(at_, fmt::format("{}: {} is not a moment", key, shown(value)),
                   "now+90minutes, 2027-01-15T08:00:00, tomorrow, 16:30 …");
    }
    return at;
  }

  std::optional<Minutes> minutes(std::string_view key, std::string_view value) {
    const auto span = parse_time_minutes(value);
    if (!span) {
      found_.error(
          at_, fmt::format("{}: {} is not a span", key, shown(value)),
          !creates_ && (value.starts_with('+') || value.starts_with('-'))
              ? fmt::format("a change is {}{}={}", key, value.substr(0, 1), value.substr(1))
              : "minutes, HH:MM:SS, D-HH:MM or UNLIMITED");
    }
    return span;
  }

  NameListChange names(std::string_view value) {
    // `-=` denies where the reservation is made, and takes away where it is changed (scontrol.1).
    NameListChange change = read_names(value, sign_ == '-' && creates_, at_, found_);
    if (!creates_ && sign_ != 0) {
      change.how = sign_ == '+' ? NameListChange::How::Add : NameListChange::How::Remove;
    }
    return change;
  }

  void take_nodes(std::string_view value) {
    words_.all_nodes = equals_ignoring_case(value, "ALL");
    NameListChange change;
    change.where = at_;
    if (sign_ != 0) {
      change.how = sign_ == '+' ? NameListChange::How::Add : NameListChange::How::Remove;
    }
    if (!words_.all_nodes) {
      HostlistResult hosts = expand_hostlist(value);
      if (!hosts.error.empty()) found_.error(at_, "Nodes: " + hosts.error);
      change.allowed = std::move(hosts.hosts);
    }
    words_.nodes = std::move(change);
  }

  void take_flags(std::string_view value) {
    const FlagWords read = read_flag_words(value, at_, found_);
    if (read.purge_after) words_.purge_after = *read.purge_after;
    (sign_ == '-' ? words_.removed : words_.set).add(read.flags);
    words_.replaces_flags = words_.replaces_flags || sign_ == 0;
  }

  /// `cpu=5,license/iop1=2`; `cpu=2,2,1` goes on over its commas.
  void take_tres(std::string_view value) {
    std::vector<std::uint32_t>* counts = nullptr;
    for (const std::string_view item : split_list(value)) {
      const std::size_t equals = item.find('=');
      if (equals == std::string_view::npos && counts != nullptr) {
        for (const std::uint32_t count : read_counts(item, at_, found_)) counts->push_back(count);
        continue;
      }
      const std::string name = to_lower(item.substr(0, equals));
      const std::string_view amount =
          equals == std::string_view::npos ? std::string_view{} : item.substr(equals + 1);
      counts = nullptr;
      if (name == "cpu" || name == "node") {
        counts = name == "cpu" ? &words_.core_counts : &words_.node_counts;
        *counts = read_counts(amount, at_, found_);
      } else if (name.starts_with("license/")) {
        if (!words_.licenses) words_.licenses.emplace();
        for (auto& license : read_license_words(
                 fmt::format("{}:{}", item.substr(8, equals - 8), amount), at_, found_)) {
          words_.licenses->push_back(std::move(license));
        }
      } else {
        found_.error(at_, fmt::format("TRES: {} cannot be reserved", shown(item)),
                     "cpu=, node= and license/NAME=");
      }
    }
  }

 public:
  bool creates_ = true;

 private:
  SourcePosition where_, at_;
  SlurmTime now_;
  const TimeZone& zone_;
  Diagnostics& found_;
  ReservationWords words_;
  char sign_ = 0;  // before the `=`
  bool has_groups_ = false;
};

/// What scontrol or the controller refuses whatever the state of the cluster is.
void check_creation(const ReservationWords& words, Diagnostics& found) {
  const auto refuse = [&](std::string_view what, std::string_view hint) {
    found.error(words.where, std::string(what), std::string(hint));
  };
  if (!words.start) refuse("a reservation without StartTime= is not created", "StartTime=now");
  if (!words.end && !words.duration) {
    refuse("a reservation without EndTime= or Duration= is not created", "Duration=60 [min]");
  }
  if (words.start && words.end && *words.end <= *words.start) {
    refuse("the reservation ends before it starts", "EndTime= after StartTime=");
  } else if (words.start && words.end && words.duration &&
             *words.start + *words.duration != *words.end) {
    refuse("StartTime + Duration is not EndTime", "leave one of them out");
  }
  if (!words.users && !words.accounts) {
    refuse("a reservation without Users= and Accounts= is not created", "Users=root");
  }
  const bool any = words.nodes || !words.node_counts.empty() || !words.core_counts.empty() ||
                   words.licenses || words.partition;
  if (!any) {
    refuse("a reservation of nothing is not created", "Nodes=, NodeCnt=, CoreCnt= or Licenses=");
  }
  if (words.licenses && !words.nodes && words.node_counts.empty() && words.core_counts.empty() &&
      !words.partition && !words.set.has(ReservationFlag::AnyNodes)) {
    refuse("licences without nodes need Flags=LICENSE_ONLY", "Flags=LICENSE_ONLY, or NodeCnt=");
  }
  if (words.set.has(ReservationFlag::PartNodes) && !(words.partition && words.all_nodes)) {
    refuse("PART_NODES needs a partition and all nodes", "PartitionName=… Nodes=ALL");
  }
  const bool replaces =
      words.set.has(ReservationFlag::Replace) || words.set.has(ReservationFlag::ReplaceDown);
  if (replaces && words.nodes) {
    refuse("REPLACE and REPLACE_DOWN choose nodes: Nodes= is refused with them", "NodeCnt=");
  }
  if (replaces && !words.core_counts.empty()) {
    refuse("REPLACE and REPLACE_DOWN choose nodes: CoreCnt= is refused with them", "NodeCnt=");
  }
  if (words.set.has(ReservationFlag::TimeFloat) && words.set.recurs()) {
    refuse("a floating reservation cannot recur", "TIME_FLOAT, or DAILY and its like");
  }
}

}  // namespace

bool names_a_reservation(std::string_view word) {
  return text::abbreviates(word.substr(0, word.find('=')), "ReservationName", 3);
}

std::optional<ReservationCommand> read_reservation_command(std::string_view command,
                                                           const SourcePosition& where,
                                                           SlurmTime now, const TimeZone& zone,
                                                           Diagnostics& found) {
  const std::size_t before = found.error_count();
  const std::vector<ShellWord> words = shell_words(command);
  ReservationCommand read;
  const std::string verb = words.size() > 1 ? to_lower(words[1].text) : "";
  read.verb = verb == "create"   ? ReservationVerb::Create
              : verb == "delete" ? ReservationVerb::Delete
                                 : ReservationVerb::Update;
  Reader reader(where, now, zone, found);
  reader.creates_ = read.verb == ReservationVerb::Create;
  for (std::size_t i = 2; i < words.size(); ++i) {
    // `create reservation NAME=…`, `create ReservationName=…`, `delete reservation=x`.
    const bool is_noun = words[i].text.find('=') == std::string::npos && i == 2;
    if (is_noun && names_a_reservation(words[i].text)) continue;
    reader.read(words[i]);
  }
  read.words = std::move(reader.words());
  if (read.verb == ReservationVerb::Create) {
    check_creation(read.words, found);
  } else if (read.words.name.empty()) {
    found.error(where, fmt::format("scontrol {}: which reservation?", verb), "ReservationName=…");
  }
  if (found.error_count() > before) return std::nullopt;
  return read;
}

}  // namespace rehearse
