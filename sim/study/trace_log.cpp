// sim/study/trace_log.cpp — parts of seconds, and submissions without a row.
#include "sim/study/trace_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rehearse {
namespace {

/// Ids that the log tells as submitted from the first submission of the rows to the last, and that
/// no row has; ascending.
std::vector<std::uint32_t> without_row(const ControllerLog& log, const Trace& trace) {
  std::vector<std::uint32_t> known = trace.report.unread;
  for (const JobSpec& spec : trace.jobs.specs())
    known.push_back(static_cast<std::uint32_t>(spec.id));
  std::ranges::sort(known);
  std::vector<std::uint32_t> missing;
  for (const LoggedInstant& submitted : log.submitted) {  // by id
    if (submitted.at < *trace.report.submit_first || submitted.at > *trace.report.submit_last) {
      continue;
    }
    const auto id = static_cast<std::uint32_t>(submitted.id);
    if (!std::ranges::binary_search(known, id)) missing.push_back(id);
  }
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

void tell_missing(const std::vector<std::uint32_t>& missing, const std::string& source,
                  const SourcePosition& log, Diagnostics& found) {
  constexpr std::size_t kMostListed = 20;
  const auto first = std::span(missing).first(std::min(missing.size(), kMostListed));
  const bool one = missing.size() == 1;
  const std::string ids = fmt::format("{}", fmt::join(first, ","));
  found.note(log,
             fmt::format("{} submission{} no row that can be read in {} and {} not simulated: {}{}",
                         missing.size(), one ? " has" : "s have", source, one ? "is" : "are", ids,
                         first.size() < missing.size() ? ",…" : ""),
             "sacct -S passes over jobs that never became eligible: ask for them by id, too: "
             "sacct --jobs=" +
                 ids);
}

}  // namespace

void take_submissions(const ControllerLog& log, LoadedSite& loaded, Diagnostics& found) {
  const std::size_t sharpened = sharpen(loaded.trace.jobs, log);
  if (sharpened == 0) return;
  const SourcePosition where{(loaded.folder.root / "slurmctld.log").string(), 0, 0};
  found.note(where,
             fmt::format("{} submissions and ends are taken to the logged part of their second",
                         sharpened),
             "sacct cuts them to seconds; without the log an end lies in the middle of its own");
  if (loaded.sacct.from || loaded.sacct.to || !loaded.trace.report.submit_first) return;
  const auto missing = without_row(log, loaded.trace);
  if (!missing.empty()) tell_missing(missing, loaded.trace.report.source, where, found);
}

}  // namespace rehearse
