// tests/unit/models/gpu_site.hpp — a few nodes with GPUs, and what is known of them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/gpu/layouts.hpp"
#include "tests/unit/config/findings.hpp"

namespace rehearse::test {

class GpuSite : public ::testing::Test {
 protected:
  /// Nodes of the given lines; node_hardware as name, value pairs.
  void build(const std::string& nodes,
             std::vector<std::pair<std::string, std::string>> hardware = {}) {
    inputs_.slurm_conf = parse_slurm_conf(
        "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu\nSelectType=select/cons_tres\n" + nodes +
            "PartitionName=p Nodes=ALL Default=YES\n",
        "slurm.conf", ".", {}, conf_found_);
    if (inputs_.gres_conf.lines.empty()) inputs_.gres_conf.auto_detect = true;
    std::uint32_t line = 0;
    for (auto& [name, value] : hardware) {
      inputs_.site.gpu.node_hardware.push_back({name, value, {"site.yaml", ++line, 9}});
    }
    catalogue_ = std::make_unique<GpuCatalogue>(inputs_.site.gpu, found_);
    cluster_ = std::make_unique<Cluster>(inputs_, names_, requests_, conf_found_);
    inventory_ = GpuInventory(*cluster_, *catalogue_, found_);
    layouts_ = GpuLayouts(*cluster_, inventory_, found_);
  }
  /// A line of mig.layouts, to be given before build().
  void mig(const std::string& nodes, const std::string& gpus, std::vector<std::string> layout) {
    auto& lines = inputs_.site.gpu.mig.layouts;
    const SourcePosition where{"site.yaml", static_cast<std::uint32_t>(101 + lines.size()), 5};
    lines.push_back({nodes, gpus, std::move(layout), where});
  }
  /// The text of gres.conf, to be given before build().
  void gres_conf(const std::string& text) {
    inputs_.gres_conf = parse_gres_conf(text, "gres.conf", ".", found_);
  }
  /// `a100-40`, `a100-40/1g.5gb`, `-`.
  std::string device(std::size_t node, std::size_t at) const {
    const GpuDevice device = inventory_.device(id_at<NodeId>(node), at);
    if (device.model == nullptr) return "-";
    return device.model->name + (device.profile != nullptr ? "/" + device.profile->name : "");
  }

  SiteInputs inputs_;
  Diagnostics found_, conf_found_;
  NamePool names_;
  RequestTable requests_;
  std::unique_ptr<GpuCatalogue> catalogue_;
  std::unique_ptr<Cluster> cluster_;
  GpuInventory inventory_;
  GpuLayouts layouts_;
};

}  // namespace rehearse::test
