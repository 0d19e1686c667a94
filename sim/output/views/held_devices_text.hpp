// sim/output/views/held_devices_text.hpp — what a run holds of its nodes, as `scontrol -d show job`
// tells it (gres.md §8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "sim/output/views/scontrol_record.hpp"

namespace rehearse {

class HeldDevicesText {
 public:
  explicit HeldDevicesText(const Result& result);
  /// `JOB_GRES=gpu:a100:16`, and a line for each group of nodes of which the run holds the same.
  void add(ScontrolRecord& record, std::uint32_t row) const;

 private:
  const Result& result_;
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> holdings_;  // by row: begin, end
};

}  // namespace rehearse
