// sim/config/accounting_cell.cpp — one value of a dump or table, read as what its key demands.
#include "sim/config/accounting_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {

void AccountingCell::error(const std::string& what, const std::string& hint) const {
  found_.error(where_, fmt::format("{}: {}", key_, what), hint);
}

std::string AccountingCell::name() const {
  return to_lower(text_);
}

bool AccountingCell::is_operator() const {
  const std::string level = name();
  return level == "operator" || level == "administrator";
}

std::vector<std::string> AccountingCell::names() const {
  std::vector<std::string> names;
  for (const text::Piece& piece : text::split_at(text_, ',')) {
    const std::string_view word = trimmed(piece.text);
    if (!word.empty()) names.push_back(to_lower(word));
  }
  return names;
}

std::optional<std::uint32_t> AccountingCell::count() const {
  if (is_unset()) return std::nullopt;
  const auto value = text::parse_decimal32(text_);
  if (!value) {
    error(fmt::format("'{}' is not a number", shortened(text_)),
          "write a whole number, or -1 for no limit");
  }
  return value;
}

std::optional<Minutes> AccountingCell::minutes() const {
  if (is_unset()) return std::nullopt;
  const auto value = parse_time_minutes(text_);
  if (!value) {
    error(fmt::format("'{}' is not a time", shortened(text_)),
          "write minutes or D-HH:MM:SS, or -1 for no limit");
    return std::nullopt;
  }
  if (*value == kUnlimited) return std::nullopt;
  return value;
}

std::optional<Seconds> AccountingCell::seconds() const {
  if (is_unset()) return std::nullopt;
  if (const auto plain = text::parse_decimal32(text_)) return Seconds{*plain};
  const auto value = parse_elapsed(text_);
  if (!value) error(fmt::format("'{}' is not a time", shortened(text_)), "write [D-]HH:MM:SS");
  return value;
}

std::optional<double> AccountingCell::factor() const {
  if (text_.empty()) return std::nullopt;
  const auto value = text::parse_real(text_);
  if (!value) {
    error(fmt::format("'{}' is not a factor", shortened(text_)), "write a number such as 1.5");
    return std::nullopt;
  }
  if (*value < 0) return std::nullopt;  // negative: not set (limits.md §7.5)
  return value;
}

TresAmounts AccountingCell::tres() const {
  if (is_unset()) return {};
  return parse_tres_amounts(text_, where_, found_);
}

void AccountingCell::one_tres(std::string_view tres, TresAmounts& into) const {
  std::erase_if(into, [&](const TresAmount& amount) { return amount.tres == tres; });
  if (is_unset()) return;
  const auto value = text::parse_decimal(text_);
  if (!value) {
    error(fmt::format("'{}' is not a number", shortened(text_)),
          "write a whole number, or -1 for no limit");
    return;
  }
  into.push_back({std::string(tres), *value});
}

std::optional<std::uint32_t> AccountingCell::shares() const {
  constexpr std::uint32_t kParent = 2147483647;
  if (is_unset()) return 1;
  if (equals_ignoring_case(text_, "parent")) return std::nullopt;
  const auto value = text::parse_decimal32(text_);
  if (!value) {
    error(fmt::format("'{}' is not a number of shares", shortened(text_)),
          "write a whole number, or parent");
    return 1;
  }
  if (*value == kParent) return std::nullopt;
  return value;
}

void read_qos_list(const AccountingCell& cell, AssociationConf& association) {
  const std::vector<std::string> names = cell.names();
  if (names.empty() || cell.text() == "-1") return;
  const auto is_edit = [](const std::string& name) { return name[0] == '+' || name[0] == '-'; };
  const auto edits = std::count_if(names.begin(), names.end(), is_edit);
  if (edits > 0 && edits < static_cast<std::ptrdiff_t>(names.size())) {
    cell.error(fmt::format("'{}' mixes names and +/- edits", shortened(cell.text())),
               "write either a,b or +a,-b");
    return;
  }
  association.qos = names;
  association.qos_is_edit = edits > 0;
}

}  // namespace rehearse
