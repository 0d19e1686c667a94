// sim/output/feedback_columns.hpp — what is recorded of submissions that answer to ends of jobs
// (site.yaml `feedback`), row by row beside those of runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

struct FeedbackColumns {
  bool kept = false;                          ///< false: an open replay
  std::vector<std::int64_t> recorded_submit;  ///< first submission of the job in the record
  std::vector<std::uint8_t> rule;             ///< SubmitRule: what decided when it came
  std::uint64_t held_back = 0;                ///< jobs that never came: they wait for an end
  [[nodiscard]] std::size_t size() const { return recorded_submit.size(); }
};

}  // namespace rehearse
