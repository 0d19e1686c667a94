// sim/config/gpu_conf.hpp — what site.yaml says of GPUs: models of its own, what its nodes hold,
// how they are partitioned, what they draw.
#pragma once

#include <string>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/config/mig_conf.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// Every key, unit, range and default: configs/reference.yaml.
struct GpuConf {
  std::vector<std::string> models;  ///< files of gpu_models, relative to the file that names them
  SourcePosition models_where;
  /// Host list expressions (or `nodes:type`) with the name of a model or of a node shape.
  std::vector<ConfigEntry> node_hardware;

  MigConf mig;

  std::vector<ConfigEntry> idle_watts, cap_watts;  ///< by model, instead of the catalogue's
  /// The part of the range from idle to cap that a held GPU draws, 0 .. 1: what a job of class
  /// medium does, u*(0.6 + 0.4*w) with u = 0.54 and w = 0.32 (gpu-models.md §6.6).
  double load = 0.39;
  double price_kwh = 0;  ///< currency units; 0: not told
};

/// Reads the keys of `node` that are of GPUs; does not call finish().
void read_gpu_keys(ConfigNode& node, GpuConf& conf);
/// Reads those that stand under `power`; does not call finish().
void read_gpu_power_keys(ConfigNode& power, GpuConf& conf);

}  // namespace rehearse
