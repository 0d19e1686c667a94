// workloads/logged_slices.cpp — the steady beat of the slices behind what a log shows of them.
#include "workloads/logged_slices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rehearse {
namespace {

constexpr Duration kMoment{300'000};  // between two lines of one turn
constexpr Duration kLate{25'000};     // that the thread may lose in each slice
constexpr Duration kJitter{500'000};
constexpr int kSlicesAfter = 1000;

std::int64_t periods(Duration span, Duration period) {
  return (span + period / 2) / period;
}

/// True if two ends of slices can be that far apart.
bool are_in_step(Time first, Time later, Duration slice) {
  const Duration span = later - first;
  const std::int64_t count = periods(span, slice);
  if (count == 0) return false;
  const Duration late = span - count * slice;
  return late >= -kJitter && late <= kJitter + count * kLate;
}

/// Of the turns that both stopped jobs and let some go on, the most that are in step with one.
std::vector<Time> in_step(const std::vector<LoggedTurn>& turns, Duration slice) {
  std::vector<Time> both, best;
  for (const LoggedTurn& turn : turns) {
    if (turn.some_stopped && turn.some_went_on) both.push_back(turn.at);
  }
  for (std::size_t i = 0; i < both.size(); ++i) {
    std::vector<Time> found{both[i]};
    for (std::size_t j = i + 1; j < both.size(); ++j) {
      if (are_in_step(found.back(), both[j], slice)) found.push_back(both[j]);
    }
    if (found.size() > best.size()) best = std::move(found);
  }
  return best;
}

}  // namespace

void put_gang_turn(std::vector<LoggedTurn>& turns, Time at, bool stopped) {
  if (turns.empty() || at - turns.back().at > kMoment) turns.push_back({at});
  (stopped ? turns.back().some_stopped : turns.back().some_went_on) = true;
}

std::vector<Time> slices_of(const std::vector<LoggedTurn>& turns, Seconds slice) {
  const Duration period = slice;
  const std::vector<Time> known = in_step(turns, period);
  if (known.empty() || period <= Duration{0}) return {};
  std::vector<Time> all;
  for (Time at = known.front() - period; at >= turns.front().at; at -= period) all.push_back(at);
  std::reverse(all.begin(), all.end());
  for (std::size_t i = 0; i + 1 < known.size(); ++i) {
    const Duration span = known[i + 1] - known[i];
    const std::int64_t count = periods(span, period);
    for (std::int64_t k = 0; k < count; ++k) all.push_back(known[i] + k * span / count);
  }
  for (int k = 0; k < kSlicesAfter; ++k) all.push_back(known.back() + k * period);
  return all;
}

}  // namespace rehearse
