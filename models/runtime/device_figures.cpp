// models/runtime/device_figures.cpp — a model of the catalogue as figures of run time.
#include "models/runtime/device_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kMegabytes = 1000;  // in a gigabyte, decimal as data sheets have it
constexpr double kA100Fp16PerSm = 312.0 / 108;

/// True if some class has a measured speed on that type.
bool has_speed(const JobClasses& classes, const std::string& type) {
  const auto all = classes.all();
  return std::any_of(all.begin(), all.end(),
                     [&](const JobClass& each) { return each.speed.contains(to_lower(type)); });
}

}  // namespace

DeviceFigures figures_of(const GpuModel* model, const MigProfile* profile) {
  if (model == nullptr) return {};
  DeviceFigures figures;
  figures.sms = profile != nullptr ? profile->sms : model->sms;
  figures.bandwidth_mb_s = std::int64_t{model->bandwidth_gb_s} * kMegabytes;
  if (profile != nullptr && model->memory_slices > 0) {
    figures.bandwidth_mb_s =
        scaled(figures.bandwidth_mb_s, profile->memory_slices, model->memory_slices);
  }
  figures.memory_mib =
      static_cast<std::int64_t>(profile != nullptr ? profile->memory_mib : model->memory_mib);
  if (model->fp16_tf > 0 && model->sms > 0) {
    const double per_sm = model->fp16_tf / model->sms / kA100Fp16PerSm;
    figures.sm_speed = std::llround(per_sm * static_cast<double>(kOne));
  }
  return figures;
}

FiguresOfType figures_in(const GpuCatalogue& catalogue) {
  return [&catalogue](std::string_view type) -> std::optional<DeviceFigures> {
    const GpuMeaning meaning = catalogue.meaning_of(type);
    if (meaning.model == nullptr) return std::nullopt;
    return figures_of(meaning.model, meaning.profile);
  };
}

std::string name_of(const GpuDevice& device) {
  if (device.model == nullptr) return {};
  return device.profile == nullptr ? device.model->name
                                   : fmt::format("{} {}", device.model->name, device.profile->name);
}

void check_performance(const Cluster& cluster, const GpuCatalogue& catalogue,
                       const GpuInventory& gpus, Diagnostics& found) {
  const PerformanceConf& conf = cluster.inputs.site.performance;
  if (!conf.enabled) return;
  const JobClasses classes(conf, figures_in(catalogue), found);
  if (!conf.recorded_on.empty() && !classes.figures(conf.recorded_on) &&
      !has_speed(classes, conf.recorded_on)) {
    found.error(conf.recorded_on_where,
                fmt::format("performance.recorded_on: no figures of '{}'", conf.recorded_on),
                "a GPU model, MIG type or type of performance.devices");
  }
  std::set<std::string> unknown;
  for (const GpuKind& kind : gpus.kinds()) {
    if (kind.device.model == nullptr && !classes.figures(kind.type) &&
        !has_speed(classes, kind.type)) {
      unknown.insert(kind.type);
    }
  }
  for (const std::string& type : unknown) {
    found.warning({"site.yaml: performance"},
                  fmt::format("no figures of {}: as fast as the device of each job's record",
                              type.empty() ? "GPUs without a Type" : "the GPU type " + type),
                  "node_hardware: {'n[1-4]': a100-80}, or performance.devices");
  }
}

}  // namespace rehearse
