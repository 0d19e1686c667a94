// sim/controller/record_purges.hpp — when slurmctld looks for records of finished jobs that are old
// enough to go (lifecycle.md §1).
#pragma once

#include <algorithm>
#include <optional>

#include "sim/core/time.hpp"

namespace rehearse {

/// Every minute from its start on, or every MinJobAge seconds where that is less; 0: never.
class RecordPurges {
 public:
  explicit RecordPurges(Seconds min_job_age) : min_job_age_(min_job_age) {}

  /// slurmctld starts; until then nothing goes.
  void begin(SlurmTime at) { begin_ = at; }

  /// Of a record that ended at `end`: it went at the last look before `now`, or at one before that.
  [[nodiscard]] bool took(SlurmTime end, SlurmTime now) const {
    if (min_job_age_ == Seconds{0} || !begin_ || now < *begin_) return false;
    const Seconds every = std::min<Seconds>(min_job_age_, Seconds{60});
    return end + min_job_age_ <= now - (now - *begin_) % every;
  }

 private:
  Seconds min_job_age_;
  std::optional<SlurmTime> begin_;
};

}  // namespace rehearse
