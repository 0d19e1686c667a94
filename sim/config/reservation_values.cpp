// sim/config/reservation_values.cpp — flags, names, licences and counts of a reservation.
#include "sim/config/reservation_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/hostlist.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

struct FlagWord {
  std::string_view word;
  ReservationFlag flag;
};
// As printed first; the spellings that are only read come after.
constexpr std::array<FlagWord, 27> kFlagWords = {{
    {"MAINT", ReservationFlag::Maint},
    {"OVERLAP", ReservationFlag::Overlap},
    {"IGNORE_JOBS", ReservationFlag::IgnoreJobs},
    {"HOURLY", ReservationFlag::Hourly},
    {"DAILY", ReservationFlag::Daily},
    {"WEEKDAY", ReservationFlag::Weekday},
    {"WEEKEND", ReservationFlag::Weekend},
    {"WEEKLY", ReservationFlag::Weekly},
    {"SPEC_NODES", ReservationFlag::SpecNodes},
    {"ALL_NODES", ReservationFlag::AllNodes},
    {"ANY_NODES", ReservationFlag::AnyNodes},
    {"STATIC", ReservationFlag::StaticAlloc},
    {"PART_NODES", ReservationFlag::PartNodes},
    {"FIRST_CORES", ReservationFlag::FirstCores},
    {"TIME_FLOAT", ReservationFlag::TimeFloat},
    {"REPLACE", ReservationFlag::Replace},
    {"REPLACE_DOWN", ReservationFlag::ReplaceDown},
    {"PURGE_COMP", ReservationFlag::PurgeComp},
    {"NO_HOLD_JOBS_AFTER_END", ReservationFlag::NoHoldJobsAfter},
    {"FLEX", ReservationFlag::Flex},
    {"MAGNETIC", ReservationFlag::Magnetic},
    {"MAINTENANCE", ReservationFlag::Maint},
    {"LICENSE_ONLY", ReservationFlag::AnyNodes},
    {"LICENSES_ONLY", ReservationFlag::AnyNodes},
    {"STATIC_ALLOC", ReservationFlag::StaticAlloc},
    {"NO_HOLD_JOBS_AFTER", ReservationFlag::NoHoldJobsAfter},
    {"IGN_JOBS", ReservationFlag::IgnoreJobs},
}};

}  // namespace

bool ReservationFlags::recurs() const {
  return has(ReservationFlag::Hourly) || has(ReservationFlag::Daily) ||
         has(ReservationFlag::Weekly) || has(ReservationFlag::Weekday) ||
         has(ReservationFlag::Weekend);
}

std::string to_text(ReservationFlags flags) {
  std::string text;
  ReservationFlags told;
  for (const FlagWord& each : kFlagWords) {
    if (!flags.has(each.flag) || told.has(each.flag)) continue;
    told.set(each.flag);
    if (!text.empty()) text += ',';
    text += each.word;
  }
  return text;
}

FlagWords read_flag_words(std::string_view text, const SourcePosition& where, Diagnostics& found) {
  FlagWords read;
  for (std::string_view word : split_list(text)) {
    const std::size_t equals = word.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
    const std::string_view name = word.substr(0, equals);
    const auto known = std::find_if(kFlagWords.begin(), kFlagWords.end(), [&](const FlagWord& f) {
      return equals_ignoring_case(f.word, name);
    });
    if (known == kFlagWords.end()) {
      std::vector<std::string_view> words;
      for (const FlagWord& each : kFlagWords) words.push_back(each.word);
      const std::string nearest = did_you_mean(name, words);
      found.error(where, fmt::format("Flags: {} is not a flag of a reservation", shown(name)),
                  nearest.empty() ? "MAINT, FLEX, MAGNETIC, DAILY, WEEKLY, IGNORE_JOBS, OVERLAP …"
                                  : nearest);
      continue;
    }
    read.flags.set(known->flag);
    if (value.empty()) continue;
    const auto span =
        known->flag == ReservationFlag::PurgeComp ? parse_time_minutes(value) : std::nullopt;
    if (!span) {
      found.error(where, fmt::format("Flags: {} takes no such value", shown(word)),
                  "only PURGE_COMP=TIME has one");
    } else {
      read.purge_after = *span;
    }
  }
  return read;
}

NameListChange read_names(std::string_view text, bool deny, const SourcePosition& where,
                          Diagnostics& found) {
  NameListChange names;
  names.where = where;
  for (std::string_view name : split_list(text)) {
    const bool minus = name.starts_with('-');
    if (minus) name.remove_prefix(1);
    (minus || deny ? names.denied : names.allowed).emplace_back(name);
  }
  if (!names.allowed.empty() && !names.denied.empty()) {
    found.error(where, fmt::format("{}: some names are denied and some are not", shown(text)),
                "Slurm refuses the mixture: write all with '-', or none");
  }
  return names;
}

std::vector<ReservationLicense> read_license_words(std::string_view text,
                                                   const SourcePosition& where,
                                                   Diagnostics& found) {
  std::vector<ReservationLicense> licenses;
  for (const std::string_view word : split_list(text)) {
    const std::size_t mark = word.find_first_of(":=");
    ReservationLicense license{std::string(word.substr(0, mark)), 1};
    if (mark != std::string_view::npos) {
      const auto count = text::parse_decimal32(word.substr(mark + 1));
      if (!count) {
        found.error(where, fmt::format("Licenses: {} has no count", shown(word)), "name:count");
        continue;
      }
      license.count = *count;
    }
    licenses.push_back(std::move(license));
  }
  return licenses;
}

std::vector<std::uint32_t> read_counts(std::string_view text, const SourcePosition& where,
                                       Diagnostics& found) {
  std::vector<std::uint32_t> counts;
  for (std::string_view word : split_list(text)) {
    const bool thousands = word.ends_with('k') || word.ends_with('K');
    if (thousands) word.remove_suffix(1);
    const auto count = text::parse_decimal32(word);
    if (!count || *count > 4'000'000) {
      found.error(where, fmt::format("{} is not a count", shown(word)),
                  "a number, or several: 4,2");
      return {};
    }
    counts.push_back(thousands ? *count * 1024 : *count);
  }
  return counts;
}

}  // namespace rehearse
