// sim/output/provenance.cpp — inputs with their sums, and the configuration in force as JSON.
#include "sim/output/provenance.hpp"

#include <nlohmann/json.hpp>

#include "sim/output/sha256.hpp"
#include "sim/output/version_json.hpp"

namespace rehearse {

InputFile make_input(std::string role, std::string name, std::string text, bool keep_text) {
  InputFile input{std::move(role), std::move(name), sha256(text), text.size(), {}};
  if (keep_text) input.text = std::move(text);
  return input;
}

std::string configuration_json(const SlurmConf& conf, const SiteConf& site) {
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
  json["site"]["slurm_differences"] = differences_json(site.slurm_version);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace rehearse
