// sim/controller/ping_clock.cpp — rounds of pings as multiples of a period.
#include "sim/controller/ping_clock.hpp"

#include <algorithm>

namespace rehearse {

PingClock::PingClock(Seconds slurmd_timeout, Time start, Duration turn)
    : timeout_(slurmd_timeout),
      period_(Seconds{slurmd_timeout.count() / 3}),
      turn_(turn),
      start_(start),
      base_(start),
      before_base_(start - period_) {}

Time PingClock::turn_after(Time at) const {
  if (at < start_) return start_;
  return start_ + ((at - start_) / turn_ + 1) * turn_;
}

void PingClock::restart(Time turn) {
  before_base_ = round_before(round_after(turn - Duration{1}));
  base_number_ = number_of(before_base_) + 1;
  base_ = turn;
}

Time PingClock::round_after(Time at) const {
  if (at < base_) return base_;
  return base_ + ((at - base_) / period_ + 1) * period_;
}

Time PingClock::round_before(Time round) const {
  return round <= base_ ? before_base_ : round - period_;
}

std::int64_t PingClock::number_of(Time round) const {
  return round < base_ ? base_number_ - 1 : base_number_ + (round - base_) / period_;
}

bool PingClock::asks_to_register(Time round) const {
  return round >= base_ && number_of(round) % kRegistrations == kRegistrations - 1;
}

Time PingClock::last_heard(Time heard, Time now) const {
  if (!is_on()) return heard;
  // A registration is heard of all.
  for (Time round = round_before(round_after(now)); round > std::max(heard, base_);
       round = round_before(round)) {
    if (!asks_to_register(round)) continue;
    heard = round;
    break;
  }
  // Left out of the round that follows a message, pinged at the next, and so on in turn.
  Time round = round_after(heard);
  if (leaves_out(heard, round)) round = round_after(round);
  if (round > now) return heard;
  const auto pairs = (now - round) / (2 * period_);
  return round + pairs * 2 * period_;
}

}  // namespace rehearse
