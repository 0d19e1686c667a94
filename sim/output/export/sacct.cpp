// sim/output/export/sacct.cpp — sacct -P text, field by field in the order that Open XDMoD's
// manual has (resource-manager-slurm, releases with QOS): with -n and in UTC it is what its
// shredder reads.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sim/config/time_zone.hpp"
#include "sim/output/export/export.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

constexpr std::array<std::string_view, 26> kFields{
    "JobID",   "JobIDRaw",  "Cluster",   "Partition", "QOS",      "Account", "Group",
    "GID",     "User",      "UID",       "Submit",    "Eligible", "Start",   "End",
    "Elapsed", "ExitCode",  "State",     "NNodes",    "NCPUS",    "ReqCPUS", "ReqMem",
    "ReqTRES", "AllocTRES", "Timelimit", "NodeList",  "JobName"};

/// Its place among sacct_columns(); none: nobody knows it.
std::optional<std::size_t> place_of(std::string_view column) {
  const SacctColumns& columns = sacct_columns();
  const auto* const at = std::find(columns.begin(), columns.end(), column);
  if (at == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns.begin());
}

}  // namespace

void export_sacct(const Result& result, const ExportOptions& options, const TextSink& sink) {
  const TimeZone zone = options.utc ? TimeZone::utc() : zone_of(result);
  if (!options.no_header) sink(fmt::format("{}\n", fmt::join(kFields, "|")));
  for (const std::uint32_t row : sacct_order(result)) {
    const SacctCells ours = sacct_cells(result, row, zone);
    std::array<std::string_view, kFields.size()> cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (const auto place = place_of(kFields[i])) cells[i] = ours[*place];
      if (kFields[i] == "Cluster") cells[i] = result.cluster.cluster_name;
    }
    sink(fmt::format("{}\n", fmt::join(cells, "|")));
  }
}

}  // namespace rehearse
