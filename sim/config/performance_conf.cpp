// sim/config/performance_conf.cpp — reading the section `performance`, key by key.
#include "sim/config/performance_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/config/config_node.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr double kMostFactor = 100, kLeastFactor = 0.01;

void read_word(ConfigNode& node, std::string_view key, std::string& value,
               const std::vector<std::string_view>& words) {
  std::string text = value;
  node.read(key, text);
  if (std::find(words.begin(), words.end(), text) != words.end()) {
    value = text;
    return;
  }
  node.fail(key, fmt::format("'{}' is no such model", shortened(text)),
            fmt::format("one of {}", fmt::join(words, ", ")));
}

void read_share(ConfigNode& node, std::string_view key, std::optional<double>& value) {
  double number = 0;
  node.read(key, number, {0.0, 1.0});
  if (node.has(key)) value = number;
}

void read_device(ConfigNode& node, PerformanceConf::Device& device) {
  device.where = node.where("type");
  node.read("type", device.type);
  node.read("sms", device.sms, {std::nullopt, 10'000});
  node.read("bandwidth_gb_s", device.bandwidth_gb_s, {0.0, 1'000'000.0});
  node.read("memory_mib", device.memory_mib, {std::nullopt, 100'000'000});
  node.read("sm_speed", device.sm_speed, {kLeastFactor, kMostFactor});
  if (device.type.empty()) node.fail("type", "is not given", "the Type of gres.conf, as a100");
  node.finish();
}

void read_speeds(ConfigNode& node, std::map<std::string, double>& speeds) {
  std::map<std::string, std::string> texts;
  node.read("speed", texts);
  for (const auto& [type, text] : texts) {
    const auto factor = text::parse_real(text);
    if (factor && *factor >= kLeastFactor && *factor <= kMostFactor) {
      speeds[type] = *factor;
    } else {
      node.fail("speed", fmt::format("'{}' of {} is no speed", shortened(text), shortened(type)),
                fmt::format("{} .. {}, of types against each other: {{a100: 1, h100: 1.9}}",
                            kLeastFactor, kMostFactor));
    }
  }
}

/// Shares of run time: all three, summing to one, or none.
void check_shares(ConfigNode& node, const PerformanceConf::JobClass& job_class) {
  constexpr double kSlack = 0.001;
  if (!job_class.h && !job_class.c && !job_class.b) return;
  const bool all = job_class.h && job_class.c && job_class.b;
  if (all && std::abs(*job_class.h + *job_class.c + *job_class.b - 1) <= kSlack) return;
  node.fail(job_class.h   ? "h"
            : job_class.c ? "c"
                          : "b",
            all ? fmt::format("h + c + b is {:.4g}", *job_class.h + *job_class.c + *job_class.b)
                : std::string("h, c and b must be given together"),
            "shares of run time that are host, SM and bandwidth bound; their sum is 1");
}

void read_class(ConfigNode& node, PerformanceConf::JobClass& job_class) {
  job_class.where = node.where("name");
  node.read("name", job_class.name);
  node.read("preset", job_class.preset);
  node.read("measured_on", job_class.measured_on);
  read_share(node, "h", job_class.h);
  read_share(node, "c", job_class.c);
  read_share(node, "b", job_class.b);
  read_share(node, "u", job_class.u);
  read_share(node, "w", job_class.w);
  std::uint64_t memory = 0;
  node.read("memory_mib", memory, {std::nullopt, 100'000'000});
  if (node.has("memory_mib")) job_class.memory_mib = memory;
  read_speeds(node, job_class.speed);
  check_shares(node, job_class);
  if (job_class.name.empty()) node.fail("name", "is not given", "a word for rules to name");
  node.finish();
}

void read_rule(ConfigNode& node, PerformanceConf::Rule& rule) {
  rule.where = node.where("class");
  node.read("class", rule.job_class);
  node.read("user", rule.user);
  node.read("account", rule.account);
  node.read("partition", rule.partition);
  node.read("qos", rule.qos);
  node.read("name", rule.name);
  node.read("wckey", rule.wckey);
  node.read("gpu_type", rule.gpu_type);
  if (rule.job_class.empty()) node.fail("class", "is not given", "the name of a class");
  node.finish();
}

template <typename Item, typename Read>
void read_list(ConfigNode& node, std::string_view key, std::vector<Item>& items, Read read) {
  if (node.has(key)) items.clear();
  for (ConfigNode& each : node.children(key)) read(each, items.emplace_back());
}

}  // namespace

void read_performance(ConfigNode& parent, PerformanceConf& conf) {
  conf.enabled = conf.enabled || parent.has("performance");
  ConfigNode node = parent.child("performance");
  constexpr Duration kDay{86'400'000'000};
  node.read("recorded_on", conf.recorded_on);
  if (node.has("recorded_on")) conf.recorded_on_where = node.where("recorded_on");
  node.read("interference", conf.interference, {0.0, 10.0});
  read_word(node, "shard", conf.shard, {"pairwise_sum", "proportional", "fixed_penalty", "none"});
  read_word(node, "mps", conf.mps,
            {"mps", "mps_one_user", "pairwise_sum", "proportional", "fixed_penalty", "none"});
  node.read("fixed_penalty", conf.fixed_penalty, {0.0, 10.0});
  node.read("memory_fails", conf.memory_fails);
  node.read("out_of_memory_after", conf.out_of_memory_after, {Duration{0}, kDay});
  node.read("context_mib", conf.context_mib, {std::nullopt, 100'000});
  node.read("default_class", conf.default_class);
  if (node.has("default_class")) conf.default_class_where = node.where("default_class");
  read_list(node, "devices", conf.devices, read_device);
  read_list(node, "classes", conf.classes, read_class);
  read_list(node, "rules", conf.rules, read_rule);
  node.finish();
}

}  // namespace rehearse
