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

  /// MinJobAge is another from now on; what is gone stays so.
  void change(Seconds min_job_age, SlurmTime now) {
    if (min_job_age == min_job_age_) return;
    if (min_job_age_ != Seconds{0} && begin_ && now >= *begin_) {
      gone_until_ = std::max(gone_until_.value_or(last_taken(now)), last_taken(now));
    }
    min_job_age_ = min_job_age;
  }

  /// Of a record that ended at `end`: it went at the last look before `now`, or at one before that.
  [[nodiscard]] bool took(SlurmTime end, SlurmTime now) const {
    if (gone_until_ && end <= *gone_until_) return true;
    if (min_job_age_ == Seconds{0} || !begin_ || now < *begin_) return false;
    return end <= last_taken(now);
  }

 private:
  /// The latest end of those that are gone.
  [[nodiscard]] SlurmTime last_taken(SlurmTime now) const {
    const Seconds every = std::min<Seconds>(min_job_age_, Seconds{60});
    return now - (now - *begin_) % every - min_job_age_;
  }

  Seconds min_job_age_;
  std::optional<SlurmTime> begin_, gone_until_;
};

}  // namespace rehearse
