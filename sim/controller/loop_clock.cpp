// sim/controller/loop_clock.cpp — the arithmetic of turns and polls.
#include "sim/controller/loop_clock.hpp"

#include <algorithm>

namespace rehearse {
namespace {

constexpr Duration kRealScanPeriod{30'120'000};  // with turns of 1.01 s: mean of the recordings
constexpr Seconds kPoll{1};
constexpr Seconds kSlack{4};  // a request waits at most batch_sched_delay and a turn

}  // namespace

BackgroundClock::BackgroundClock(const SchedulerParameters& parameters, Time start, Duration turn)
    : full_interval_(parameters.sched_interval),
      partial_delay_(parameters.batch_sched_delay),
      start_(start),
      turn_(turn),
      last_full_(whole_second(start)),
      last_background_(whole_second(start)) {}

void BackgroundClock::change(const SchedulerParameters& parameters) {
  full_interval_ = parameters.sched_interval;
  partial_delay_ = parameters.batch_sched_delay;
}

Time BackgroundClock::turn_at(Time at) const {
  if (at <= start_) return start_;
  const auto turns = (at - start_ + turn_ - Duration{1}) / turn_;
  return start_ + turns * turn_;
}

/// The first turn whose whole second is at least `span` after `since`.
Time BackgroundClock::turn_when(SlurmTime since, Seconds span) const {
  return turn_at(Time{since + span});
}

std::vector<BackgroundClock::KnownPass>::const_iterator BackgroundClock::first_known(
    Time at) const {
  return std::lower_bound(known_passes_.begin(), known_passes_.end(), at,
                          [](const KnownPass& pass, Time t) { return pass.at < t; });
}

bool BackgroundClock::knows_partial_pass_at(Time now) const {
  const auto known = first_known(now);
  return known != known_passes_.end() && known->at == now && known->depth == Due::Partial;
}

std::optional<Time> BackgroundClock::known_partial_pass(Time from, Time to) const {
  for (auto known = first_known(from); known != known_passes_.end() && known->at <= to; ++known) {
    if (known->depth == Due::Partial) return known->at;
  }
  return std::nullopt;
}

bool BackgroundClock::knows_pass_within(Time now, Duration span) const {
  const auto known = first_known(now + Duration{1});
  return known != known_passes_.end() && known->at <= now + span;
}

std::optional<Time> BackgroundClock::next_due(Time now) const {
  const std::optional<Time> own = own_due(now);
  const auto known = first_known(now);
  if (!own || known == known_passes_.end()) return own;
  const Time free = after_long_turn(*own);
  return known->at > free + kSlack ? free : known->at;
}

Time BackgroundClock::after_long_turn(Time at) const {
  const auto next = std::upper_bound(known_turns_.begin(), known_turns_.end(), at,
                                     [](Time t, const KnownTurn& turn) { return t < turn.began; });
  return next == known_turns_.begin() ? at : std::max(at, std::prev(next)->ended);
}

std::optional<Time> BackgroundClock::own_due(Time now) const {
  if (!full_interval_) return std::nullopt;
  const Time full = std::max(turn_when(last_full_, *full_interval_), turn_at(now));
  if (!requested_) return full;
  return std::min(full, std::max(turn_when(last_background_, partial_delay_), turn_at(now)));
}

BackgroundClock::Due BackgroundClock::at_turn(Time now) {
  if (!full_interval_) return Due::Nothing;
  const SlurmTime second = whole_second(now);
  const auto known = first_known(now);
  if (known != known_passes_.end() && known->at == now) {
    if (known->depth == Due::Full) last_full_ = second;
    last_background_ = second;
    requested_ = false;
    return known->depth;
  }
  if (second - last_full_ >= *full_interval_) {
    last_full_ = last_background_ = second;
    requested_ = false;
    return Due::Full;
  }
  if (requested_ && second - last_background_ >= partial_delay_) {
    last_background_ = second;
    requested_ = false;
    return Due::Partial;
  }
  return Due::Nothing;
}

Time BackgroundClock::scan_at(Time at) const {
  const auto known = std::lower_bound(known_scans_.begin(), known_scans_.end(), at);
  if (known != known_scans_.end()) {
    const Time before = known == known_scans_.begin() ? start_ : *std::prev(known);
    auto periods = (*known - before + kRealScanPeriod / 2) / kRealScanPeriod;
    // Thirty seconds of a whole-second clock: n of them may take a second less than 30 n, no more.
    if (periods > 1 && *known - before <= periods * kScanPeriod - Seconds{1}) --periods;
    periods = std::max<std::int64_t>(periods, 1);
    const Duration period = (*known - before) / periods;
    return std::max(at, *known - (*known - at) / period * period);
  }
  if (!known_scans_.empty()) {
    const auto scans = (at - known_scans_.back() + kRealScanPeriod - Duration{1}) / kRealScanPeriod;
    return known_scans_.back() + scans * kRealScanPeriod;
  }
  const Time first = start_ + kScanPeriod;
  if (at <= first) return turn_at(first);
  const auto scans = (at - start_ + kScanPeriod - Duration{1}) / Duration{kScanPeriod};
  return turn_at(start_ + scans * kScanPeriod);
}

Time BackgroundClock::reservation_check_at(Time at) const {
  constexpr Duration kPeriod{5'000'000};
  if (at <= start_) return start_;
  return turn_at(start_ + (at - start_ + kPeriod - Duration{1}) / kPeriod * kPeriod);
}

BackfillClock::BackfillClock(std::optional<Seconds> interval, Time start)
    : interval_(interval),
      sleep_(interval.value_or(Seconds{0})),
      last_end_(start),
      changed_at_(start) {}

void BackfillClock::change(std::optional<Seconds> interval) {
  interval_ = interval;
}

void BackfillClock::changed(Time now) {
  if (!changed_at_) changed_at_ = now;
}

std::optional<Time> BackfillClock::next_due() const {
  if (interval_) {
    const auto next = std::upper_bound(instants_.begin(), instants_.end(), last_end_);
    if (next != instants_.end()) return *next;
  }
  if (!interval_ || !changed_at_) return std::nullopt;
  const Time first = last_end_ + std::max(sleep_, *interval_);
  if (*changed_at_ <= first) return first;
  const auto polls = (*changed_at_ - first + kPoll - Duration{1}) / Duration{kPoll};
  return first + polls * kPoll;
}

void BackfillClock::cycle_ended(Time now, bool touched) {
  last_end_ = now;
  sleep_ = interval_.value_or(Seconds{0});
  changed_at_ = touched ? std::optional<Time>(now) : std::nullopt;
}

}  // namespace rehearse
