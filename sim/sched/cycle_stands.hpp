// sim/sched/cycle_stands.hpp — how long a backfill cycle stands: until when the next one, over the
// same state, would find again all that it found, and so need not be made.
//
// Most cycles see the cluster as the one before (last_cycle.hpp). What each of their searches went
// by holds up to some instant; the first of these is that of the whole cycle. One search that
// nothing is known of, and it stands not at all.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/last_cycle.hpp"

namespace rehearse {

class CycleStands {
 public:
  void begin(SlurmTime now, Seconds window) {
    now_ = now;
    window_ = window;
    until_ = SlurmTime::max();
  }
  void until(SlurmTime at) { until_ = std::min(until_, at); }
  void until(const std::optional<SlurmTime>& at) {
    if (at) until(*at);
  }
  void never() { until_ = now_; }

  /// Running jobs by end: none is over its limit, and none comes into the window.
  void with_running(const std::vector<Job*>& running);
  /// The next cycle recalls this search, if it comes to it at all (LastCycle::find()).
  void with_search(const FoundSearch& found);
  /// A plan on a map whose end moves on with time, over those of the plan.
  void with_plan(SlurmTime begin, SlurmTime end, SlurmTime map_end);
  /// The tests of a record that turn by time alone.
  void with_record(const Job& job, const Cluster& cluster);

  /// A search begins: unless search_is_known() follows, the cycle does not stand.
  void search_begins() { before_search_ = std::exchange(until_, now_); }
  void search_is_known(const FoundSearch& found) {
    until_ = before_search_;
    with_search(found);
  }

  /// None: it does not stand.
  [[nodiscard]] std::optional<SlurmTime> found() const {
    return until_ > now_ ? std::optional(until_) : std::nullopt;
  }

 private:
  SlurmTime now_, until_, before_search_;
  Seconds window_{0};
};

}  // namespace rehearse
