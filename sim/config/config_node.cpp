// sim/config/config_node.cpp — strict readers over YAML values.
#include "sim/config/config_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t microseconds;
};
constexpr std::array<Unit, 6> kUnits = {{{"d", 86400000000},
                                         {"h", 3600000000},
                                         {"min", 60000000},
                                         {"s", 1000000},
                                         {"ms", 1000},
                                         {"us", 1}}};
const ConfigValue kNothing{};  // what a missing child is read from
constexpr const char* kDurationHint = "write the unit: 30s, 5min, 36h, 2d";

std::string shown_range(const std::string& least, const std::string& most) {
  if (!least.empty() && !most.empty()) return fmt::format("{} .. {}", least, most);
  if (!least.empty()) return ">= " + least;
  if (!most.empty()) return "<= " + most;
  return {};
}

template <typename T, typename ToText>
std::string shown_range(const ConfigRange<T>& range, ToText to_text) {
  return shown_range(range.least ? to_text(*range.least) : std::string(),
                     range.most ? to_text(*range.most) : std::string());
}

template <typename T>
bool is_within(const T& value, const ConfigRange<T>& range) {
  return !(range.least && value < *range.least) && !(range.most && value > *range.most);
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}
std::string integer_text(std::uint64_t value) {
  return fmt::format("{}", value);
}

const char* name_of(ConfigValue::Kind kind) {
  switch (kind) {
    case ConfigValue::Kind::Null:
      return "nothing";
    case ConfigValue::Kind::Scalar:
      return "a single value";
    case ConfigValue::Kind::List:
      return "a list";
    case ConfigValue::Kind::Map:
      return "a map";
  }
  return "nothing";
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  const std::size_t split = text.find_first_not_of("0123456789.");
  if (split == 0 || split == std::string_view::npos) return std::nullopt;
  const std::string_view unit = trimmed(text.substr(split));
  const auto known =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& one) { return one.name == unit; });
  if (known == kUnits.end()) return std::nullopt;
  const std::string_view number = text.substr(0, split);
  const std::size_t point = number.find('.');
  const auto whole = text::parse_decimal(number.substr(0, point));
  constexpr std::uint64_t kMost = 9000000000000000000ULL;
  const auto scale = static_cast<std::uint64_t>(known->microseconds);
  if (!whole || *whole > kMost / scale) return std::nullopt;
  std::uint64_t total = *whole * scale;
  if (point != std::string_view::npos) {
    std::uint64_t part = scale;
    if (point + 1 == number.size()) return std::nullopt;
    for (const char digit : number.substr(point + 1)) {
      if (digit == '.' || part % 10 != 0) return std::nullopt;  // finer than a microsecond
      part /= 10;
      total += part * static_cast<std::uint64_t>(digit - '0');
    }
  }
  if (total > kMost) return std::nullopt;
  return Duration{static_cast<std::int64_t>(total)};
}

std::string format_duration(Duration span) {
  const std::int64_t count = span.count();
  if (count == 0) return "0s";
  for (const Unit& unit : kUnits) {
    if (count % unit.microseconds == 0)
      return fmt::format("{}{}", count / unit.microseconds, unit.name);
  }
  return fmt::format("{}us", count);
}

ConfigNode::ConfigNode(const ConfigValue& value, std::string path, Diagnostics& found,
                       std::vector<ConfigKey>* asked)
    : value_(&value), path_(std::move(path)), found_(&found), asked_(asked) {
  if (value.kind == ConfigValue::Kind::Map || value.kind == ConfigValue::Kind::Null) return;
  found.error(value.where,
              fmt::format("{}{} where a map of keys is wanted", path_.empty() ? "" : path_ + ": ",
                          name_of(value.kind)),
              "write key: value");
}

std::string ConfigNode::path_to(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const ConfigValue* ConfigNode::find(std::string_view key, std::string_view kind, std::string range,
                                    std::string fallback) {
  known_.emplace_back(key);
  if (asked_ != nullptr) {
    asked_->push_back({path_to(key), std::string(kind), std::move(range), std::move(fallback)});
  }
  for (const auto& [name, member] : value_->members) {
    if (name == key) return &member;
  }
  return nullptr;
}

const ConfigValue* ConfigNode::find_scalar(std::string_view key, std::string_view kind,
                                           std::string range, std::string fallback) {
  const ConfigValue* value = find(key, kind, std::move(range), std::move(fallback));
  if (value == nullptr || value->kind == ConfigValue::Kind::Scalar) return value;
  fail(key, fmt::format("{} where a {} is wanted", name_of(value->kind), kind));
  return nullptr;
}

bool ConfigNode::has(std::string_view key) const {
  return std::any_of(value_->members.begin(), value_->members.end(),
                     [&](const auto& member) { return member.name == key; });
}

SourcePosition ConfigNode::where(std::string_view key) const {
  for (const auto& [name, member] : value_->members) {
    if (name == key) return member.where;
  }
  return value_->where;
}

void ConfigNode::fail(std::string_view key, const std::string& what, const std::string& hint) {
  found_->error(where(key), fmt::format("{}: {}", path_to(key), what), hint);
}

void ConfigNode::read(std::string_view key, std::string& value) {
  if (const ConfigValue* found = find_scalar(key, "text", {}, value)) value = found->scalar;
}

void ConfigNode::read(std::string_view key, bool& value) {
  const ConfigValue* found = find_scalar(key, "boolean", {}, value ? "true" : "false");
  if (found == nullptr) return;
  if (found->scalar != "true" && found->scalar != "false") {
    fail(key, fmt::format("'{}' is neither true nor false", shortened(found->scalar)));
    return;
  }
  value = found->scalar == "true";
}

void ConfigNode::read(std::string_view key, std::uint64_t& value,
                      ConfigRange<std::uint64_t> range) {
  const std::string limits = shown_range(range, integer_text);
  const ConfigValue* found = find_scalar(key, "integer", limits, integer_text(value));
  if (found == nullptr) return;
  const auto parsed = text::parse_decimal(found->scalar);
  if (!parsed) {
    fail(key, fmt::format("'{}' is not a whole number", shortened(found->scalar)));
  } else if (!is_within(*parsed, range)) {
    fail(key, fmt::format("{} is out of range", *parsed), "it must be " + limits);
  } else {
    value = *parsed;
  }
}

void ConfigNode::read(std::string_view key, double& value, ConfigRange<double> range) {
  const std::string limits = shown_range(range, number_text);
  const ConfigValue* found = find_scalar(key, "number", limits, number_text(value));
  if (found == nullptr) return;
  const auto parsed = text::parse_real(found->scalar);
  if (!parsed) {
    fail(key, fmt::format("'{}' is not a number", shortened(found->scalar)));
  } else if (!is_within(*parsed, range)) {
    fail(key, fmt::format("{} is out of range", found->scalar), "it must be " + limits);
  } else {
    value = *parsed;
  }
}

void ConfigNode::read(std::string_view key, Duration& value, ConfigRange<Duration> range) {
  const std::string limits = shown_range(range, format_duration);
  const ConfigValue* found = find_scalar(key, "duration", limits, format_duration(value));
  if (found == nullptr) return;
  const auto parsed = parse_duration(found->scalar);
  if (!parsed) {
    fail(key, fmt::format("'{}' is not a duration", shortened(found->scalar)), kDurationHint);
  } else if (!is_within(*parsed, range)) {
    fail(key, fmt::format("{} is out of range", found->scalar), "it must be " + limits);
  } else {
    value = *parsed;
  }
}

void ConfigNode::read(std::string_view key, std::vector<std::string>& value) {
  const ConfigValue* found = find(key, "list", {}, {});
  if (found == nullptr) return;
  if (found->kind != ConfigValue::Kind::List) {
    const bool is_one = found->kind == ConfigValue::Kind::Scalar && !found->scalar.empty();
    fail(key, fmt::format("{} where a list is wanted", name_of(found->kind)),
         is_one ? fmt::format("write [{}]", shortened(found->scalar)) : "write [a, b]");
    return;
  }
  std::vector<std::string> list;
  for (const ConfigValue& item : found->items) {
    if (item.kind == ConfigValue::Kind::Scalar) {
      list.push_back(item.scalar);
    } else {
      found_->error(item.where,
                    fmt::format("{}: {} where a text is wanted", path_to(key), name_of(item.kind)));
    }
  }
  value = std::move(list);
}

void ConfigNode::read(std::string_view key, std::map<std::string, std::string>& value) {
  std::vector<ConfigEntry> entries;
  read(key, entries);
  for (ConfigEntry& entry : entries) value[std::move(entry.name)] = std::move(entry.value);
}

void ConfigNode::read(std::string_view key, std::vector<ConfigEntry>& value) {
  const ConfigValue* found = find(key, "map", {}, {});
  if (found == nullptr) return;
  if (found->kind != ConfigValue::Kind::Map) {
    fail(key, fmt::format("{} where a map is wanted", name_of(found->kind)), "write {a: b}");
    return;
  }
  for (const auto& [name, member] : found->members) {
    if (member.kind != ConfigValue::Kind::Scalar) {
      found_->error(member.where, fmt::format("{}.{}: {} where a text is wanted", path_to(key),
                                              shortened(name), name_of(member.kind)));
      continue;
    }
    const auto is_same = [&wanted = name](const ConfigEntry& entry) {
      return entry.name == wanted;
    };
    const auto same = std::find_if(value.begin(), value.end(), is_same);
    if (same != value.end()) value.erase(same);
    value.push_back({name, member.scalar, member.where});
  }
}

ConfigNode ConfigNode::child(std::string_view key) {
  known_.emplace_back(key);
  for (const auto& [name, member] : value_->members) {
    if (name == key) return {member, path_to(key), *found_, asked_};
  }
  return {kNothing, path_to(key), *found_, asked_};
}

std::vector<ConfigNode> ConfigNode::children(std::string_view key) {
  std::vector<ConfigNode> nodes;
  const ConfigValue* found = find(key, "list", {}, {});
  if (found == nullptr) return nodes;
  if (found->kind != ConfigValue::Kind::List) {
    fail(key, fmt::format("{} where a list is wanted", name_of(found->kind)), "write - key: value");
    return nodes;
  }
  for (std::size_t i = 0; i < found->items.size(); ++i) {
    nodes.emplace_back(found->items[i], fmt::format("{}[{}]", path_to(key), i), *found_);
  }
  return nodes;
}

void ConfigNode::finish() {
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const auto& [name, member] : value_->members) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    found_->error(member.key_where, fmt::format("{}: unknown key", path_to(shortened(name))),
                  did_you_mean(name, known));
  }
}

}  // namespace rehearse
