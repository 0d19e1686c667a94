// sim/output/export/csv.cpp — RFC 4180, times as ISO 8601 local to the site, spans in seconds.
#include <fmt/format.h>

#include "sim/config/time_zone.hpp"
#include "sim/output/export/export.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

std::string csv_text(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string_view loop_text(std::uint8_t code) {
  constexpr std::string_view kTexts[] = {"", "submit", "main", "backfill"};
  return code < 4 ? kTexts[code] : "";
}

std::string row_text(const Result& result, std::size_t row, const TimeZone& zone) {
  const RunColumns& r = result.runs;
  const auto time = [&](std::int64_t at) {
    return at == kNoTime ? std::string() : zone.print(from_epoch_seconds(at));
  };
  const auto span = [](std::int64_t from, std::int64_t to) {
    return from == kNoTime || to == kNoTime ? std::string() : fmt::format("{}", to - from);
  };
  const std::uint32_t limit = r.limit_min[row];
  const std::string limit_s =
      limit >= kLimitNone ? std::string() : fmt::format("{}", std::uint64_t{limit} * 60);
  std::string text = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", r.job_id[row],
      csv_text(job_id_text(result, row)), csv_text(text_of(result.names.job_name, r.job_name[row])),
      csv_text(text_of(result.names.user, r.user[row])),
      csv_text(text_of(result.names.account, r.account[row])),
      csv_text(partition_name(result, row)), csv_text(qos_name(result, row)), r.restarts[row],
      r.tasks[row], time(r.submit[row]), time(r.eligible[row]), time(r.start[row]),
      time(r.end[row]), span(r.submit[row], r.start[row]), span(r.eligible[row], r.start[row]));
  text += fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{},{},{},{}\n",
                      span(r.start[row], r.end[row]), r.suspended_s[row], limit_s,
                      run_state_text(r.state[row]), r.exit_code[row], loop_text(r.started_by[row]),
                      r.requested_nodes[row], r.requested_cpus[row], r.requested_gpus[row],
                      r.requested_memory_mib[row], r.nodes[row], r.cpus[row],
                      static_cast<double>(r.gpu_milli[row]) / 1000, r.memory_mib[row],
                      csv_text(text_of(result.names.node_list, r.node_list[row])), r.priority[row],
                      to_text(static_cast<Reason>(r.reason[row])));
  return text;
}

}  // namespace

void export_csv(const Result& result, const ExportOptions& options, const TextSink& sink) {
  const TimeZone zone = options.utc ? TimeZone::utc() : zone_of(result);
  if (!options.no_header) {
    sink(
        "job_id_raw,job_id,job_name,user,account,partition,qos,restarts,tasks,submit,eligible,"
        "start,end,wait_s,wait_eligible_s,run_s,suspended_s,time_limit_s,state,exit_code,"
        "started_by,requested_nodes,requested_cpus,requested_gpus,requested_memory_mib,nodes,cpus,"
        "gpus,memory_mib,node_list,priority,reason\n");
  }
  for (const std::uint32_t row : sacct_order(result)) sink(row_text(result, row, zone));
}

}  // namespace rehearse
