// sim/sched/preempt/license_need.hpp — what a preemptor lacks of licences, less what victims give.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace rehearse {

/// Counts beside conf.licenses; of no length: nothing is lacking.
class LicenseNeed {
 public:
  explicit LicenseNeed(std::span<const std::uint32_t> lacking)
      : left_(lacking.begin(), lacking.end()) {}

  /// A victim gives what it holds.
  void met_by(std::span<const std::uint32_t> held) {
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i] -= std::min(left_[i], held[i]);
  }
  [[nodiscard]] bool is_met() const {
    return std::all_of(left_.begin(), left_.end(), [](std::uint32_t count) { return count == 0; });
  }

 private:
  std::vector<std::uint32_t> left_;
};

}  // namespace rehearse
