// sim/output/kpi/arrival_kpis.cpp — figures over the span of first submissions.
#include "sim/output/kpi/arrival_kpis.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/output/kpi/grid_sum.hpp"
#include "sim/output/kpi/run_time.hpp"

namespace rehearse {
namespace {

constexpr double kHour = 3600;

struct Span {
  std::int64_t from = 0, to = 0;
  [[nodiscard]] double hours() const { return static_cast<double>(to - from) / kHour; }
};

/// Of first submissions: a requeue is none.
Span arrivals_of(const Result& result) {
  const RunColumns& runs = result.runs;
  Span span{kNoTime, kNoTime};
  for (std::size_t row = 0; row < runs.size(); ++row) {
    if (runs.restarts[row] != 0) continue;
    if (span.from == kNoTime || runs.submit[row] < span.from) span.from = runs.submit[row];
    if (span.to == kNoTime || runs.submit[row] > span.to) span.to = runs.submit[row];
  }
  if (span.from == kNoTime) return span;
  // What pended when the run began (--start-from) was submitted before.
  span.from = std::max(span.from, result.begin);
  span.to = std::min(span.to, result.end);
  return span;
}

}  // namespace

void add_arrival_kpis(const Result& result, Kpis& kpis) {
  const Span span = arrivals_of(result);
  if (span.from == kNoTime || span.to <= span.from) return;
  const auto add = [&](std::string name, double value) {
    kpis.values.push_back({"all", "", std::move(name), value});
  };
  add("arrival_hours", span.hours());
  for (const auto& [figure, series] :
       {std::pair{"gpu", "gpus"}, {"cpu", "cpus"}, {"memory", "memory"}}) {
    const std::string name = series;
    const double existing = integral_within(result, name + "_existing", span.from, span.to);
    if (existing <= 0) continue;
    add(std::string(figure) + "_utilization_arrivals",
        integral_within(result, name + "_busy", span.from, span.to) / existing);
  }
  const RunColumns& runs = result.runs;
  double ended = 0;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    if (ended_for_good(runs, row) && runs.end[row] >= span.from && runs.end[row] <= span.to) {
      ended += 1;
    }
  }
  add("throughput_arrivals", ended / span.hours());
  constexpr double kDay = 24;
  add("gpu_hours_per_day_arrivals",
      integral_within(result, "gpus_busy", span.from, span.to) / kHour / (span.hours() / kDay));
}

}  // namespace rehearse
