// sim/output/views/sacct.cpp — the accounting of the jobs submitted until an instant (outputs.md
// §5).
#include <fmt/format.h>

#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"
#include "sim/output/views/waiting_arrays.hpp"

namespace rehearse {
namespace {

std::vector<ViewRow> whole_rows(const Result& result, const TimeZone& zone) {
  std::vector<ViewRow> rows;
  for (const std::uint32_t row : sacct_order(result)) {
    const SacctCells cells = sacct_cells(result, row, zone);
    ViewRow& fields = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      fields.emplace_back(std::string(sacct_columns()[i]), cells[i]);
    }
  }
  return rows;
}

}  // namespace

View sacct_view(const Result& result, const ViewOptions& options) {
  const std::int64_t at = options.at.value_or(result.end);
  const RunColumns& r = result.runs;
  const bool whole = options.parsable || options.json;
  if (whole && at >= result.end) {
    // The whole record, in the columns that `run --sacct` writes.
    View view;
    const TimeZone zone = zone_of(result);
    if (options.json) return {{}, {}, whole_rows(result, zone)};
    if (!options.no_header) view.text = sacct_header() + "\n";
    for (const std::uint32_t row : sacct_order(result)) {
      view.text += sacct_row(result, row, zone) + "\n";
    }
    return view;
  }
  ViewTable table;
  table.columns = {{"JobID", 12, true}, {"JobName", 10}, {"Partition", 10}, {"Account", 10},
                   {"AllocCPUS", 10},   {"State", 10},   {"ExitCode", 8}};
  WaitingArrays arrays(result);
  std::vector<std::pair<std::size_t, std::uint32_t>> array_lines;  // rows of the table; their jobs
  for (const std::uint32_t row : sacct_order(result)) {
    const Standing standing = standing_at(r, row, at);
    if (standing == Standing::Absent) continue;
    if (standing == Standing::Pending && arrays.takes(row)) {  // its tasks are one line
      if (!arrays.add(row)) continue;
      array_lines.emplace_back(table.rows.size(), r.array_job[row]);
    }
    const bool ran = r.start[row] != kNoTime && standing != Standing::Pending;
    const std::string_view state = standing == Standing::Ended     ? run_state_text(r.state[row])
                                   : standing == Standing::Running ? "RUNNING"
                                                                   : "PENDING";
    table.rows.push_back({job_id_text(result, row), text_of(result.names.job_name, r.job_name[row]),
                          ran ? result.cluster.partitions[r.partition[row]].name
                              : text_of(result.names.partition_list, r.requested_partitions[row]),
                          text_of(result.names.account, r.account[row]),
                          fmt::format("{}", ran ? r.cpus[row] : r.requested_cpus[row]),
                          std::string(state),
                          fmt::format("{}:0", standing == Standing::Ended ? r.exit_code[row] : 0)});
  }
  for (const auto& [line, job] : array_lines) {
    table.rows[line].front() = fmt::format("{}_[{}]", job, arrays.tasks(job));
  }
  return table.view(&ViewTable::as_sacct, options);
}

}  // namespace rehearse
