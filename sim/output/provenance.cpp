// sim/output/provenance.cpp — inputs with their sums, and the configuration in force as JSON.
#include "sim/output/provenance.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/config/config_node.hpp"
#include "sim/config/policy_words.hpp"
#include "sim/output/sha256.hpp"
#include "sim/output/version_json.hpp"

namespace rehearse {
namespace {

/// What is not Slurm's own; an empty object: nothing is.
nlohmann::json policy_json(const PolicyConf& policy) {
  nlohmann::json json = nlohmann::json::object();
  if (policy.order != kSlurmsOwn) json["order"] = policy.order;
  if (policy.backfill != PolicyBackfill::Slurm) json["backfill"] = to_text(policy.backfill);
  if (!policy.has_quotas()) return json;
  json["reclaim"] = to_text(policy.reclaim);
  for (const QuotaLine& line : policy.quotas) {
    std::string quota = line.account + " " + line.tres;
    if (line.over_quota_weight != 1) quota += fmt::format(" x{}", line.over_quota_weight);
    json["quotas"].push_back(std::move(quota));
  }
  if (!policy.non_preemptible.empty()) json["non_preemptible"] = policy.non_preemptible;
  return json;
}

void add_context(nlohmann::json& json, const RunContext& context) {
  for (const SiteChange& change : context.changes) {
    if (change.kind == SiteChange::Kind::Nodes) continue;  // stands among the nodes
    json["changes"].push_back(
        {{"where", where_of(change)}, {"key", change.key}, {"value", change.value}});
  }
  if (context.running_before + context.pending_before > 0) {
    json["left_out_at_begin"] = {{"running", context.running_before},
                                 {"pending", context.pending_before}};
  }
  if (!context.replayed.empty()) json["replayed"] = context.replayed;
}

}  // namespace

InputFile make_input(std::string role, std::string name, std::string text) {
  InputFile input{std::move(role), std::move(name), sha256(text), text.size(), {}};
  input.text = std::move(text);
  return input;
}

std::string configuration_json(const SlurmConf& conf, const SiteConf& site,
                               const RunContext& context) {
  nlohmann::json json;
  auto& keys = json["slurm.conf"] = nlohmann::json::object();
  for (const auto& [key, value] : conf.raw) keys[key] = value.text;
  auto& nodes = json["nodes"] = nlohmann::json::array();
  for (const NodeConf& node : conf.nodes) {
    nodes.push_back({{"name", node.name},
                     {"cpus", node.cpus},
                     {"real_memory_mib", node.real_memory_mib},
                     {"gres", node.gres},
                     {"features", node.features}});
  }
  auto& partitions = json["partitions"] = nlohmann::json::array();
  for (const PartitionConf& partition : conf.partitions) {
    partitions.push_back({{"name", partition.name}, {"nodes", partition.nodes.size()}});
  }
  json["site"] = {{"slurm_version", to_text(site.slurm_version)},
                  {"time_zone", site.time_zone},
                  {"seed", site.seed},
                  {"price_gpu_hour", site.price_gpu_hour},
                  {"currency", site.currency}};
  if (const PerformanceConf& speeds = site.performance; speeds.enabled) {
    json["site"]["performance"] = {{"recorded_on", speeds.recorded_on},
                                   {"interference", speeds.interference},
                                   {"shard", speeds.shard},
                                   {"mps", speeds.mps},
                                   {"default_class", speeds.default_class}};
  }
  if (nlohmann::json policy = policy_json(site.policy); !policy.empty()) {
    json["site"]["policy"] = std::move(policy);
  }
  if (const FeedbackConf& feedback = site.feedback; !feedback.is_open()) {
    const bool linked = feedback.sessions == SessionStart::Linked;
    json["site"]["feedback"] = {{"mode", "think_time"},
                                {"sessions", linked ? "linked" : "recorded"},
                                {"think_time_limit", format_duration(feedback.think_time_limit)},
                                {"session_gap", format_duration(feedback.session_gap)}};
  }
  if (!site.failures.empty()) {
    json["site"]["failures"] = {{"rules", site.failures.size()}, {"seed", site.seed}};
  }
  json["site"]["slurm_differences"] = differences_json(site.slurm_version);
  add_context(json, context);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace rehearse
