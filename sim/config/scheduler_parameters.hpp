// sim/config/scheduler_parameters.hpp — SchedulerParameters= as typed values.
//
// Slurm finds its words by case-insensitive substring, takes the first of a repeated word, reads
// numbers with atoi and replaces what is out of range by the default (formats.md §7,
// scheduling.md §2.2 and §8.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/config/slurm_version.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

struct SchedulerParameters {
  // backfill (scheduling.md §8.2)
  std::optional<Seconds> bf_interval = Seconds{30};  ///< none: backfill is off (-1)
  Seconds bf_max_time{30};                           ///< default: bf_interval
  Minutes bf_window{1440};
  Seconds bf_resolution{60};
  std::uint32_t bf_max_job_test = 500;
  std::uint32_t bf_max_job_start = 0;  ///< 0: no limit; so for the next four
  std::uint32_t bf_max_job_part = 0, bf_max_job_user = 0, bf_max_job_user_part = 0,
                bf_max_job_assoc = 0;
  std::uint32_t bf_max_job_array_resv = 20;
  std::uint32_t bf_node_space_size = 500;  ///< default: bf_max_job_test
  std::uint32_t bf_job_part_count_reserve = 0;
  Seconds bf_min_age_reserve{0};
  std::uint32_t bf_min_prio_reserve = 0;
  bool bf_continue = false, bf_busy_nodes = false, bf_licenses = false, bf_one_resv_per_job = false,
       bf_running_job_reserve = false, bf_hetjob_immediate = false;
  enum class HetjobPrio : std::uint8_t { None, Min, Avg, Max };
  HetjobPrio bf_hetjob_prio = HetjobPrio::None;
  Seconds bf_window_linear{0};
  Duration bf_yield_interval{2000000}, bf_yield_sleep{500000};

  // main loop (scheduling.md §2.2)
  std::uint32_t default_queue_depth = 100;
  std::uint32_t partition_job_depth = 0;
  std::optional<Seconds> sched_interval = Seconds{60};  ///< none: the main scheduler is off (-1)
  Duration sched_min_interval{2};
  std::uint32_t sched_max_job_start = 0;
  Seconds max_sched_time{2};
  Seconds batch_sched_delay{3};
  Duration build_queue_timeout{2000000};
  std::uint32_t max_rpc_cnt = 0;
  bool defer = false;
  bool defer_batch = false;  ///< from 23.02
  bool assoc_limit_stop = false;
  bool reduce_completing_frag = false;
  bool pack_serial_at_end = false;
  bool spec_cores_first = false;
  bool whole_hetjob = false;
  bool ignore_numa = false;
  Seconds max_switch_wait{300};
  std::optional<std::uint32_t> max_array_tasks;
  Seconds delay_boot{0};
  std::uint32_t correspond_after_task_cnt = 10;  ///< lifecycle.md §9
  bool permit_job_expansion = false;
};

/// Reads the value of SchedulerParameters=. Words that Slurm does not know are warned of, with the
/// nearest known one as hint: slurmctld ignores them in silence.
[[nodiscard]] SchedulerParameters parse_scheduler_parameters(std::string_view text,
                                                             const SourcePosition& where,
                                                             Seconds message_timeout,
                                                             Diagnostics& found,
                                                             SlurmVersion version = {});

}  // namespace rehearse
