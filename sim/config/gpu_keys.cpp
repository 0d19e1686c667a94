// sim/config/gpu_keys.cpp — the keys of site.yaml and of a scenario that are of GPUs.
#include <filesystem>

#include "sim/config/gpu_conf.hpp"

namespace rehearse {

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
}

}  // namespace rehearse
