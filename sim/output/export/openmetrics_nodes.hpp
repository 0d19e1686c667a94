// sim/output/export/openmetrics_nodes.hpp — the states of nodes over time, and the CPUs and GPUs
// that they leave idle, by the exporters' names (outputs.md §10.1, §10.3).
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "sim/output/export/export.hpp"
#include "sim/output/export/step_series.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// `{partition="x",node="y"}`.
[[nodiscard]] std::string labels(
    std::initializer_list<std::pair<std::string_view, std::string_view>> pairs);

/// One family after another; those of partitions and of single nodes where they are wanted.
void write_node_families(const Result& result, const ExportOptions& options,
                         const std::function<void(MetricFamily)>& emit);

}  // namespace rehearse
