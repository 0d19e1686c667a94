// sim/config/tres_text.cpp — TRES strings of limits, read as the site meant them (limits.md §11.1).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/config/accounting.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

// The eight that always exist, by id (limits.md §2).
constexpr std::array<std::string_view, 8> kById = {"cpu",     "mem",     "energy", "node",
                                                   "billing", "fs/disk", "vmem",   "pages"};
constexpr std::array<std::string_view, 7> kPlain = {"cpu",     "mem",  "energy", "node",
                                                    "billing", "vmem", "pages"};
constexpr std::array<std::string_view, 5> kTyped = {"gres", "license", "bb", "fs", "ic"};
// Names that people write without their type.
constexpr std::array<std::string_view, 4> kGresNames = {"gpu", "mps", "shard", "nic"};

bool contains(auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string hint_for(std::string_view name, std::string_view value) {
  const std::string_view bare = name.substr(0, name.find(':'));
  if (contains(kGresNames, bare)) return fmt::format("gres/{}={}", name, value);
  if (bare == "license" || bare == "licenses") return "license/NAME=number";
  return did_you_mean(name, kPlain);
}

/// The full lower-case name, or nothing where there is no such TRES.
std::optional<std::string> tres_name(std::string_view written) {
  std::string name = to_lower(written);
  if (const auto id = text::parse_decimal(name)) {
    if (*id < 1 || *id > kById.size()) return std::nullopt;
    return std::string(kById[*id - 1]);
  }
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) {
    if (contains(kPlain, name)) return name;
    return std::nullopt;
  }
  // The type before the slash may be cut to a beginning; what follows must be whole.
  const std::string_view type = std::string_view(name).substr(0, slash);
  const std::string_view rest = std::string_view(name).substr(slash + 1);
  if (type.empty() || rest.empty() || rest.front() == ':' || rest.back() == ':') {
    return std::nullopt;
  }
  for (const std::string_view full : kTyped) {
    if (full.starts_with(type)) return fmt::format("{}/{}", full, rest);
  }
  return std::nullopt;
}

struct Amount {
  std::optional<std::uint64_t> value;
  bool is_fraction = false;
};

/// `16`, `2G`, `1.50G`: in the base unit (MiB where the base is memory).
Amount parse_amount(std::string_view written, bool is_memory) {
  constexpr std::string_view kUnits = "KMGTP";
  Amount amount;
  std::string_view digits = written;
  int power = 0;  // of 1024
  if (!digits.empty()) {
    const std::string upper = to_lower(digits.substr(digits.size() - 1));
    const std::size_t unit = to_lower(kUnits).find(upper);
    if (unit != std::string::npos) {
      power = static_cast<int>(unit) + 1 - (is_memory ? 2 : 0);
      digits.remove_suffix(1);
    }
  }
  const bool plain = !digits.empty() && digits.find_first_not_of("0123456789.") == digits.npos;
  if (!plain) return amount;
  amount.is_fraction = digits.find('.') != digits.npos;
  if (!amount.is_fraction && power >= 0) {
    const auto whole = text::parse_decimal(digits);
    if (!whole || (power > 0 && *whole >> (64 - 10 * power) != 0)) return amount;
    amount.value = *whole << (10 * power);
    return amount;
  }
  const auto real = text::parse_real(digits);
  if (!real) return amount;
  // Rounded to a whole base unit: 2 decimals are all that Slurm prints.
  const double scaled = std::round(std::ldexp(*real, 10 * power));
  if (scaled >= 0 && scaled < 9.0e18) amount.value = static_cast<std::uint64_t>(scaled);
  return amount;
}

void parse_one(std::string_view written, const SourcePosition& where, TresAmounts& amounts,
               Diagnostics& found) {
  const std::size_t equals = written.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    found.error(where, fmt::format("'{}' is not NAME=number", shortened(written)),
                "write TRES as cpu=4,mem=16G,gres/gpu=2");
    return;
  }
  const std::string_view value = written.substr(equals + 1);
  const std::optional<std::string> name = tres_name(written.substr(0, equals));
  if (!name) {
    const std::string lower = to_lower(written.substr(0, equals));
    found.error(where, fmt::format("no TRES known by type {}", shortened(lower)),
                hint_for(lower, value));
    return;
  }
  const auto same = [&](const TresAmount& other) { return other.tres == *name; };
  if (std::any_of(amounts.begin(), amounts.end(), same)) {
    found.error(where, fmt::format("{} is given twice", *name));
    return;
  }
  if (value == "-1") return;  // clears: not set
  const bool is_memory = *name == "mem" || name->starts_with("bb/");
  const Amount amount = parse_amount(value, is_memory);
  const SourcePosition value_at = text::shifted(where, equals + 1);
  if (!amount.value) {
    found.error(value_at, fmt::format("{}: '{}' is not an amount", *name, shortened(value)),
                is_memory ? "write a number with K, M, G, T or P; without a unit it is MB"
                          : "write a whole number");
    return;
  }
  if (amount.is_fraction) {
    const std::string meant =
        is_memory ? fmt::format("{} MB", *amount.value) : fmt::format("{}", *amount.value);
    found.warning(value_at, fmt::format("{}={} is read as {}", *name, value, meant),
                  "sacctmgr load would drop the fraction and the unit; write a whole number");
  }
  amounts.push_back({*name, *amount.value});
}

}  // namespace

TresAmounts parse_tres_amounts(std::string_view text, const SourcePosition& where,
                               Diagnostics& found) {
  TresAmounts amounts;
  if (text.empty()) return amounts;
  for (const text::Piece& piece : text::split_at(text, ',')) {
    if (piece.text.empty()) continue;
    parse_one(piece.text, text::shifted(where, piece.offset), amounts, found);
  }
  return amounts;
}

}  // namespace rehearse
