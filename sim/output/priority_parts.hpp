// sim/output/priority_parts.hpp — the make-up of a job's priority at an instant, from what a result
// keeps.
//
// Age is that of the last tick, from the time since which the job ages; fair-share is that of the
// last kept sample; size, QOS, association, partition, TRES and nice are those of the job's last
// recalculation before that instant, in the partition that is asked for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// Weighted parts, rounded to points.
struct PriorityParts {
  std::int64_t age = 0, assoc = 0, fair_share = 0, job_size = 0, partition = 0, qos = 0, nice = 0;
  std::int64_t tres = 0;
  std::uint32_t tres_terms = 0;  ///< names.text: `cpu=75,mem=154`
  std::int64_t sum = 0;          ///< of all, less nice: below 1 where that is more
  std::int64_t total = 0;        ///< the priority: at least 1; 0: held
};

/// When priorities were last recomputed, not after `at`. Fair-share was kept at a tick.
[[nodiscard]] std::int64_t last_tick(const Result& result, std::int64_t at);

/// Fair-share factors of associations at the last sample not after `at`.
[[nodiscard]] std::map<std::uint32_t, double> fair_shares_at(const Result& result, std::int64_t at);

/// The factor of one association, sample by sample.
class FairShareOverTime {
 public:
  FairShareOverTime(const Result& result, std::uint32_t association);
  /// At the last sample not after `at`; NaN before the first.
  [[nodiscard]] double at(std::int64_t at) const;
  /// Times and factors, ascending.
  [[nodiscard]] const std::vector<std::pair<std::int64_t, double>>& samples() const {
    return samples_;
  }

 private:
  std::vector<std::pair<std::int64_t, double>> samples_;
};

/// Whose priority, when; `fair_share`: its association's factor then, or NaN for the one at its
/// start.
struct PriorityAsked {
  std::size_t row = 0;
  std::int64_t at = 0;
  double fair_share = 0;
  std::optional<std::uint32_t> partition = {};  ///< none: that of its row
};

/// What the result keeps of the parts of each job, by row.
class PartsOverTime {
 public:
  explicit PartsOverTime(const Result& result);
  [[nodiscard]] PriorityParts parts(const PriorityAsked& asked) const;

 private:
  [[nodiscard]] bool kept_at(PriorityParts& parts, const PriorityAsked& asked,
                             std::uint32_t partition) const;

  const Result& result_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_;  // of runs, of priority_parts: sorted
};

/// The settings by which priorities were recalculated at that instant.
[[nodiscard]] PriorityFacts settings_at(const Result& result, std::int64_t at);

/// The weighted partition factor: over the largest of all, or as it is
/// (PriorityFlags=NO_NORMAL_PART); as the partition is at the end of the run.
[[nodiscard]] std::int64_t partition_part(const PriorityFacts& priority,
                                          const PartitionFacts& partition);

/// The sum of a priority's weighted parts, without nice, and what is taken off it.
struct PrioritySum {
  std::int64_t parts = 0, nice = 0;
};
/// What sprio prints for the number that is stored. It adds the parts up anew; the two differ with
/// PriorityFlags=INCR_ONLY alone, where the stored one may be an earlier, greater sum. A number
/// that was set by hand has no parts, and is printed as it is (priority.md §11.7).
[[nodiscard]] std::int64_t printed_priority(std::int64_t stored, const PrioritySum& sum,
                                            bool incr_only);

/// Of a sum, which may be below 1 (priority.md §1).
[[nodiscard]] std::int64_t floored_priority(std::int64_t sum);

}  // namespace rehearse
