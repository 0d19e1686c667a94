// models/runtime/job_classes.hpp — which jobs do what with a GPU: the classes and rules of
// site.yaml `performance`, with the presets of gpu-models.md §6.1.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/runtime/slowdown.hpp"
#include "sim/config/performance_conf.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

struct ClassPreset {
  std::string_view name;
  WorkProfile profile;  ///< on kA100Instance7g
};
/// host-bound, light, medium, heavy-bandwidth, heavy-compute, saturating.
[[nodiscard]] std::span<const ClassPreset> class_presets();
[[nodiscard]] const ClassPreset* find_preset(std::string_view name);

/// What rules may ask of a job; empty where it has none.
struct JobTraits {
  std::string_view user, account, partition, qos, name, wckey, gpu_type;
};
/// `*` any text, `?` one character, all else itself.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

struct JobClass {
  std::string name;
  WorkProfile profile;
  DeviceFigures measured_on;                ///< the device of `profile`
  std::int64_t memory_mib = 0;              ///< of each of its devices; 0: not known
  std::map<std::string, Millionths> speed;  ///< by GPU type, lower case
};

/// Figures of a GPU or MIG type on a node; none: not known.
using FiguresOfType = std::function<std::optional<DeviceFigures>(std::string_view type)>;

/// A device as run times know it: its type, or another name of it, and figures.
struct DeviceHere {
  std::string type;
  DeviceFigures figures;
};

class JobClasses {
 public:
  /// `catalogue`: figures of types that the site does not tell; may be empty. Rules that name no
  /// class, classes that name no preset or device, and doubles of both are errors.
  JobClasses(const PerformanceConf& conf, FiguresOfType catalogue, Diagnostics& found);

  [[nodiscard]] const JobClass& of(const JobTraits& job) const;
  [[nodiscard]] std::span<const JobClass> all() const { return classes_; }
  /// Of performance.devices, else of the catalogue.
  [[nodiscard]] std::optional<DeviceFigures> figures(std::string_view type) const;
  [[nodiscard]] std::optional<DeviceFigures> own_figures(std::string_view type) const;
  /// Slow-down of a job that runs alone on `here` and was recorded on the type `recorded`: by the
  /// measured speeds of its class, else by §6.1; 1 on the same type, and where neither is known.
  [[nodiscard]] Millionths by_device(const JobClass& job, const DeviceHere& here,
                                     std::string_view recorded) const;

 private:
  void add(const PerformanceConf::JobClass& conf, Diagnostics& found);
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  std::size_t find_or_tell(const std::string& name, const SourcePosition& where,
                           Diagnostics& found);

  const PerformanceConf& conf_;
  FiguresOfType catalogue_;
  std::vector<JobClass> classes_;
  std::vector<std::size_t> rule_class_;  // beside conf_.rules
  std::size_t default_class_ = 0;
};

}  // namespace rehearse
