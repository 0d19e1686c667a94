// workloads/sacct_lines.cpp — the common column set of the shipped traces.
#include "workloads/sacct_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/config/units.hpp"

namespace rehearse {
namespace {

using namespace std::chrono_literals;

/// No delimiter and no newline may reach a field: sacct cannot escape them.
std::string clean(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '|' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return out;
}

std::string tres_of(const SacctLine& line) {
  std::string text = fmt::format("billing={0},cpu={0}", line.cpus);
  text += line.gres;
  if (line.gres.empty() && line.gpus > 0) text += fmt::format(",gres/gpu={}", line.gpus);
  if (line.memory_mib > 0) text += ",mem=" + format_memory_mib(line.memory_mib);
  return text + fmt::format(",node={}", line.nodes);
}

std::string row_of(const SacctLine& line, const TimeZone& zone) {
  const auto iso = [&](SlurmTime at) { return zone.print(at); };
  const std::string id = line.array_task ? fmt::format("{}_{}", line.job_id, *line.array_task)
                                         : fmt::format("{}", line.job_id);
  const std::string tres = tres_of(line);
  const bool started = line.start.has_value();
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}:0|{}|{}|{}|{}|{}|{}", id,
                     clean(line.name), clean(line.user), clean(line.account), clean(line.partition),
                     clean(line.qos), iso(line.submit), iso(line.submit),
                     started ? iso(*line.start) : "None", line.end ? iso(*line.end) : "Unknown",
                     format_elapsed(line.elapsed),
                     line.time_limit ? format_elapsed(*line.time_limit) : "Partition_Limit",
                     line.state, line.exit_code, line.nodes, line.cpus,
                     line.memory_mib > 0 ? format_memory_mib(line.memory_mib) : "0", tres,
                     started ? tres : "", started ? "" : "None assigned");
}

}  // namespace

std::string sacct_text_of(std::vector<SacctLine> lines, const TimeZone& zone) {
  std::sort(lines.begin(), lines.end(), [](const SacctLine& a, const SacctLine& b) {
    return std::tie(a.submit, a.job_id, a.array_task) < std::tie(b.submit, b.job_id, b.array_task);
  });
  const bool submit_lines = std::any_of(
      lines.begin(), lines.end(), [](const SacctLine& line) { return !line.submit_line.empty(); });
  std::string text =
      "JobID|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|Elapsed|Timelimit|State|"
      "ExitCode|NNodes|NCPUS|ReqMem|ReqTRES|AllocTRES|NodeList";
  text += submit_lines ? "|SubmitLine\n" : "\n";
  for (const SacctLine& line : lines) {
    text += row_of(line, zone);
    if (submit_lines) text += "|" + clean(line.submit_line);
    text += '\n';
  }
  return text;
}

Minutes invented_limit(Seconds run_time) {
  constexpr Minutes kRound[] = {15min, 30min, 1h,  2h,   4h,   8h,   12h,
                                24h,   48h,   72h, 120h, 168h, 336h, 720h};
  const auto wanted = run_time * 3;  // twice 1.5 times, to stay whole
  for (const Minutes round : kRound) {
    if (wanted <= Seconds{round} * 2) return round;
  }
  return std::chrono::ceil<Minutes>((wanted + 1s) / 2);
}

}  // namespace rehearse
