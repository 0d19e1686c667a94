// sim/output/kpi/feedback_kpis.cpp — how far submissions moved against the record, job by job.
#include "sim/output/kpi/feedback_kpis.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rehearse {
namespace {

/// Jobs that came on one side of their recorded time, and by how much.
struct Moved {
  std::uint64_t jobs = 0, seconds = 0, most = 0;

  void take(std::uint64_t count, std::int64_t by) {
    if (by <= 0) return;
    const auto shift = static_cast<std::uint64_t>(by);
    jobs += count;
    seconds += count * shift;
    most = std::max(most, shift);
  }
  [[nodiscard]] double mean() const {
    return jobs == 0 ? std::numeric_limits<double>::quiet_NaN()
                     : static_cast<double>(seconds) / static_cast<double>(jobs);
  }
};

}  // namespace

void add_feedback_kpis(const Result& result, Kpis& kpis) {
  const FeedbackColumns& feedback = result.feedback;
  if (!feedback.kept) return;
  const RunColumns& runs = result.runs;
  std::uint64_t by_rule[3] = {};
  Moved earlier, later;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    if (runs.restarts[row] > 0) continue;
    const std::uint64_t jobs = runs.tasks[row];
    by_rule[std::min<std::uint8_t>(feedback.rule[row], 2)] += jobs;
    const std::int64_t shift = runs.submit[row] - feedback.recorded_submit[row];
    earlier.take(jobs, -shift);
    later.take(jobs, shift);
  }
  const auto add = [&](const char* name, double value) {
    kpis.values.push_back({"all", "", name, value});
  };
  const auto count = [](std::uint64_t n) { return static_cast<double>(n); };
  add("feedback_jobs_after_end", count(by_rule[1]));
  add("feedback_jobs_with_batch", count(by_rule[2]));
  add("feedback_jobs_held_back", count(feedback.held_back));
  for (const auto& [name, moved] : {std::pair<std::string, Moved>{"earlier", earlier},
                                    std::pair<std::string, Moved>{"later", later}}) {
    kpis.values.push_back({"all", "", "feedback_jobs_" + name, count(moved.jobs)});
    kpis.values.push_back({"all", "", "feedback_" + name + "_mean", moved.mean()});
    kpis.values.push_back({"all", "", "feedback_" + name + "_most", count(moved.most)});
  }
}

}  // namespace rehearse
