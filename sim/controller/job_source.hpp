// sim/controller/job_source.hpp — where jobs come from: one at a time, in order of submission.
#pragma once

#include <optional>

#include "sim/cluster/job_spec.hpp"

namespace rehearse {

class JobSource {
 public:
  virtual ~JobSource() = default;
  /// The next submission; times never decrease. None: no more.
  [[nodiscard]] virtual std::optional<JobSpec> next() = 0;
};

}  // namespace rehearse
