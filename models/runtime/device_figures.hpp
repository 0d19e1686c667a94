// models/runtime/device_figures.hpp — what the models of run time need of the GPU catalogue.
#pragma once

#include <string>

#include "models/gpu/inventory.hpp"
#include "models/runtime/job_classes.hpp"

namespace rehearse {

/// SMs, bandwidth by memory slices (gpu-models.md §6.1) and memory of a device or MIG instance;
/// nothing is known of no model. The speed of an SM follows that of dense FP16 tensor arithmetic in
/// the data sheets, an A100's being 1: a choice, which performance.devices or a class's measured
/// speed replaces.
[[nodiscard]] DeviceFigures figures_of(const GpuModel* model, const MigProfile* profile);

/// Figures by GPU type. `catalogue` must outlive it.
[[nodiscard]] FiguresOfType figures_in(const GpuCatalogue& catalogue);

/// What stands for the type of a device that has none: its model, `a100-40 1g.5gb`.
[[nodiscard]] std::string name_of(const GpuDevice& device);

/// What is wrong with site.yaml's `performance`, and GPUs whose speed it cannot tell.
void check_performance(const Cluster& cluster, const GpuCatalogue& catalogue,
                       const GpuInventory& gpus, Diagnostics& found);

}  // namespace rehearse
