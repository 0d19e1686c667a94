// workloads/generator/generator_keys.cpp — the keys of a generator's file, and what must hold of
// them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/config/units.hpp"
#include "workloads/generator/distribution_text.hpp"
#include "workloads/generator/generator_conf.hpp"

namespace rehearse {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(JobEnd::Count)> kEnds{
    "COMPLETED", "FAILED", "OUT_OF_MEMORY", "CANCELLED", "TIMEOUT", "CANCELLED_PENDING"};
constexpr std::array<std::string_view, 3> kDependencies{"afterok", "afterany", "afternotok"};
constexpr std::uint64_t kMostOfAny = 1000000;
constexpr double kMostRate = 1e9;

struct KeyReader {
  Diagnostics& found;
  std::vector<ConfigKey>* asked;

  void spread(ConfigNode& node, std::string_view key, AmountUnit unit,
              std::optional<Distribution>& value) const {
    std::string text;
    node.read(key, text);
    if (text.empty()) {
      if (node.has(key)) node.fail(key, "is empty");
      return;
    }
    value = parse_distribution(text, unit, node.where(key), key, found);
  }

  void memory(ConfigNode& node, std::string_view key, std::uint64_t& mib) const {
    std::string text;
    node.read(key, text);
    if (text.empty()) return;
    const auto parsed = parse_memory_mib(text);
    if (!parsed) {
      node.fail(key, fmt::format("'{}' is not an amount of memory", shortened(text)),
                "write 500M, 64G, 1.5T");
    } else {
      mib = *parsed;
    }
  }

  void rates(ConfigNode& node, std::string_view key, std::size_t wanted,
             std::vector<double>& values) const {
    std::vector<std::string> texts;
    node.read(key, texts);
    if (!node.has(key)) return;
    if (wanted > 0 && texts.size() != wanted) {
      node.fail(key, fmt::format("has {} numbers, not {}", texts.size(), wanted),
                key == "day" ? "one an hour, from midnight" : "one a day, from Monday");
    }
    double sum = 0;
    for (const std::string& text : texts) {
      const auto value = text::parse_real(text);
      if (!value || *value < 0 || *value > kMostRate) {
        node.fail(key, fmt::format("'{}' is not a rate", shortened(text)), "numbers from 0 on");
        return;
      }
      values.push_back(*value);
      sum += *value;
    }
    if (sum <= 0) node.fail(key, "all rates are 0");
  }

  void size(ConfigNode& node, AskedSize& size) const {
    node.read("weight", size.weight, {0.0, kMostRate});
    node.read("nodes", size.nodes, {1, kMostOfAny});
    node.read("cpus", size.cpus, {1, 100 * kMostOfAny});
    memory(node, "memory", size.memory_mib);
    node.read("gres", size.gres);
    check_gres(node, "gres", size.gres, true);
    node.finish();
  }

  static void check_gres(ConfigNode& node, std::string_view key, const std::string& text,
                         bool with_count) {
    if (text.empty()) return;
    for (const text::Piece& piece : text::split_at(text, ',')) {
      const std::size_t equals = piece.text.find('=');
      const bool has_count = equals != std::string_view::npos &&
                             text::parse_decimal(piece.text.substr(equals + 1)).value_or(0) > 0;
      const std::string_view name = piece.text.substr(0, equals);
      const bool is_name = !name.empty() && name.find_first_of(" |/=[]") == std::string_view::npos;
      if (is_name && (with_count ? has_count : equals == std::string_view::npos)) continue;
      node.fail(key, fmt::format("'{}' is not a GRES", shortened(piece.text)),
                with_count ? "name[:type]=count of the whole job: gpu:a100=2, shard=1, mps=50"
                           : "cpu, gpu or gpu:a100");
      return;
    }
  }

  void scale(ConfigNode node, ScaledSize& scale) const {
    spread(node, "count", AmountUnit::Plain, scale.count);
    node.read("of", scale.of);
    check_gres(node, "of", scale.of, false);
    node.read("per_node", scale.per_node, {1, kMostOfAny});
    node.read("cpus_each", scale.cpus_each, {1, kMostOfAny});
    memory(node, "memory_each", scale.memory_each_mib);
    node.finish();
  }

  void limit(ConfigNode node, AskedLimit& limit) const {
    spread(node, "factor", AmountUnit::Plain, limit.factor);
    spread(node, "values", AmountUnit::Timed, limit.values);
    std::vector<std::string> texts;
    node.read("round_to", texts);
    for (const std::string& text : texts) {
      const auto span = parse_duration(text);
      const std::int64_t minutes = span ? span->count() / 60000000 : 0;
      if (minutes < 1 || (!limit.round_to.empty() && minutes <= limit.round_to.back())) {
        node.fail("round_to", fmt::format("'{}' is not a longer round limit", shortened(text)),
                  "whole minutes that ascend: [15min, 1h, 1d]");
        break;
      }
      limit.round_to.push_back(minutes);
    }
    node.read("correlation", limit.correlation, {-0.99, 0.99});
    Duration most{limit.most * 60000000};
    node.read("most", most, {Duration{0}, std::nullopt});
    limit.most = most.count() / 60000000;
    if (limit.factor && limit.values) {
      node.fail("values", "stand beside a factor", "limits follow the run time, or a table");
    }
    node.finish();
  }

  void chance(ConfigNode& node, EndChance& chance) const {
    std::string state(to_text(chance.end));
    node.read("state", state);
    const auto known = std::find(kEnds.begin(), kEnds.end(), state);
    if (known == kEnds.end()) {
      std::string list;
      for (const std::string_view end : kEnds) list += fmt::format("{} ", end);
      const std::string near = did_you_mean(state, kEnds);
      node.fail("state", fmt::format("'{}' is no outcome", shortened(state)),
                near.empty() ? list : near);
    } else {
      chance.end = static_cast<JobEnd>(known - kEnds.begin());
    }
    node.read("weight", chance.weight, {0.0, kMostRate});
    spread(node, "after", AmountUnit::Timed, chance.after);
    if (chance.end == JobEnd::CancelledPending && !chance.after && asked == nullptr) {
      node.fail("after", "is not given", "how long its user waits for it to start");
    }
    node.finish();
  }

  void kind_keys(ConfigNode& node, JobKind& kind) const {
    node.read("name", kind.name);
    node.read("weight", kind.weight, {0.0, kMostRate});
    node.read("partition", kind.partition);
    node.read("qos", kind.qos);
    node.read("account", kind.account);
    for (ConfigNode& each : node.children("sizes")) size(each, kind.sizes.emplace_back());
    scale(node.child("scale"), kind.scale);
    spread(node, "run_time", AmountUnit::Timed, kind.run_time);
    limit(node.child("limit"), kind.limit);
    for (ConfigNode& each : node.children("outcomes")) chance(each, kind.ends.emplace_back());
    node.read("array_share", kind.array_share, {0.0, 1.0});
    spread(node, "tasks", AmountUnit::Plain, kind.tasks);
    node.read("throttle", kind.throttle, {0, kMostOfAny});
    node.read("dependent_share", kind.dependent_share, {0.0, 1.0});
    node.read("dependency", kind.dependency);
    node.finish();
  }

  void kind(ConfigNode& node, const UserGroup& group, JobKind& kind) const {
    kind.where = node.where("run_time");
    kind_keys(node, kind);
    if (!node.has("run_time"))
      node.fail("run_time", "is not given", "lognormal(median=1h, sigma=2)");
    if (kind.sizes.empty() && !kind.scale.count) {
      node.fail("sizes", "a job has no size",
                "sizes: [{cpus: 4, gres: gpu=1}], or scale: {count: …}");
    }
    if (!kind.sizes.empty() && kind.scale.count) {
      node.fail("sizes", "stand beside scale.count", "sizes are a table, or a count of units");
    }
    double sizes = kind.sizes.empty() ? 1 : 0;
    for (const AskedSize& each : kind.sizes) sizes += each.weight;
    if (sizes <= 0) node.fail("sizes", "all weights are 0");
    double ends = kind.ends.empty() ? 1 : 0;
    const bool asks = kind.limit.factor || kind.limit.values;
    for (const EndChance& each : kind.ends) {
      ends += each.weight;
      if (each.end == JobEnd::Timeout && !asks) {
        node.fail("outcomes", "a TIMEOUT needs a limit", "limit: {values: …}");
      }
    }
    if (ends <= 0) node.fail("outcomes", "all weights are 0");
    if (kind.array_share > 0 && !kind.tasks) {
      node.fail("tasks", "is not given", "how many tasks an array has: values(10: 1, 100: 1)");
    }
    if (std::find(kDependencies.begin(), kDependencies.end(), kind.dependency) ==
        kDependencies.end()) {
      node.fail("dependency", fmt::format("'{}' is no dependency", shortened(kind.dependency)),
                "afterok, afterany or afternotok");
    }
    if (kind.account.empty() && group.account.empty()) {
      node.fail("account", "is not given", "of the kind, or of its group");
    }
  }

  void sessions(ConfigNode node, SessionHabit& habit, bool must) const {
    node.read("per_week", habit.per_week, {0.0, kMostRate});
    spread(node, "jobs", AmountUnit::Plain, habit.jobs);
    spread(node, "gap", AmountUnit::Timed, habit.gap);
    node.read("rest", habit.rest, {Duration{0}, Duration{std::int64_t{7} * 86400 * 1000000}});
    node.read("gap_correlation", habit.gap_correlation, {0.0, 0.99});
    node.read("repeat", habit.repeat, {0.0, 1.0});
    node.read("run_time_correlation", habit.run_time_correlation, {-0.99, 0.99});
    rates(node, "day", 24, habit.day);
    rates(node, "week", 7, habit.week);
    rates(node, "weeks", 0, habit.weeks);
    if (must) {
      if (!node.has("per_week"))
        node.fail("per_week", "is not given", "sessions of the whole group");
      if (!node.has("jobs")) node.fail("jobs", "is not given", "submissions of a session: 1");
      if (!node.has("gap")) node.fail("gap", "is not given", "between two of them: 1min");
    }
    node.finish();
  }

  void group_keys(ConfigNode& node, UserGroup& group) const {
    node.read("name", group.name);
    node.read("users", group.users);
    node.read("count", group.count, {1, kMostOfAny});
    node.read("zipf", group.zipf, {0.0, 10.0});
    node.read("habit", group.habit, {0.0, 10.0});
    node.read("pace", group.pace, {0.0, 10.0});
    node.read("account", group.account);
    sessions(node.child("sessions"), group.sessions, asked == nullptr);
  }

  void group(ConfigNode& node, UserGroup& group) const {
    group_keys(node, group);
    if (group.name.empty()) node.fail("name", "is not given");
    if (group.users.empty() == (group.count == 0)) {
      node.fail(group.users.empty() ? "count" : "users", "a group has either users or a count",
                "users: [ann, bob], or count: 40");
    }
    std::vector<ConfigNode> kinds = node.children("kinds");
    for (ConfigNode& each : kinds) kind(each, group, group.kinds.emplace_back());
    if (kinds.empty()) node.fail("kinds", "is not given", "what its users run");
    double weights = kinds.empty() ? 1 : 0;
    for (const JobKind& each : group.kinds) weights += each.weight;
    if (weights <= 0) node.fail("kinds", "all weights are 0");
    node.finish();
  }

  void top_keys(ConfigNode& node, GeneratorConf& conf) const {
    node.read("seed", conf.seed);
    node.read("time_zone", conf.time_zone);
    node.read("from", conf.from);
    node.read("span", conf.span,
              {Duration{60000000}, Duration{std::int64_t{3660} * 86400 * 1000000}});
    node.read("rate", conf.rate, {0.0, 1e6});
    node.read("first_id", conf.first_id, {1, 1000000000});
  }

  void top(ConfigNode& node, GeneratorConf& conf) const {
    top_keys(node, conf);
    std::vector<ConfigNode> groups = node.children("groups");
    std::set<std::string> names;
    for (ConfigNode& each : groups) {
      group(each, conf.groups.emplace_back());
      const UserGroup& made = conf.groups.back();
      if (!names.insert(made.name).second) each.fail("name", "two groups have this name");
    }
    if (groups.empty()) node.fail("groups", "is not given", "a list of groups of users");
    node.finish();
    const auto zone = TimeZone::find(conf.time_zone);
    if (!zone) {
      node.fail("time_zone", fmt::format("'{}' is not a time zone", shortened(conf.time_zone)),
                "write an IANA name: Europe/Oslo, America/New_York, UTC");
    } else if (!zone->read(conf.from)) {
      node.fail("from", fmt::format("'{}' is not a time", shortened(conf.from)),
                "write 2025-01-06T00:00:00, local to the zone");
    }
  }
};

}  // namespace

std::string_view to_text(JobEnd end) {
  return kEnds[static_cast<std::size_t>(end)];
}

GeneratorConf parse_generator(std::string_view text, const std::string& file, Diagnostics& found) {
  GeneratorConf conf;
  const ConfigValue value = parse_yaml(text, file, found);
  ConfigNode node(value, "", found);
  KeyReader{found, nullptr}.top(node, conf);
  return conf;
}

GeneratorConf read_generator(const std::filesystem::path& file) {
  Diagnostics found;
  GeneratorConf conf;
  const auto text = text::read_file(file, found);
  if (text) conf = parse_generator(*text, file.string(), found);
  found.throw_if_errors();
  return conf;
}

std::vector<ConfigKey> generator_keys() {
  std::vector<ConfigKey> keys;
  Diagnostics none;
  const ConfigValue empty;
  const KeyReader reader{none, &keys};
  GeneratorConf conf;
  UserGroup group;
  JobKind kind;
  AskedSize size;
  EndChance chance;
  ConfigNode top(empty, "", none, &keys);
  reader.top_keys(top, conf);
  ConfigNode of_group(empty, "groups[]", none, &keys);
  reader.group_keys(of_group, group);
  ConfigNode of_kind(empty, "groups[].kinds[]", none, &keys);
  reader.kind_keys(of_kind, kind);
  ConfigNode of_size(empty, "groups[].kinds[].sizes[]", none, &keys);
  reader.size(of_size, size);
  ConfigNode of_chance(empty, "groups[].kinds[].outcomes[]", none, &keys);
  reader.chance(of_chance, chance);
  return keys;
}

}  // namespace rehearse
