// sim/config/accounting_cell.hpp — one value of a dump or table, read as what its key demands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/accounting.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// A value, the key it stands under and its place. Every reader reports what it cannot read and
/// then answers as if nothing had been given. `-1` and an empty text mean "not set" throughout.
class AccountingCell {
 public:
  AccountingCell(std::string_view key, std::string_view text, SourcePosition where,
                 Diagnostics& found)
      : key_(key), text_(text), where_(std::move(where)), found_(found) {}

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const SourcePosition& where() const { return where_; }

  /// Lower case, as sacctmgr stores names.
  [[nodiscard]] std::string name() const;
  /// AdminLevel: Operator or Administrator.
  [[nodiscard]] bool is_operator() const;
  /// A comma list of names, lower case, empty members dropped.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::optional<std::uint32_t> count() const;
  /// Minutes, or a time string, rounded up (limits.md §11.2).
  [[nodiscard]] std::optional<Minutes> minutes() const;
  /// `[D-]HH:MM:SS`, as show prints GraceTime.
  [[nodiscard]] std::optional<Seconds> seconds() const;
  [[nodiscard]] std::optional<double> factor() const;
  [[nodiscard]] TresAmounts tres() const;
  /// The old single forms: a bare number of one TRES.
  void one_tres(std::string_view tres, TresAmounts& into) const;
  /// Shares: a number; none for `parent` and its code 2147483647.
  [[nodiscard]] std::optional<std::uint32_t> shares() const;

  void error(const std::string& what, const std::string& hint = {}) const;

 private:
  [[nodiscard]] bool is_unset() const { return text_.empty() || text_ == "-1"; }

  std::string_view key_;
  std::string_view text_;
  SourcePosition where_;
  Diagnostics& found_;
};

/// Reads a QOS list into the association: names, or `+x`/`-x` edits of the parent's.
void read_qos_list(const AccountingCell& cell, AssociationConf& association);

}  // namespace rehearse
