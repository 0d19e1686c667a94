// sim/config/config_yaml.cpp — YAML text to plain values; the only file that knows yaml-cpp.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <exception>
#include <map>
#include <sstream>

#include "sim/config/config_node.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

// More values than these are a mistake or an attack. Written out they cost their length in the
// file: a generator fitted to a large site has hundreds of thousands. An alias of a few letters may
// stand for any number.
constexpr std::size_t kMostValues = 4'000'000;
constexpr std::size_t kMostOfAliases = 100'000;
constexpr std::size_t kDeepest = 64;

struct TooMuch : std::exception {};

std::size_t count_of(const ConfigValue& value) {
  std::size_t count = 1;
  for (const ConfigValue& item : value.items) count += count_of(item);
  for (const auto& [key, member] : value.members) count += count_of(member);
  return count;
}

/// Builds the values from the parser's events.
class Builder final : public YAML::EventHandler {
 public:
  Builder(const std::string& file, Diagnostics& found) : file_(file), found_(found) {}

  [[nodiscard]] ConfigValue take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(ConfigValue::Kind::Null, mark), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    ConfigValue value = make(ConfigValue::Kind::Scalar, mark);
    value.scalar = text;
    value.is_quoted = tag == "!";
    const bool is_null = !value.is_quoted && (text.empty() || text == "~" || text == "null");
    if (is_null && !expects_key()) value.kind = ConfigValue::Kind::Null;
    add(std::move(value), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) {  // an alias inside its own anchor
      found_.error(place(mark), "the alias names what it stands in");
      add(make(ConfigValue::Kind::Null, mark), 0);
      return;
    }
    ConfigValue copy = known->second;
    of_aliases_ += count_of(copy);
    if (of_aliases_ > kMostOfAliases) throw TooMuch();
    add(std::move(copy), 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(make(ConfigValue::Kind::List, mark), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(make(ConfigValue::Kind::Map, mark), anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    ConfigValue value;
    YAML::anchor_t anchor = 0;
    std::optional<ConfigValue> key;
  };

  SourcePosition place(const YAML::Mark& mark) const {
    return {file_, static_cast<std::uint32_t>(mark.line + 1),
            static_cast<std::uint32_t>(mark.column + 1)};
  }
  ConfigValue make(ConfigValue::Kind kind, const YAML::Mark& mark) {
    if (++values_ > kMostValues) throw TooMuch();
    ConfigValue value;
    value.kind = kind;
    value.where = value.key_where = place(mark);
    return value;
  }
  bool expects_key() const {
    return !open_.empty() && open_.back().value.kind == ConfigValue::Kind::Map && !open_.back().key;
  }
  void open(ConfigValue value, YAML::anchor_t anchor) {
    if (open_.size() >= kDeepest) throw TooMuch();
    open_.push_back({std::move(value), anchor, std::nullopt});
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.value), done.anchor);
  }
  void add(ConfigValue value, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = value;
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.value.kind == ConfigValue::Kind::List) {
      parent.value.items.push_back(std::move(value));
    } else if (!parent.key) {
      if (value.kind != ConfigValue::Kind::Scalar)
        found_.error(value.where, "a key must be a word");
      parent.key = std::move(value);
    } else {
      add_member(parent, std::move(value));
    }
  }
  void add_member(Open& parent, ConfigValue value) {
    const ConfigValue key = std::move(*parent.key);
    parent.key.reset();
    value.key_where = key.where;
    // The parser places a missing value at whatever comes next.
    if (value.kind == ConfigValue::Kind::Null) value.where = key.where;
    for (const auto& [name, other] : parent.value.members) {
      if (name != key.scalar) continue;
      found_.error(key.where, fmt::format("{}: the key is already on line {}", shortened(name),
                                          other.key_where.line));
      return;
    }
    parent.value.members.push_back({key.scalar, std::move(value)});
  }

  const std::string& file_;
  Diagnostics& found_;
  ConfigValue root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, ConfigValue> anchors_;
  std::size_t values_ = 0, of_aliases_ = 0;
};

}  // namespace

ConfigValue parse_yaml(std::string_view text, const std::string& file, Diagnostics& found) {
  std::istringstream stream{std::string(text)};
  Builder builder(file, found);
  ConfigValue nothing;
  nothing.where.file = file;
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return nothing;
    ConfigValue value = builder.take();
    Builder second(file, found);
    if (parser.HandleNextDocument(second)) {
      found.error(second.take().where, "a second document", "one file holds one");
    }
    return value;
  } catch (const YAML::Exception& error) {
    const SourcePosition where{file, static_cast<std::uint32_t>(error.mark.line + 1),
                               static_cast<std::uint32_t>(error.mark.column + 1)};
    found.error(where, fmt::format("not YAML: {}", error.msg));
  } catch (const TooMuch&) {
    found.error({file},
                fmt::format("more than {} values, {} of them by aliases, or {} levels", kMostValues,
                            kMostOfAliases, kDeepest),
                "do aliases repeat each other?");
  }
  return nothing;
}

}  // namespace rehearse
