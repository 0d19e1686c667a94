// sim/config/conf_record.hpp — the keys of one record with what DEFAULT lines said before, and
// their values as typed numbers, times and lists.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/conf_lexer.hpp"
#include "sim/config/slurm_conf.hpp"

namespace rehearse {

/// Pairs by key, any case; a later pair replaces an earlier one. The pairs must outlive the record.
class ConfRecord {
 public:
  void set_own(const ConfPair& pair) { set(own_, pair); }
  void set_default(const ConfPair& pair) { set(defaults_, pair); }
  /// What stood on this line becomes default of later lines.
  void make_own_default();
  void clear_own() { own_.clear(); }
  void drop_default(std::string_view key);

  [[nodiscard]] const ConfPair* own(std::string_view key) const { return find(own_, key); }
  [[nodiscard]] const ConfPair* inherited(std::string_view key) const {
    return find(defaults_, key);
  }
  /// The line's own, else the default's.
  [[nodiscard]] const ConfPair* find(std::string_view key) const {
    const ConfPair* pair = own(key);
    return pair != nullptr ? pair : inherited(key);
  }
  /// For a key with an older name: either on the line goes before either of DEFAULT.
  [[nodiscard]] const ConfPair* find(std::string_view key, std::string_view old_name) const;

 private:
  using Pairs = std::vector<const ConfPair*>;
  static void set(Pairs& pairs, const ConfPair& pair);
  static const ConfPair* find(const Pairs& pairs, std::string_view key);

  Pairs own_, defaults_;
};

/// How far a number may go.
struct NumberRule {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  bool may_be_infinite = false;
  bool is_memory = false;  ///< in MB: the hint of a wrong unit says what to write
};
inline constexpr NumberRule kU16{.most = 65535};
inline constexpr NumberRule kU16OrInfinite{.most = 65535, .may_be_infinite = true};
inline constexpr NumberRule kU32{};
inline constexpr NumberRule kU32OrInfinite{.may_be_infinite = true};
inline constexpr NumberRule kMemory{
    .most = std::uint64_t{1} << 53, .may_be_infinite = true, .is_memory = true};
inline constexpr std::uint64_t kInfinite = std::numeric_limits<std::uint64_t>::max();

/// Reads values of a record; every misfit becomes an error that names key, value and remedy.
class FieldReader {
 public:
  FieldReader(const ConfText& text, const ConfRecord& record, Diagnostics& found)
      : text_(text), record_(record), found_(found) {}

  [[nodiscard]] const ConfRecord& record() const { return record_; }
  [[nodiscard]] Diagnostics& found() const { return found_; }
  [[nodiscard]] SourcePosition at(const ConfPair& pair) const {
    return text_.position(pair.value_at);
  }

  /// None: not given, or an error was told. kInfinite: UNLIMITED.
  std::optional<std::uint64_t> number(std::string_view key, const NumberRule& rule) const;
  std::optional<std::uint64_t> number(const ConfPair* pair, const NumberRule& rule) const;

  void read(std::string_view key, std::uint32_t& value, const NumberRule& rule = kU32) const;
  void read(std::string_view key, std::uint64_t& value, const NumberRule& rule) const;
  void read(std::string_view key, bool& value) const;
  void read(std::string_view key, std::string& value) const;
  /// Whole seconds, as a number.
  void read_seconds(std::string_view key, Seconds& value, const NumberRule& rule) const;
  /// A time string, rounded up to minutes; kUnlimited for UNLIMITED.
  std::optional<Minutes> minutes(std::string_view key) const;
  /// A comma list; empty where the value is ALL.
  void read_list(std::string_view key, std::vector<std::string>& value) const;
  /// Memory limits, where 0 and UNLIMITED both mean none; absent: not given.
  void read_memory(std::string_view key, std::optional<std::uint64_t>& value) const;

  void error(const ConfPair& pair, std::string what, std::string hint = {}) const;
  void warning(const ConfPair& pair, std::string what, std::string hint = {}) const;

 private:
  const ConfText& text_;
  const ConfRecord& record_;
  Diagnostics& found_;
};

/// Per-CPU and per-node memory exclude each other: of two on one level the node's wins, and a
/// line's own form goes before the other form of DEFAULT.
struct MemoryPair {
  std::optional<std::uint64_t> per_cpu, per_node;
};
[[nodiscard]] MemoryPair read_memory_pair(const FieldReader& in, std::string_view cpu_key,
                                          std::string_view node_key);

}  // namespace rehearse
