// sim/config/gres_spec.cpp — the text of Gres= on a NodeName line (gres.md §1.2).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/config/gres_conf.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// Entries at commas outside parentheses, each without its parenthesised tail.
std::vector<std::string_view> split_entries(std::string_view text) {
  std::vector<std::string_view> entries;
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') inside = true;
    if (i < text.size() && text[i] == ')') inside = false;
    if (i < text.size() && (inside || text[i] != ',')) continue;
    const std::string_view entry = text.substr(start, i - start);
    entries.push_back(trimmed(entry.substr(0, entry.find('('))));
    start = i + 1;
  }
  return entries;
}

/// What befell one entry beside its parts.
struct EntryText {
  bool is_bare = false;  ///< a name alone
  bool has_gap = false;  ///< a part is empty: `gpu:`, `gpu::2`
  std::string error;
};

/// `name[:type][:no_consume][:count]`; false after an error.
bool parse_entry(std::string_view entry, GresSpec& spec, EntryText& found) {
  std::string& error = found.error;
  std::vector<std::string_view> fields;
  for (std::size_t start = 0; start <= entry.size();) {
    const std::size_t end = std::min(entry.find(':', start), entry.size());
    fields.push_back(entry.substr(start, end - start));
    start = end + 1;
  }
  found.is_bare = fields.size() == 1;
  spec.name = fields.front();
  if (spec.name.empty() || std::any_of(entry.begin(), entry.end(), is_blank)) {
    error = "is not NAME[:TYPE][:COUNT]";
    return false;
  }
  fields.erase(fields.begin());
  const bool ends_in_gap = !fields.empty() && fields.back().empty();
  found.has_gap = std::erase(fields, std::string_view{}) > 0;
  if (ends_in_gap && !fields.empty() && is_digit(fields.back()[0])) {
    error = "has a count that is none, with a colon behind it";  // slurmctld takes it for a type
    return false;
  }
  // A field that starts like a number is the count, if it is the last.
  if (!fields.empty() && (is_digit(fields.back()[0]) || fields.back()[0] == '-')) {
    const std::optional<std::uint64_t> count = parse_gres_count(fields.back());
    if (!count) {
      error = fmt::format("has no valid count: {}", shown(fields.back()));
      return false;
    }
    spec.count = *count;
    fields.pop_back();
  }
  if (!fields.empty() && equals_ignoring_case(fields.back(), "no_consume")) {
    spec.no_consume = true;
    fields.pop_back();
  }
  if (!fields.empty()) {
    spec.type = fields.front();
    fields.erase(fields.begin());
  }
  if (!fields.empty()) error = "has more parts than NAME:TYPE:COUNT";
  return fields.empty();
}

void check_types(const std::vector<GresSpec>& specs, const SourcePosition& where,
                 Diagnostics& found) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto twin = std::find_if(specs.begin(), specs.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const GresSpec& s) { return s.name == specs[i].name; });
    if (twin == specs.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    if (twin->type.empty() == specs[i].type.empty()) continue;
    found.error(
        where,
        fmt::format("Gres: some entries of {} have a type, others have none", shown(specs[i].name)),
        "give every entry a type, or none");
    return;
  }
}

}  // namespace

std::optional<std::uint64_t> parse_gres_count(std::string_view text) {
  std::size_t digits = 0;
  std::uint64_t value = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    const auto digit = static_cast<std::uint64_t>(text[digits] - '0');
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
    ++digits;
  }
  if (digits == 0) return std::nullopt;
  std::string_view suffix = text.substr(digits);
  if (suffix.empty()) return value;
  constexpr std::string_view kUnits = "kmgtp";
  const std::size_t power = kUnits.find(lower(suffix.front()));
  if (power == std::string_view::npos) return std::nullopt;
  suffix.remove_prefix(1);
  const bool decimal = equals_ignoring_case(suffix, "B");
  if (!decimal && !suffix.empty() && !equals_ignoring_case(suffix, "iB")) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) {
    const std::uint64_t step = decimal ? 1000 : 1024;
    if (value > std::numeric_limits<std::uint64_t>::max() / step) return std::nullopt;
    value *= step;
  }
  return value;
}

std::vector<GresSpec> parse_gres_spec(std::string_view text, const SourcePosition& where,
                                      Diagnostics& found) {
  std::vector<GresSpec> specs;
  std::vector<std::string> ended;  // names whose scan a bare entry ended
  if (trimmed(text).empty()) return specs;
  bool has_empty = false;
  for (const std::string_view entry : split_entries(text)) {
    has_empty |= entry.empty();
    if (entry.empty()) continue;
    GresSpec spec;
    EntryText read;
    if (!parse_entry(entry, spec, read)) {
      found.error(where, fmt::format("Gres: {} {}", shown(entry), read.error),
                  "write for example gpu:4, gpu:a100:8 or gpu:1g.5gb:14");
      continue;
    }
    if (read.has_gap) {
      found.warning(
          where,
          fmt::format("Gres: {} has nothing behind a colon; Slurm passes over it, and counts {}",
                      shown(entry), spec.count),
          fmt::format("write {}{}{}:{}", shortened(spec.name), spec.type.empty() ? "" : ":",
                      shortened(spec.type), spec.count));
    }
    if (std::find(ended.begin(), ended.end(), spec.name) != ended.end()) {
      found.warning(where,
                    fmt::format("Gres: {} is not read, as {} without count stands before it",
                                shown(entry), shown(spec.name)),
                    fmt::format("write {}:1", shortened(spec.name)));
      continue;
    }
    if (read.is_bare) ended.push_back(spec.name);
    specs.push_back(std::move(spec));
  }
  if (has_empty) {
    found.warning(where,
                  fmt::format("Gres: an entry of {} is empty; Slurm passes over it", shown(text)),
                  "remove the comma");
  }
  check_types(specs, where, found);
  return specs;
}

}  // namespace rehearse
