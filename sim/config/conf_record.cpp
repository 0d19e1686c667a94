// sim/config/conf_record.cpp — typed values, and the words for those that are none.
#include "sim/config/conf_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// What to write instead of `64G` or `1.5T` [MB]; empty where the text is no size either.
std::string memory_hint(std::string_view text) {
  const std::optional<std::uint64_t> mib = parse_memory_mib(text);
  if (!mib || *mib == 0) return "write a whole number of MB";
  std::string hint = fmt::format("the unit is MB: write {}", *mib);
  if (*mib % 1024 == 0)
    hint += fmt::format(" (or {}K: K is the only suffix here, x1024)", *mib / 1024);
  return hint;
}

}  // namespace

void ConfRecord::set(Pairs& pairs, const ConfPair& pair) {
  for (const ConfPair*& known : pairs) {
    if (equals_ignoring_case(known->key, pair.key)) {
      known = &pair;
      return;
    }
  }
  pairs.push_back(&pair);
}

const ConfPair* ConfRecord::find(const Pairs& pairs, std::string_view key) {
  for (const ConfPair* pair : pairs) {
    if (pair->key.size() == key.size() && equals_ignoring_case(pair->key, key)) return pair;
  }
  return nullptr;
}

const ConfPair* ConfRecord::find(std::string_view key, std::string_view old_name) const {
  for (const Pairs* pairs : {&own_, &defaults_}) {
    for (const std::string_view name : {key, old_name}) {
      if (const ConfPair* pair = find(*pairs, name); pair != nullptr) return pair;
    }
  }
  return nullptr;
}

void ConfRecord::make_own_default() {
  for (const ConfPair* pair : own_) set(defaults_, *pair);
  own_.clear();
}

void ConfRecord::drop_default(std::string_view key) {
  std::erase_if(defaults_, [&](const ConfPair* p) { return equals_ignoring_case(p->key, key); });
}

void FieldReader::error(const ConfPair& pair, std::string what, std::string hint) const {
  found_.error(at(pair), fmt::format("{}: {}", pair.key, what), std::move(hint));
}

void FieldReader::warning(const ConfPair& pair, std::string what, std::string hint) const {
  found_.warning(at(pair), fmt::format("{}: {}", pair.key, what), std::move(hint));
}

std::optional<std::uint64_t> FieldReader::number(const ConfPair* pair,
                                                 const NumberRule& rule) const {
  if (pair == nullptr) return std::nullopt;
  const std::string_view text = pair->value;
  const std::optional<std::uint64_t> value = parse_conf_uint(text, kInfinite);
  if (!value || (*value == kInfinite && !rule.may_be_infinite)) {
    std::string hint = rule.is_memory ? memory_hint(text) : "write a whole number";
    if (!text.empty() && text.front() == '-') hint = "negative numbers are not accepted";
    if (text.size() > 1 && text.front() == '0') hint = "a leading 0 makes a number octal";
    error(*pair, fmt::format("{} is not a valid number", shown(text)), std::move(hint));
    return std::nullopt;
  }
  if (*value == kInfinite) return kInfinite;
  const bool suffixed = lower(text.back()) == 'k' && rule.most == kU16.most;
  if (suffixed || *value < rule.least || *value > rule.most) {
    error(*pair, fmt::format("{} is out of range", shown(text)),
          fmt::format("from {} to {}", rule.least, rule.most));
    return std::nullopt;
  }
  return *value;
}

std::optional<std::uint64_t> FieldReader::number(std::string_view key,
                                                 const NumberRule& rule) const {
  return number(record_.find(key), rule);
}

void FieldReader::read(std::string_view key, std::uint32_t& value, const NumberRule& rule) const {
  const std::optional<std::uint64_t> given = number(key, rule);
  if (!given) return;
  value = *given == kInfinite ? std::numeric_limits<std::uint32_t>::max()
                              : static_cast<std::uint32_t>(*given);
}

void FieldReader::read(std::string_view key, std::uint64_t& value, const NumberRule& rule) const {
  value = number(key, rule).value_or(value);
}

void FieldReader::read(std::string_view key, bool& value) const {
  const ConfPair* pair = record_.find(key);
  if (pair == nullptr) return;
  const std::optional<bool> given = parse_conf_bool(pair->value);
  if (!given) {
    error(*pair, fmt::format("{} is neither yes nor no", shown(pair->value)), "write YES or NO");
  }
  value = given.value_or(value);
}

void FieldReader::read(std::string_view key, std::string& value) const {
  if (const ConfPair* pair = record_.find(key); pair != nullptr) value = pair->value;
}

void FieldReader::read_seconds(std::string_view key, Seconds& value, const NumberRule& rule) const {
  const std::optional<std::uint64_t> given = number(key, rule);
  if (given) value = Seconds{static_cast<std::int64_t>(*given)};
}

std::optional<Minutes> FieldReader::minutes(std::string_view key) const {
  const ConfPair* pair = record_.find(key);
  if (pair == nullptr) return std::nullopt;
  const std::optional<Minutes> given = parse_time_minutes(pair->value);
  if (!given) {
    error(*pair, fmt::format("{} is not a time", shown(pair->value)),
          "write minutes, MIN:SEC, HOURS:MIN:SEC, DAYS-HOURS[:MIN[:SEC]] or UNLIMITED");
  }
  return given;
}

void FieldReader::read_list(std::string_view key, std::vector<std::string>& value) const {
  const ConfPair* pair = record_.find(key);
  if (pair == nullptr) return;
  value.clear();
  if (equals_ignoring_case(pair->value, "ALL")) return;
  for (const std::string_view item : split_list(pair->value)) value.emplace_back(item);
}

void FieldReader::read_memory(std::string_view key, std::optional<std::uint64_t>& value) const {
  const std::optional<std::uint64_t> given = number(key, kMemory);
  if (given) value = *given == kInfinite ? 0 : *given;
}

MemoryPair read_memory_pair(const FieldReader& in, std::string_view cpu_key,
                            std::string_view node_key) {
  MemoryPair both;
  const ConfRecord& record = in.record();
  in.read_memory(cpu_key, both.per_cpu);
  in.read_memory(node_key, both.per_node);
  if (!both.per_cpu || !both.per_node) return both;
  const bool cpu_is_own = record.own(cpu_key) != nullptr;
  if (cpu_is_own && record.own(node_key) == nullptr) {
    both.per_node.reset();
    return both;
  }
  both.per_cpu.reset();
  if (cpu_is_own) {
    in.warning(*record.own(cpu_key), fmt::format("ignored, as {} is given too", node_key));
  }
  return both;
}

}  // namespace rehearse
