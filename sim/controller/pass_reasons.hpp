// sim/controller/pass_reasons.hpp — does a pass leave a job with another reason than it found?
//
// Which reason a pass gives a job of several partitions depends on the one that it finds: then the
// next pass over the same state may give another.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sim/cluster/job_table.hpp"

namespace rehearse {

class PassReasons {
 public:
  void pass_begins() { before_.clear(); }
  /// The job is about to get another reason.
  void will_change(const Job& job) { before_.try_emplace(job.index, job.reason, job.reason_text); }
  [[nodiscard]] bool any_is_other(const JobTable& jobs) const {
    return std::any_of(before_.begin(), before_.end(), [&](const auto& each) {
      const Job& job = jobs[each.first];
      return std::pair(job.reason, job.reason_text) != each.second;
    });
  }

 private:
  std::map<JobIndex, std::pair<Reason, std::string>> before_;
};

}  // namespace rehearse
