// sim/config/mig_keys.cpp — reading the section `mig`, key by key.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/config/mig_conf.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/config/value_lists.hpp"
#include "sim/config/word_choice.hpp"

namespace rehearse {
namespace {

constexpr std::uint32_t kMostGpus = 1024;  // of a node (gres.md §1.3)
constexpr std::array<std::string_view, 7> kDays = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

void read_line(ConfigNode& node, MigLine& line) {
  line.where = node.where("layout");
  node.read("nodes", line.nodes);
  node.read("gpus", line.gpus);
  node.read("layout", line.layout);
  for (const char* key : {"nodes", "gpus", "layout"}) {
    if (node.has(key)) continue;
    node.fail(key, "is not given", "nodes: n[01-04], gpus: 0-7, layout: [3g.20gb:4, 2*2g.10gb]");
  }
  const auto gpus = parse_index_list(line.gpus, kMostGpus - 1);
  if (node.has("gpus") && (!gpus || gpus->empty())) {
    node.fail("gpus", fmt::format("{} is no list of GPUs", shown(line.gpus)),
              "indexes of physical GPUs and ranges, as 0-3,6");
  }
}

std::optional<std::size_t> day_of(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  const auto at = std::find(kDays.begin(), kDays.end(), std::string_view(text));
  if (at == kDays.end()) return std::nullopt;
  return static_cast<std::size_t>(at - kDays.begin());
}

/// `mon-fri` goes round the week: `sat-mon` are three days.
bool add_days(std::string_view word, std::array<bool, 7>& days) {
  const std::size_t dash = std::min(word.find('-'), word.size());
  const auto first = day_of(word.substr(0, dash));
  const auto last = dash < word.size() ? day_of(word.substr(dash + 1)) : first;
  if (!first || !last) return false;
  for (std::size_t day = *first;; day = (day + 1) % kDays.size()) {
    days[day] = true;
    if (day == *last) return true;
  }
}

/// `20:00`, `20:00:30`; none: no time of day.
std::optional<Seconds> time_of_day(std::string_view text) {
  const std::vector<text::Piece> parts = text::split_at(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  std::array<std::uint32_t, 3> numbers{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = text::parse_decimal32(parts[i].text);
    if (!number || parts[i].text.size() != 2 || *number > (i == 0 ? 23U : 59U)) return std::nullopt;
    numbers[i] = *number;
  }
  return Seconds{numbers[0] * 3600 + numbers[1] * 60 + numbers[2]};
}

void read_change(ConfigNode& node, MigChangeLine& line) {
  read_line(node, line);
  std::string at;
  node.read("at", at);
  line.at_where = node.where("at");
  std::vector<std::string> days;
  node.read("days", days);
  line.time_of_day = time_of_day(at);
  if (!line.time_of_day) {
    line.date = at;
    if (!node.has("at") || !TimeZone::utc().read(at)) {
      node.fail("at", node.has("at") ? fmt::format("{} is no time", shown(at)) : "is not given",
                "a time of day as 20:00, or once as 2027-01-15T20:00:00");
    } else if (node.has("days")) {
      node.fail("days", "a date has no days of the week", "at: 20:00 takes effect on days");
    }
  }
  line.days.fill(days.empty());
  for (const std::string& word : days) {
    if (add_days(word, line.days)) continue;
    node.fail("days", fmt::format("{} is no day of the week", shown(word)),
              "mon, tue, wed, thu, fri, sat, sun, or a range as mon-fri");
  }
  node.finish();
}

}  // namespace

void read_mig_keys(ConfigNode& parent, MigConf& conf) {
  constexpr Duration kDay{86'400'000'000};
  ConfigNode mig = parent.child("mig");
  if (mig.has("layouts")) conf.layouts.clear();  // a scenario's list replaces the site's
  for (ConfigNode& each : mig.children("layouts")) {
    read_line(each, conf.layouts.emplace_back());
    each.finish();
  }
  if (mig.has("changes")) conf.changes.clear();
  for (ConfigNode& each : mig.children("changes")) read_change(each, conf.changes.emplace_back());
  read_word<MigPolicy, 3>(mig, "policy", conf.policy,
                          {{{"none", MigPolicy::None},
                            {"on_demand", MigPolicy::OnDemand},
                            {"packed", MigPolicy::Packed}}});
  if (mig.has("policy")) conf.policy_where = mig.where("policy");
  mig.read("profiles", conf.profiles);
  if (mig.has("profiles")) conf.profiles_where = mig.where("profiles");
  mig.read("depth", conf.depth, {1, 1000});
  mig.read("cost", conf.cost, {Duration{0}, kDay});
  read_word<MigDrain, 2>(mig, "drain", conf.drain,
                         {{{"node", MigDrain::Node}, {"gpu", MigDrain::Gpu}}});
  read_word<bool, 2>(mig, "absent_types", conf.absent_types_wait,
                     {{{"refuse", false}, {"wait", true}}});
  mig.finish();
}

}  // namespace rehearse
