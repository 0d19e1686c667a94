// sim/config/mig_conf.hpp — the section `mig` of site.yaml: how GPUs are cut into MIG instances,
// when that changes, who changes it, and what a change costs. Every key: configs/reference.yaml.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

class ConfigNode;

/// The instances of some physical GPUs of some nodes.
struct MigLine {
  std::string nodes;                ///< host list expression
  std::string gpus;                 ///< indexes of physical GPUs, `0-7`
  std::vector<std::string> layout;  ///< `3g.20gb`, `3g.20gb:4`, `2*1g.5gb`; `whole`: MIG off
  SourcePosition where;
};

/// A line that takes effect while the cluster runs: every so often, or once.
struct MigChangeLine : MigLine {
  std::optional<Seconds> time_of_day;  ///< local; none: `date`
  std::array<bool, 7> days{};          ///< Sunday first; of time_of_day
  std::string date;                    ///< `YYYY-MM-DDTHH:MM:SS`, as written
  SourcePosition at_where;
};

enum class MigPolicy : std::uint8_t { None, OnDemand, Packed };
/// What is out of service while a GPU waits for its change and is changed.
enum class MigDrain : std::uint8_t { Node, Gpu };

struct MigConf {
  std::vector<MigLine> layouts;        ///< when the run begins
  std::vector<MigChangeLine> changes;  ///< while it runs
  MigPolicy policy = MigPolicy::None;
  SourcePosition policy_where;
  std::vector<std::string> profiles;  ///< what a policy may cut; empty: the Types of the site
  SourcePosition profiles_where;
  std::uint64_t depth = 16;  ///< pending jobs that a policy looks at
  /// From the last job's end on the GPU to the first start on the new instances. The default is a
  /// choice (gpu-models.md §2.5): drain, new gres.conf, restart of slurmd, scontrol reconfigure.
  Duration cost{300'000'000};
  MigDrain drain = MigDrain::Node;
  bool absent_types_wait =
      false;  ///< jobs may ask for a Type that comes later (absent_types: wait)

  /// Something may be changed by site.yaml; events.csv may change it without.
  [[nodiscard]] bool changes_anything() const {
    return !changes.empty() || policy != MigPolicy::None;
  }
};

/// Reads the section of `parent` into `conf`: what is not there stays, lists replace lists.
void read_mig_keys(ConfigNode& parent, MigConf& conf);

/// `whole` as a layout: the GPU with MIG off.
inline constexpr std::string_view kWholeGpuWord = "whole";

}  // namespace rehearse
