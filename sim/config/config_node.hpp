// sim/config/config_node.hpp — strict YAML: every key is read, every unit is written, every place
// known.
//
// A file is parsed once into plain values (ConfigFile); ConfigNode walks them. Readers collect what
// is wrong and leave the member at its default; finish() names the keys that nobody asked for.
// yaml-cpp stays in config_yaml.cpp. Duplicate keys, a second document and alias bombs are errors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// `30s`, `5min`, `36h`, `2d`, `250ms`, `10us`; decimals are allowed where whole microseconds come
/// out. None: not a duration, or no unit.
[[nodiscard]] std::optional<Duration> parse_duration(std::string_view text);

/// The same back, in the largest unit that leaves a whole number: `90s`, `2d`; zero is `0s`.
[[nodiscard]] std::string format_duration(Duration span);

struct ConfigMember;

/// One YAML value with its place.
struct ConfigValue {
  enum class Kind : std::uint8_t { Null, Scalar, List, Map };
  Kind kind = Kind::Null;
  std::string scalar;
  bool is_quoted = false;
  std::vector<ConfigValue> items;     ///< of a list
  std::vector<ConfigMember> members;  ///< of a map, as written
  SourcePosition where;
  SourcePosition key_where;  ///< of the key that it stands under
};

struct ConfigMember {
  std::string name;
  ConfigValue value;
};

/// One key that a reader asked for; `configs/reference.yaml` must have the same (a test compares).
struct ConfigKey {
  std::string path;      ///< `controller.epilog`
  std::string kind;      ///< duration, integer, number, boolean, text, list, map
  std::string range;     ///< `>= 0s`; empty: any
  std::string fallback;  ///< the default as it would be written; empty: none
};

/// One member of a map whose keys are the site's own: texts, with the place of the value.
struct ConfigEntry {
  std::string name, value;
  SourcePosition where;
};

template <typename T>
struct ConfigRange {
  std::optional<T> least, most;
};

/// A map that is being read. Cheap to copy; the ConfigValue must outlive it.
class ConfigNode {
 public:
  /// `value` must be a map, or null (no keys). `asked` collects every key, if given.
  ConfigNode(const ConfigValue& value, std::string path, Diagnostics& found,
             std::vector<ConfigKey>* asked = nullptr);

  void read(std::string_view key, std::string& value);
  void read(std::string_view key, bool& value);
  void read(std::string_view key, std::uint64_t& value, ConfigRange<std::uint64_t> range = {});
  void read(std::string_view key, double& value, ConfigRange<double> range = {});
  void read(std::string_view key, Duration& value, ConfigRange<Duration> range = {});
  void read(std::string_view key, std::vector<std::string>& value);
  void read(std::string_view key, std::map<std::string, std::string>& value);
  /// The same in order of the file; a member of a name that is there already takes its place.
  void read(std::string_view key, std::vector<ConfigEntry>& value);

  /// The map under `key`; an empty one where there is none. Call finish() on it too.
  [[nodiscard]] ConfigNode child(std::string_view key);
  /// The maps of the list under `key`.
  [[nodiscard]] std::vector<ConfigNode> children(std::string_view key);

  [[nodiscard]] bool has(std::string_view key) const;
  /// Where the value of `key` stands, else the map itself.
  [[nodiscard]] SourcePosition where(std::string_view key) const;
  /// Reports `path.key: what` at the value of `key`.
  void fail(std::string_view key, const std::string& what, const std::string& hint = {});

  /// Every key that nobody read is an error, with the nearest known one.
  void finish();

 private:
  const ConfigValue* find(std::string_view key, std::string_view kind, std::string range,
                          std::string fallback);
  /// The scalar under `key`; null where there is none or it is no scalar (which is told).
  const ConfigValue* find_scalar(std::string_view key, std::string_view kind, std::string range,
                                 std::string fallback);
  [[nodiscard]] std::string path_to(std::string_view key) const;

  const ConfigValue* value_;
  std::string path_;
  Diagnostics* found_;
  std::vector<ConfigKey>* asked_;
  std::vector<std::string> known_;
};

/// Parses one YAML document. What is not YAML is an error in `found`; the result is then null.
[[nodiscard]] ConfigValue parse_yaml(std::string_view text, const std::string& file,
                                     Diagnostics& found);

}  // namespace rehearse
