// sim/study/comparison/conf_diff.cpp — key by key, word by word, line by line.
#include "sim/study/comparison/conf_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/config/lint.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kShownLines = 8;

struct Place {
  std::string where;
  KeyScope scope = KeyScope::Global;
  std::string key;
  friend bool operator<(const Place& x, const Place& y) {
    return std::tie(x.scope, x.where, x.key) < std::tie(y.scope, y.where, y.key);
  }
};
using Settings = std::map<Place, std::string>;

/// `PartitionName=x:Key`, as --set writes it, and the words of SchedulerParameters apart.
void add_setting(Settings& settings, const std::string& name, const std::string& value) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) {
    settings[{name.substr(0, colon), KeyScope::Partition, name.substr(colon + 1)}] = value;
    return;
  }
  if (name != "SchedulerParameters") {
    settings[{"", KeyScope::Global, name}] = value;
    return;
  }
  for (const std::string_view item : split_list(value)) {
    const std::string_view word = trimmed(item);
    const std::size_t equals = std::min(word.find('='), word.size());
    settings[{name, KeyScope::SchedulerWord, std::string(word.substr(0, equals))}] =
        equals == word.size() ? "set" : std::string(word.substr(equals + 1));
  }
}

Settings settings_of(const nlohmann::json& all) {
  Settings settings;
  if (!all.is_object() || !all.contains("slurm.conf")) return settings;
  for (const auto& [name, value] : all["slurm.conf"].items()) {
    if (value.is_string()) add_setting(settings, name, value.get<std::string>());
  }
  return settings;
}

/// Of a partition that one side alone has, its nodes say enough.
enum class OneSided : std::uint8_t { No, Told, Left };

OneSided one_sided(const Settings& a, const Settings& b, const Place& place) {
  if (place.scope != KeyScope::Partition) return OneSided::No;
  const auto has = [&](const Settings& side) {
    const auto first = side.lower_bound({place.where, place.scope, ""});
    return first != side.end() && first->first.where == place.where;
  };
  if (has(a) == has(b)) return OneSided::No;
  if (!(has(a) ? a : b).contains({place.where, place.scope, "Nodes"})) return OneSided::No;
  return place.key == "Nodes" ? OneSided::Told : OneSided::Left;
}

bool is_off_or_absent(std::string_view key, std::string_view value) {
  return value.empty() || is_off(key, value);
}

std::vector<KeyDifference> diff_keys(const Settings& a, const Settings& b,
                                     std::vector<std::string>& ignored) {
  std::set<Place> places;
  for (const Settings* side : {&a, &b}) {
    for (const auto& [place, value] : *side) places.insert(place);
  }
  const auto value_in = [](const Settings& side, const Place& place) {
    const auto found = side.find(place);
    return found == side.end() ? std::string() : found->second;
  };
  std::vector<KeyDifference> differences;
  std::set<std::string> told;
  for (const Place& place : places) {
    KeyDifference one{place.where, place.key, value_in(a, place), value_in(b, place), {}, {}};
    if (const KnownKey* known = find_known_key(place.scope, place.key)) {
      const bool does_nothing =
          is_off_or_absent(known->name, one.a) && is_off_or_absent(known->name, one.b);
      one.effect = does_nothing ? KeyEffect::Harmless : known->effect;
      one.meaning = known->meaning;
    }
    const OneSided sided = one_sided(a, b, place);
    if (sided == OneSided::Left) continue;
    if (sided == OneSided::Told) (one.a.empty() ? one.a : one.b) = "(no such partition)";
    if (one.a != one.b) {
      differences.push_back(std::move(one));
    } else if (one.effect == KeyEffect::IgnoredMayChangeResults && told.insert(place.key).second) {
      ignored.push_back(place.key);
    }
  }
  return differences;
}

/// Sections of site.yaml that a result tells of where they are not neutral.
struct SiteSection {
  const char* name;
  const char* meaning;
};
constexpr SiteSection kSiteSections[] = {
    {"failures", "outages that are drawn by the seed"},
    {"feedback", "whether submissions answer to the ends of their users' jobs"},
    {"policy", "what decides in place of Slurm's own rules"}};

std::map<std::string, std::string> section_of(const nlohmann::json& all, const char* name) {
  std::map<std::string, std::string> values;
  if (!all.is_object() || !all.contains("site") || !all["site"].is_object()) return values;
  const auto section = all["site"].find(name);
  if (section == all["site"].end() || !section->is_object()) return values;
  for (const auto& [key, value] : section->items()) {
    values[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return values;
}

void diff_site(const nlohmann::json& a, const nlohmann::json& b,
               std::vector<KeyDifference>& differences) {
  for (const SiteSection& section : kSiteSections) {
    const auto left = section_of(a, section.name);
    const auto right = section_of(b, section.name);
    std::map<std::string, std::string> keys = left;
    keys.insert(right.begin(), right.end());
    for (const auto& [key, value] : keys) {
      const auto in = [&key = key](const auto& side) {
        const auto found = side.find(key);
        return found == side.end() ? std::string() : found->second;
      };
      if (in(left) == in(right)) continue;
      differences.push_back({"site.yaml", fmt::format("{}.{}", section.name, key), in(left),
                             in(right), KeyEffect::Simulated, section.meaning});
    }
  }
}

/// Keys of slurm.conf that a policy writes, which nobody set: the policy's own row tells of them.
void leave_out_what_policies_write(std::vector<KeyDifference>& differences) {
  constexpr std::pair<std::string_view, std::string_view> kWritten[] = {
      {"PriorityType", "policy.order"},
      {"SchedulerType", "policy.backfill"},
      {"bf_job_part_count_reserve", "policy.backfill"},
      {"PreemptType", "policy.quotas"},
      {"PreemptMode", "policy.quotas"}};
  std::set<std::string_view> left_out;
  for (const auto& [key, policy] : kWritten) {
    if (std::any_of(differences.begin(), differences.end(), [&policy = policy](const auto& each) {
          return each.where == "site.yaml" && each.key == policy;
        })) {
      left_out.insert(key);
    }
  }
  std::erase_if(differences, [&](const KeyDifference& each) {
    return !each.where.starts_with("PartitionName=") && left_out.contains(each.key);
  });
}

/// What --set changed beyond slurm.conf, by what it is a change of and the key; the last one holds.
/// Sections of site.yaml that are compared value by value are left out.
std::map<std::pair<std::string, std::string>, std::string> changes_of(const nlohmann::json& all) {
  std::map<std::pair<std::string, std::string>, std::string> changes;
  if (!all.is_object() || !all.contains("changes") || !all["changes"].is_array()) return changes;
  for (const auto& change : all["changes"]) {
    const std::string where = change.value("where", "");
    const std::string key = change.value("key", "");
    const bool is_section = std::any_of(
        std::begin(kSiteSections), std::end(kSiteSections), [&](const SiteSection& section) {
          return where == "site.yaml" && key.starts_with(std::string(section.name) + ".");
        });
    if (!is_section) changes[{where, key}] = change.value("value", "");
  }
  return changes;
}

std::string_view meaning_of_change(const std::string& where) {
  if (where == "site.yaml") return "what no Slurm file says";
  return where.starts_with("QOS=") ? "a value of this QOS" : "a value of this association";
}

void diff_changes(const nlohmann::json& a, const nlohmann::json& b,
                  std::vector<KeyDifference>& differences) {
  const auto left = changes_of(a);
  const auto right = changes_of(b);
  auto all = left;
  all.insert(right.begin(), right.end());
  for (const auto& [place, value] : all) {
    const auto in = [&place = place](const auto& side) {
      const auto found = side.find(place);
      return found == side.end() ? std::string("(as in its files)") : found->second;
    };
    if (in(left) == in(right)) continue;
    differences.push_back({place.first, place.second, in(left), in(right), KeyEffect::Simulated,
                           std::string(meaning_of_change(place.first))});
  }
}

std::set<std::string> replayed_of(const nlohmann::json& all) {
  std::set<std::string> words;
  if (!all.is_object() || !all.contains("replayed")) return words;
  for (const auto& word : all["replayed"]) {
    if (word.is_string()) words.insert(word.get<std::string>());
  }
  return words;
}

struct NodeText {
  std::map<std::string, std::string> keys;
};

std::map<std::string, NodeText> nodes_of(const nlohmann::json& all) {
  std::map<std::string, NodeText> nodes;
  if (!all.is_object() || !all.contains("nodes") || !all["nodes"].is_array()) return nodes;
  for (const auto& node : all["nodes"]) {
    if (!node.is_object() || !node.contains("name")) continue;
    NodeText text;
    for (const auto& [key, value] : node.items()) {
      if (key != "name")
        text.keys[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    nodes[node["name"].get<std::string>()] = std::move(text);
  }
  return nodes;
}

/// Nodes that change alike are one line.
std::vector<std::string> diff_nodes(const nlohmann::json& a, const nlohmann::json& b) {
  const auto left = nodes_of(a);
  const auto right = nodes_of(b);
  std::map<std::string, std::vector<std::string>> by_change;
  for (const auto& [name, node] : left) {
    const auto other = right.find(name);
    if (other == right.end()) {
      by_change["only in A"].push_back(name);
      continue;
    }
    for (const auto& [key, value] : node.keys) {
      const auto there = other->second.keys.find(key);
      const std::string now = there == other->second.keys.end() ? "" : there->second;
      if (now != value) by_change[fmt::format("{} {} -> {}", key, value, now)].push_back(name);
    }
  }
  for (const auto& [name, node] : right) {
    if (!left.contains(name)) by_change["only in B"].push_back(name);
  }
  std::vector<std::string> lines;
  for (auto& [change, names] : by_change) {
    std::sort(names.begin(), names.end(), natural_less);
    lines.push_back(fmt::format("{}: {}", compress_hostlist(names), change));
  }
  return lines;
}

std::multiset<std::string> lines_of(const std::string& text) {
  std::multiset<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(std::string_view(text).substr(begin, end - begin));
    if (!line.empty() && line.front() != '#') lines.emplace(line);
    begin = end + 1;
  }
  return lines;
}

void keep_only(const std::multiset<std::string>& own, std::multiset<std::string> other,
               std::size_t& count, std::vector<std::string>& shown) {
  for (const std::string& line : own) {
    if (const auto found = other.find(line); found != other.end()) {
      other.erase(found);
      continue;
    }
    if (++count <= kShownLines) shown.push_back(line);
  }
}

/// The files by what they were read as; those that one of them includes by their names.
std::map<std::string, const InputFile*> files_of(const Provenance& made) {
  std::map<std::string, const InputFile*> files;
  for (const InputFile& file : made.inputs) {
    if (file.role == "slurm.conf") continue;  // compared key by key
    if (!files.emplace(file.role, &file).second) files.emplace(file.role + ": " + file.name, &file);
  }
  return files;
}

std::vector<InputDifference> diff_inputs(const Provenance& a, const Provenance& b) {
  std::map<std::string, std::pair<const InputFile*, const InputFile*>> files;
  for (const auto& [name, file] : files_of(a)) files[name].first = file;
  for (const auto& [name, file] : files_of(b)) files[name].second = file;
  std::vector<InputDifference> differences;
  for (const auto& [role, pair] : files) {
    const auto& [left, right] = pair;
    if (left != nullptr && right != nullptr && left->sha256 == right->sha256) continue;
    InputDifference one;
    one.file = role;
    const std::string text_a = left != nullptr ? left->text : "";
    const std::string text_b = right != nullptr ? right->text : "";
    one.has_text = !text_a.empty() || !text_b.empty();
    const auto lines_a = lines_of(text_a);
    const auto lines_b = lines_of(text_b);
    keep_only(lines_a, lines_b, one.lines_only_a, one.only_a);
    keep_only(lines_b, lines_a, one.lines_only_b, one.only_b);
    if (one.has_text && one.lines_only_a + one.lines_only_b == 0) continue;  // comments alone
    differences.push_back(std::move(one));
  }
  return differences;
}

}  // namespace

LeftOutAtBegin left_out_at_begin(const Provenance& made) {
  const auto all = nlohmann::json::parse(made.configuration, nullptr, false);
  if (!all.is_object() || !all.contains("left_out_at_begin")) return {};
  const auto& counts = all["left_out_at_begin"];
  return {counts.value("running", std::uint64_t{0}), counts.value("pending", std::uint64_t{0})};
}

ConfDifference diff_configurations(const Provenance& a, const Provenance& b) {
  const auto left = nlohmann::json::parse(a.configuration, nullptr, false);
  const auto right = nlohmann::json::parse(b.configuration, nullptr, false);
  ConfDifference difference;
  difference.keys = diff_keys(settings_of(left), settings_of(right), difference.ignored_both);
  diff_site(left, right, difference.keys);
  leave_out_what_policies_write(difference.keys);
  const auto outages_a = section_of(left, "failures");
  const auto outages_b = section_of(right, "failures");
  difference.draws_outages = !outages_a.empty() || !outages_b.empty();
  // With a side that has none, the outages are what is compared.
  difference.other_outages =
      !outages_a.empty() && !outages_b.empty() && outages_a.at("seed") != outages_b.at("seed");
  diff_changes(left, right, difference.keys);
  std::set<std::string> replayed = replayed_of(left);
  replayed.merge(replayed_of(right));
  for (const KeyDifference& key : difference.keys) {
    if (key.where == "SchedulerParameters" && replayed.contains(key.key)) {
      difference.replayed.push_back(key.key);
    }
  }
  difference.nodes = diff_nodes(left, right);
  difference.inputs = diff_inputs(a, b);
  return difference;
}

}  // namespace rehearse
