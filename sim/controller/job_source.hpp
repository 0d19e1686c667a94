// sim/controller/job_source.hpp — where jobs come from: one at a time, in order of submission.
#pragma once

#include "sim/cluster/job_spec.hpp"

namespace rehearse {

class JobSource {
 public:
  virtual ~JobSource() = default;
  /// The next submission; times never decrease. Null: no more. It stands, and stays as it is, as
  /// long as the source does.
  [[nodiscard]] virtual const JobSpec* next() = 0;
  /// A source that listens to the run may come to know of jobs before the one that it gave last:
  /// that one is then to be taken back, and next() asked again.
  [[nodiscard]] virtual bool is_outdated() const { return false; }
  virtual void take_back() {}
};

}  // namespace rehearse
