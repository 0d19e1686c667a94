// sim/study/explanation/overtakers.hpp — who went first, and by what rule.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/study/explanation/explanation.hpp"

namespace rehearse {

/// Questions about one result; keeps which nodes each run held.
class OvertakerSearch {
 public:
  explicit OvertakerSearch(const Result& result);

  /// Runs submitted after row `row` that started while it waited, on nodes of its partitions.
  [[nodiscard]] std::vector<Overtaker> overtakers_of(std::uint32_t row,
                                                     const std::vector<ReasonSpan>& spans) const;
  /// The first runs to start on the nodes of an ended run, within ten minutes of its end.
  [[nodiscard]] std::vector<std::uint32_t> successors_of(std::uint32_t row) const;
  [[nodiscard]] const PartsOverTime& over_time() const { return over_time_; }

 private:
  [[nodiscard]] std::vector<std::uint32_t> partitions_of(std::uint32_t row) const;
  [[nodiscard]] std::vector<bool> nodes_of(const std::vector<std::uint32_t>& partitions) const;
  [[nodiscard]] Overtaker judge(std::uint32_t row, std::uint32_t other,
                                const std::vector<ReasonSpan>& spans,
                                const FairShareOverTime& shares) const;

  const Result& result_;
  PartsOverTime over_time_;
  std::vector<std::size_t> first_holding_;  ///< by row of runs, into held_; one more at the end
  std::vector<std::uint32_t> held_;         ///< nodes
};

}  // namespace rehearse
