// sim/app/progress.cpp — how far a run is, for who waits for it.
#include "sim/app/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rehearse {

std::uint64_t runs_of(const TraceJobs& jobs) {
  std::uint64_t runs = 0;
  for (const JobSpec& spec : jobs.specs())
    runs += spec.extras ? std::max<std::size_t>(1, spec.extras->array.size()) : 1;
  return runs;
}

ProgressLine::ProgressLine(TimeZone zone, std::uint64_t runs, std::string label)
    : zone_(std::move(zone)), runs_(runs), label_(std::move(label)) {}

void ProgressLine::job_rejected(const JobSpec& /*spec*/, std::string_view /*message*/,
                                SlurmTime /*now*/) {
  ++done_;
}

void ProgressLine::job_ended(const Job& /*job*/, bool requeued, SlurmTime /*now*/) {
  if (!requeued) ++done_;
}

void ProgressLine::job_cancelled(const Job& /*job*/, SlurmTime /*now*/) {
  ++done_;
}

void ProgressLine::progressed(SlurmTime now, std::size_t pending, std::size_t running) {
  if (!text_.is_due()) return;
  const double rate = static_cast<double>(done_) / elapsed_s();
  std::string left = "?";
  if (runs_ >= done_ && done_ > 0) left = time_left_text(static_cast<double>(runs_ - done_) / rate);
  text_.show(fmt::format("{}{}  {} of {} jobs  {:.0f} jobs/s  {} pending  {} running  {} left",
                         label_, zone_.print(now), done_, runs_, rate, pending, running, left));
}

void ProgressLine::run_ended(const Cluster& /*cluster*/, SlurmTime /*now*/,
                             const LoopCounts& /*counts*/) {
  text_.clear();
}

}  // namespace rehearse
