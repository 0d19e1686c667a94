// sim/config/gpu_conf.hpp — what site.yaml says of GPUs: models of its own, what its nodes hold.
#pragma once

#include <string>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// Every key, unit, range and default: configs/reference.yaml.
struct GpuConf {
  std::vector<std::string> models;  ///< files of gpu_models, relative to the file that names them
  SourcePosition models_where;
  /// Host list expressions (or `nodes:type`) with the name of a model or of a node shape.
  std::vector<ConfigEntry> node_hardware;
};

/// Reads the keys of `node` that are of GPUs; does not call finish().
void read_gpu_keys(ConfigNode& node, GpuConf& conf);

}  // namespace rehearse
