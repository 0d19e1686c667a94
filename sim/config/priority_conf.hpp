// sim/config/priority_conf.hpp — the Priority* keys of slurm.conf.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/tres_weight.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

enum class PriorityType : std::uint8_t { Basic, Multifactor };
enum class UsageResetPeriod : std::uint8_t { None, Now, Daily, Weekly, Monthly, Quarterly, Yearly };

/// priority.md §1. Weights are unsigned 32-bit in Slurm.
struct PriorityConf {
  PriorityType type = PriorityType::Basic;
  std::uint32_t weight_age = 0, weight_assoc = 0, weight_fairshare = 0, weight_job_size = 0,
                weight_partition = 0, weight_qos = 0;
  std::vector<TresWeight> weight_tres;
  Seconds max_age{7 * 86400};
  Seconds calc_period{300};
  Seconds decay_half_life{7 * 86400};  ///< 0: no decay
  UsageResetPeriod usage_reset_period = UsageResetPeriod::None;
  bool favor_small = false;
  std::uint16_t fair_share_dampening_factor = 1;
  // PriorityFlags, found by substring (priority.md §1.1)
  bool accrue_always = false, small_relative_to_time = false, calculate_running = false,
       depth_oblivious = false, no_fair_tree = false, incr_only = false, max_tres = false,
       no_normal_assoc = false, no_normal_part = false, no_normal_qos = false,
       no_normal_tres = false;
};

}  // namespace rehearse
