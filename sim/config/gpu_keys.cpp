// sim/config/gpu_keys.cpp — the keys of site.yaml and of a scenario that are of GPUs.
#include <fmt/format.h>

#include <filesystem>

#include "sim/config/gpu_conf.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

/// Watts by model: whole numbers.
void read_watts(ConfigNode& power, std::string_view key, std::vector<ConfigEntry>& watts) {
  power.read(key, watts);
  for (const ConfigEntry& entry : watts) {
    const auto number = text::parse_decimal32(entry.value);
    if (number && *number <= 100000) continue;
    power.fail(
        key, fmt::format("{}: {} is no number of watts", shortened(entry.name), shown(entry.value)),
        "a whole number, at most 100000, as in {a100-40: 55}");
  }
}

}  // namespace

void read_gpu_keys(ConfigNode& node, GpuConf& conf) {
  if (node.has("gpu_models")) conf.models.clear();  // a scenario's list replaces the site's
  std::vector<std::string> models;
  node.read("gpu_models", models);
  for (const std::string& model : models) {
    conf.models_where = node.where("gpu_models");
    const std::filesystem::path folder =
        std::filesystem::path(conf.models_where.file).parent_path();
    conf.models.push_back((folder / model).lexically_normal().string());
  }
  node.read("node_hardware", conf.node_hardware);
  read_mig_keys(node, conf.mig);
  node.read("price_kwh", conf.price_kwh, {0.0, std::nullopt});
}

void read_gpu_power_keys(ConfigNode& power, GpuConf& conf) {
  read_watts(power, "gpu_idle", conf.idle_watts);
  read_watts(power, "gpu_cap", conf.cap_watts);
  power.read("gpu_load", conf.load, {0.0, 1.0});
}

}  // namespace rehearse
