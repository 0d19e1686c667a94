// models/runtime/remaining_work.cpp — work done at a speed, and the end that follows from it.
#include "models/runtime/remaining_work.hpp"

#include <algorithm>

namespace rehearse {
namespace {

__extension__ using Wide = __int128;  // a century in nanoseconds times a slow-down needs 94 bits

constexpr std::int64_t kNanoseconds = 1000;  // in a microsecond
constexpr Millionths kLeast = kOne / 1000, kMost = kOne * 1000;

std::int64_t times(std::int64_t value, std::int64_t factor, std::int64_t whole) {
  return static_cast<std::int64_t>(Wide{value} * factor / whole);
}

Millionths bounded(Millionths slowdown) {
  return std::clamp(slowdown, kLeast, kMost);
}

}  // namespace

RemainingWork::RemainingWork(std::optional<Duration> work, Time begins) : since_(begins) {
  if (work) left_ns_ = std::max<std::int64_t>(work->count(), 0) * kNanoseconds;
}

void RemainingWork::advance(Time now) {
  if (paused_ || now <= since_) return;
  if (const auto all_done = end(); all_done && *all_done <= now) finished_ = all_done;
  const Time until = finished_ ? std::clamp(*finished_, since_, now) : now;
  const std::int64_t span_ns = (until - since_).count() * kNanoseconds;
  since_ = now;
  std::int64_t done = times(span_ns, kOne, stretch_.in_all);
  if (left_ns_) {
    done = std::min(done, *left_ns_);
    *left_ns_ -= done;
  }
  done_ns_ += done;
  alone_ns_ += times(done, stretch_.by_device, kOne);
  awake_ns_ += span_ns;
}

void RemainingWork::go_at(const Stretch& stretch) {
  stretch_ = {bounded(stretch.by_device), bounded(stretch.in_all)};
}

void RemainingWork::pause(Time now) {
  if (paused_) return;
  advance(now);
  lead_ = std::max(since_ - now, Duration{0});
  paused_at_ = now;
  paused_ = true;
}

void RemainingWork::resume(Time now) {
  if (!paused_) return;
  paused_ = false;
  since_ = now + lead_;
  if (finished_) *finished_ += now - paused_at_;
}

std::optional<Time> RemainingWork::end() const {
  if (!left_ns_ || paused_) return std::nullopt;
  if (finished_) return finished_;
  const Wide span = Wide{*left_ns_} * stretch_.in_all;
  const Wide microsecond = Wide{kNanoseconds} * kOne;
  return since_ + Duration{static_cast<std::int64_t>((span + microsecond - 1) / microsecond)};
}

Duration RemainingWork::done() const {
  return Duration{done_ns_ / kNanoseconds};
}

RunPace RemainingWork::pace() const {
  const auto rounded = [](std::int64_t ns) {
    const std::int64_t half = ns < 0 ? -kNanoseconds / 2 : kNanoseconds / 2;
    return Duration{(ns + half) / kNanoseconds};
  };
  return {rounded(done_ns_), rounded(alone_ns_ - done_ns_), rounded(awake_ns_ - alone_ns_)};
}

}  // namespace rehearse
