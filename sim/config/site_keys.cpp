// sim/config/site_keys.cpp — the keys of site.yaml and of a scenario, read in one place.
#include "sim/config/site_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr Duration kNone{0};
constexpr Duration kMostLatency{86400000000};  // a day

void read_version(ConfigNode& node, SiteConf& conf) {
  std::string text = to_text(conf.slurm_version);
  node.read("slurm_version", text);
  if (const auto version = parse_slurm_version(text)) {
    conf.slurm_version = *version;
    return;
  }
  node.fail("slurm_version", fmt::format("'{}' is not an emulated release", shortened(text)),
            "one of " + known_slurm_versions());
}

void read_time_zone(ConfigNode& node, SiteConf& conf) {
  std::string zone = conf.time_zone;
  conf.names_zone = node.has("time_zone");
  node.read("time_zone", zone);
  const auto fits = [](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '/' || c == '_' ||
           c == '+' || c == '-';
  };
  if (zone.empty() || !std::all_of(zone.begin(), zone.end(), fits)) {
    node.fail("time_zone", fmt::format("'{}' is not the name of a time zone", shortened(zone)),
              "an IANA name such as Europe/Berlin or UTC");
    return;
  }
  conf.time_zone = zone;
}

void read_controller(ConfigNode node, SiteConf::Controller& controller) {
  const ConfigRange<Duration> latency{kNone, kMostLatency};
  node.read("background_turn", controller.background_turn, {Duration{1000}, Duration{60000000}});
  node.read("launch_latency", controller.launch_latency, latency);
  node.read("completion_latency", controller.completion_latency, latency);
  node.read("kill_latency", controller.kill_latency, latency);
  node.read("epilog", controller.epilog, latency);
  node.read("main_cost_per_pass", controller.main_cost_per_pass, latency);
  node.read("main_cost_per_record", controller.main_cost_per_record, latency);
  node.read("backfill_cost_per_cycle", controller.backfill_cost_per_cycle, latency);
  node.read("backfill_cost_per_try", controller.backfill_cost_per_try, latency);
  node.read("costs_from_sdiag", controller.costs_from_sdiag);
  node.read("prolog", controller.prolog, latency);
  node.read("prolog_slurmctld", controller.prolog_slurmctld, latency);
  node.read("phase", controller.phase, {kNone, Duration{999999}});
  node.read("started", controller.started);
  node.finish();
}

void read_failure(ConfigNode& node, SiteConf::FailureRule& rule) {
  constexpr Duration kMost{std::int64_t{100} * 366 * 86400 * 1000000};  // a century
  rule.where = node.where("mtbf");
  node.read("nodes", rule.nodes);
  if (node.has("nodes")) rule.where = node.where("nodes");
  const bool means_all = rule.nodes.size() == 3 && starts_with_ignoring_case(rule.nodes, "all");
  if (means_all) rule.nodes.clear();  // as Nodes=ALL of slurm.conf
  node.read("gpu_type", rule.gpu_type);
  node.read("each_gpu", rule.each_gpu);
  node.read("mtbf", rule.mtbf, {Duration{1000000}, kMost});
  node.read("shape", rule.shape, {0.1, 10.0});
  node.read("repair_median", rule.repair_median, {Duration{1000000}, kMost});
  node.read("repair_sigma", rule.repair_sigma, {0.0, 5.0});
  node.read("how", rule.how);
  if (rule.how != "crash" && rule.how != "down" && rule.how != "drain") {
    node.fail("how", fmt::format("'{}' is no way to fail", shortened(rule.how)),
              "crash, down or drain");
  }
  node.read("reason", rule.reason);
  if (!node.has("mtbf")) node.fail("mtbf", "is not given", "the mean time between failures, 900d");
  if (!node.has("repair_median")) node.fail("repair_median", "is not given", "such as 4h");
  node.finish();
}

void read_failures(ConfigNode& node, std::vector<SiteConf::FailureRule>& rules) {
  if (node.has("failures")) rules.clear();  // a scenario's list replaces the site's
  for (ConfigNode& each : node.children("failures")) read_failure(each, rules.emplace_back());
}

void read_checkpoint(ConfigNode node, SiteConf::Checkpoint& checkpoint) {
  constexpr Duration kMost{std::int64_t{366} * 86400 * 1000000};  // a year
  node.read("interval", checkpoint.interval, {kNone, kMost});
  node.read("cost", checkpoint.cost, {kNone, kMostLatency});
  node.read("restart", checkpoint.restart, {kNone, kMostLatency});
  node.read("on_signal", checkpoint.on_signal);
  node.finish();
}

std::vector<ConfigKey> keys_of(auto&& read) {
  std::vector<ConfigKey> keys;
  Diagnostics none;
  const ConfigValue empty;
  ConfigNode node(empty, "", none, &keys);
  read(node, none);
  return keys;
}

}  // namespace

void read_site_keys(ConfigNode& node, SiteConf& conf) {
  read_version(node, conf);
  read_time_zone(node, conf);
  node.read("seed", conf.seed);
  node.read("leave_out_unusable_rows", conf.leave_out_unusable_rows);
  read_controller(node.child("controller"), conf.controller);
  read_checkpoint(node.child("checkpoint"), conf.checkpoint);
  read_failures(node, conf.failures);
  ConfigNode power = node.child("power");
  Duration boot = conf.power.boot_time.value_or(kNone);
  power.read("boot_time", boot, {kNone, kMostLatency});
  if (power.has("boot_time")) conf.power.boot_time = boot;
  read_gpu_power_keys(power, conf.gpu);
  power.finish();
  ConfigNode memory = node.child("memory");
  memory.read("peak_at", conf.memory.peak_at, {0.0, 1.0});
  memory.finish();
  read_gpu_keys(node, conf.gpu);
  read_performance(node, conf.performance);
  read_policy_keys(node, conf.policy);
  read_feedback_keys(node, conf.feedback);
  node.read("price_gpu_hour", conf.price_gpu_hour, {0.0, std::nullopt});
  node.read("currency", conf.currency);
  node.read("groups", conf.groups);
  node.read("notes", conf.notes);
}

void read_scenario_keys(ConfigNode& node, ScenarioConf& scenario, Diagnostics& found) {
  node.read("site", scenario.site);
  node.read("set", scenario.set);
  for (const std::string& change : scenario.set) {
    const std::size_t equals = change.find('=');
    if (equals != std::string::npos && equals > 0) continue;
    found.error(node.where("set"), fmt::format("set: '{}' is not KEY=VALUE", shortened(change)),
                "as in --set PriorityWeightAge=1000 or PartitionName=gpu:MaxTime=1-0");
  }
}

std::vector<ConfigKey> site_keys() {
  return keys_of([](ConfigNode& node, Diagnostics&) {
    SiteConf conf;
    read_site_keys(node, conf);
  });
}

std::vector<ConfigKey> scenario_keys() {
  return keys_of([](ConfigNode& node, Diagnostics& found) {
    ScenarioConf scenario;
    read_scenario_keys(node, scenario, found);
  });
}

}  // namespace rehearse
