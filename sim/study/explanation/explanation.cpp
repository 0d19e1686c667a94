// sim/study/explanation/explanation.cpp — the spans of a wait, priorities along it, and the runs of
// a job.
#include "sim/study/explanation/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/study/explanation/overtakers.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kPrioritiesShown = 12;

/// Until when the row waited.
std::int64_t wait_end(const Result& result, std::uint32_t row) {
  const RunColumns& r = result.runs;
  if (r.start[row] != kNoTime) return r.start[row];
  return r.end[row] != kNoTime ? r.end[row] : result.end;
}

/// At its eligibility, at each kept sample of its fair-share, and at its start; thinned evenly.
std::vector<PriorityAt> priorities_of(const Result& result, const PartsOverTime& over_time,
                                      std::uint32_t row) {
  const RunColumns& r = result.runs;
  if (!result.cluster.priority.multifactor || r.priority[row] == 0) return {};
  const std::int64_t from = r.eligible[row] != kNoTime ? r.eligible[row] : r.submit[row];
  const std::int64_t until = wait_end(result, row);
  if (from > until) return {};
  std::map<std::int64_t, double> factors{{from, std::nan("")}};
  const FairShareOverTime shares(result, r.association[row]);
  for (const auto& [time, factor] : shares.samples()) {
    if (time < until) factors[std::max(time, from)] = factor;
  }
  std::vector<PriorityAt> all;
  for (const auto& [time, factor] : factors) {
    all.push_back({time, over_time.parts({row, time, factor})});
  }
  if (r.start[row] != kNoTime && until > all.back().time) {
    all.push_back({until, over_time.parts({row, until, std::nan("")})});
  }
  if (all.size() <= kPrioritiesShown) return all;
  std::vector<PriorityAt> thinned;
  for (std::size_t i = 0; i < kPrioritiesShown; ++i) {
    thinned.push_back(all[i * (all.size() - 1) / (kPrioritiesShown - 1)]);
  }
  return thinned;
}

/// What follows without a gap and says the same is one span.
std::vector<ReasonSpan> joined(const std::vector<ReasonSpan>& spans) {
  std::vector<ReasonSpan> all;
  for (const ReasonSpan& each : spans) {
    const bool goes_on = !all.empty() && all.back().end == each.begin &&
                         all.back().reason == each.reason && all.back().text == each.text;
    if (goes_on) {
      all.back().end = each.end;
    } else {
      all.push_back(each);
    }
  }
  return all;
}

bool was_preempted(const Result& result, std::uint32_t row) {
  return result.runs.state[row] == static_cast<std::uint8_t>(JobState::Preempted);
}

}  // namespace

std::vector<ReasonSpan> spans_of(const Result& result, std::uint32_t row) {
  const WaitColumns& waits = result.waits;
  std::vector<std::uint32_t> chain{row};
  while (result.runs.split_from[chain.back()] != kNoRow) {
    chain.push_back(result.runs.split_from[chain.back()]);
  }
  const std::int64_t until = wait_end(result, row);
  std::vector<ReasonSpan> spans;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (std::find(chain.begin(), chain.end(), waits.run[i]) == chain.end()) continue;
    if (waits.begin[i] >= until) continue;
    spans.push_back({waits.begin[i], std::min(waits.end[i], until),
                     static_cast<Reason>(waits.reason[i]),
                     text_of(result.names.text, waits.text[i])});
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const ReasonSpan& a, const ReasonSpan& b) { return a.begin < b.begin; });
  return joined(spans);
}

const ReasonSpan* reason_at(const std::vector<ReasonSpan>& spans, std::int64_t at) {
  for (const ReasonSpan& span : spans) {
    if (span.begin <= at && at < span.end) return &span;
  }
  return nullptr;
}

std::int64_t ExplainedRun::seconds_of(Reason reason) const {
  std::int64_t sum = 0;
  for (const ReasonSpan& span : spans) {
    if (span.reason == reason) sum += span.end - span.begin;
  }
  return sum;
}

Explanation explain_job(const Result& result, std::uint32_t first) {
  const RunColumns& r = result.runs;
  Explanation explanation;
  const OvertakerSearch search(result);
  for (std::uint32_t row = first; row < r.size(); ++row) {
    if (row != first && (r.job_id[row] != r.job_id[first] || r.restarts[row] == 0)) continue;
    ExplainedRun run;
    run.row = row;
    run.spans = spans_of(result, row);
    run.priorities = priorities_of(result, search.over_time(), row);
    run.overtakers = search.overtakers_of(row, run.spans);
    if (was_preempted(result, row)) run.took_its_nodes = search.successors_of(row);
    explanation.runs.push_back(std::move(run));
  }
  return explanation;
}

}  // namespace rehearse
