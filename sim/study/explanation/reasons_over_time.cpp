// sim/study/explanation/reasons_over_time.cpp — pending jobs by Reason, in buckets of time.
#include <algorithm>
#include <map>
#include <utility>

#include "sim/output/views/view.hpp"
#include "sim/study/explanation/explanation.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kHalfDay = 43200;
constexpr std::size_t kDateLength = 10;

/// Job-seconds of one Reason in each bucket.
struct ReasonSums {
  std::vector<double> by_bucket;
  double total = 0;
};

}  // namespace

std::vector<std::int64_t> even_begins(const Result& result, std::int64_t period_s,
                                      std::int64_t offset_s) {
  std::vector<std::int64_t> begins;
  if (result.end <= result.begin) return begins;
  const std::int64_t from = result.begin - offset_s;
  const std::int64_t past = ((from % period_s) + period_s) % period_s;
  for (std::int64_t at = result.begin - past; at < result.end; at += period_s) begins.push_back(at);
  return begins;
}

std::vector<std::int64_t> day_begins(const Result& result) {
  std::vector<std::int64_t> begins;
  const TimeZone zone = zone_of(result);
  const auto midnight_of = [&](std::int64_t at) {
    const std::string date = zone.print(from_epoch_seconds(at)).substr(0, kDateLength);
    const auto read = zone.read(date + "T00:00:00");
    return read ? read->time_since_epoch().count() : at;
  };
  const auto add = [&](std::int64_t at) {
    const std::int64_t begin = midnight_of(at);
    if (begins.empty() || begin > begins.back()) begins.push_back(begin);
  };
  // Half days: no day is so short that a step goes over it.
  for (std::int64_t at = result.begin; at < result.end; at += kHalfDay) add(at);
  if (result.end > result.begin) add(result.end - 1);
  return begins;
}

ReasonTable reasons_over_time(const Result& result, std::vector<std::int64_t> begins) {
  const WaitColumns& waits = result.waits;
  ReasonTable table;
  if (begins.empty()) return table;
  const auto end_of = [&](std::size_t bucket) {
    return bucket + 1 < begins.size() ? begins[bucket + 1] : result.end;
  };
  std::map<std::uint16_t, ReasonSums> sums;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    ReasonSums& of = sums[waits.reason[i]];
    of.by_bucket.resize(begins.size());
    const std::int64_t until = std::min(waits.end[i], result.end);
    std::int64_t at = std::max(waits.begin[i], begins.front());
    auto bucket = static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), at) -
                                           begins.begin() - 1);
    for (; at < until; ++bucket) {
      const std::int64_t end = std::min(until, end_of(bucket));
      const double amount = static_cast<double>(end - at) * waits.tasks[i];
      of.by_bucket[bucket] += amount;
      of.total += amount;
      at = end;
    }
  }
  std::vector<std::pair<double, std::uint16_t>> order;
  for (const auto& [reason, of] : sums) order.emplace_back(-of.total, reason);
  std::sort(order.begin(), order.end());
  for (const auto& [total, reason] : order) table.reasons.push_back(static_cast<Reason>(reason));
  for (std::size_t bucket = 0; bucket < begins.size(); ++bucket) {
    const std::int64_t length = end_of(bucket) - std::max(result.begin, begins[bucket]);
    std::vector<double> mean;
    for (const auto& [total, reason] : order) {
      mean.push_back(sums[reason].by_bucket[bucket] / static_cast<double>(length));
    }
    table.mean.push_back(std::move(mean));
  }
  table.time = std::move(begins);
  return table;
}

}  // namespace rehearse
