// sim/output/export/sacct.cpp — sacct -P text, field by field in the order that Open XDMoD's
// manual has (resource-manager-slurm, releases with QOS): with -n and in UTC it is what its
// shredder reads.
#include <array>
#include <map>

#include "sim/config/time_zone.hpp"
#include "sim/output/export/export.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

/// Fields in order, and the column of our own sacct text that has them; empty: nobody knows it.
struct SacctField {
  std::string_view name, column;
};
constexpr std::array kFields{
    SacctField{"JobID", "JobID"},
    SacctField{"JobIDRaw", "JobIDRaw"},
    SacctField{"Cluster", ""},
    SacctField{"Partition", "Partition"},
    SacctField{"QOS", "QOS"},
    SacctField{"Account", "Account"},
    SacctField{"Group", ""},
    SacctField{"GID", ""},
    SacctField{"User", "User"},
    SacctField{"UID", ""},
    SacctField{"Submit", "Submit"},
    SacctField{"Eligible", "Eligible"},
    SacctField{"Start", "Start"},
    SacctField{"End", "End"},
    SacctField{"Elapsed", "Elapsed"},
    SacctField{"ExitCode", "ExitCode"},
    SacctField{"State", "State"},
    SacctField{"NNodes", "NNodes"},
    SacctField{"NCPUS", "NCPUS"},
    SacctField{"ReqCPUS", "ReqCPUS"},
    SacctField{"ReqMem", "ReqMem"},
    SacctField{"ReqTRES", "ReqTRES"},
    SacctField{"AllocTRES", "AllocTRES"},
    SacctField{"Timelimit", "Timelimit"},
    SacctField{"NodeList", "NodeList"},
    SacctField{"JobName", "JobName"},
};

std::vector<std::string_view> split(std::string_view row) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t end = row.find('|');
    cells.push_back(row.substr(0, end));
    if (end == std::string_view::npos) return cells;
    row.remove_prefix(end + 1);
  }
}

}  // namespace

void export_sacct(const Result& result, const ExportOptions& options, const TextSink& sink) {
  const TimeZone zone = options.utc ? TimeZone::utc() : zone_of(result);
  const std::string header = sacct_header();
  std::map<std::string_view, std::size_t> place;
  for (const std::string_view name : split(header)) place.emplace(name, place.size());
  std::string line;
  for (const SacctField& field : kFields) {
    line += line.empty() ? "" : "|";
    line += field.name;
  }
  if (!options.no_header) sink(line + "\n");
  for (const std::uint32_t row : sacct_order(result)) {
    const std::string text = sacct_row(result, row, zone);
    const std::vector<std::string_view> cells = split(text);
    line.clear();
    for (const SacctField& field : kFields) {
      if (&field != kFields.data()) line += '|';
      if (field.name == "Cluster") {
        line += result.cluster.cluster_name;
      } else if (!field.column.empty()) {
        line += cells[place.at(field.column)];
      }
    }
    sink(line + "\n");
  }
}

}  // namespace rehearse
