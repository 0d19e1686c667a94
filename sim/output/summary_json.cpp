// sim/output/summary_json.cpp — the summary for scripts, in one versioned schema.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/output/json_number.hpp"
#include "sim/output/summary.hpp"
#include "sim/output/version_json.hpp"

namespace rehearse {
std::string summary_json(const Result& result, const Kpis& kpis) {
  nlohmann::ordered_json json;
  json["schema"] = "rehearse-run/1";
  json["cluster"] = result.cluster.cluster_name;
  json["slurm_version"] = result.cluster.slurm_version;
  const auto version = parse_slurm_version(result.cluster.slurm_version);
  json["slurm_differences"] = differences_json(version.value_or(SlurmVersion{}));
  json["status"] = result.complete ? "complete" : "partial";
  json["simulated_begin"] = result.begin;
  json["simulated_end"] = result.end;
  json["event_fingerprint"] = fmt::format("{:016x}", result.loops.event_fingerprint);
  json["schedule_fingerprint"] = fmt::format("{:016x}", result.loops.schedule_fingerprint);
  auto& overall = json["kpis"] = nlohmann::ordered_json::object();
  auto& groups = json["groups"] = nlohmann::ordered_json::object();
  for (const Kpi& kpi : kpis.values) {
    if (kpi.scope == "all") {
      const KpiDefinition* definition = find_kpi_definition(kpi.name);
      overall[kpi.name] = {{"value", json_number(kpi.value)},
                           {"units", definition != nullptr ? definition->units : ""}};
    } else {
      groups[kpi.scope][kpi.group][kpi.name] = json_number(kpi.value);
    }
  }
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace rehearse
