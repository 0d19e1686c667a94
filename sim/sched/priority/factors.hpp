// sim/sched/priority/factors.hpp — the single factors of a multifactor priority (priority.md §3).
#pragma once

#include <cstdint>
#include <optional>

#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// 0..1; 0 while the age clock has not started (§3.1).
[[nodiscard]] double age_factor(const std::optional<SlurmTime>& accrue, SlurmTime now,
                                Seconds max_age);

/// What the job-size factor looks at (§3.4).
struct JobSize {
  std::uint32_t nodes = 1;           ///< the job's minimum node count
  std::uint64_t cpus = 0;            ///< 0: not known
  std::uint64_t time_limit_min = 1;  ///< [min]; 4294967295: unlimited
  std::uint64_t all_nodes = 1;       ///< of the configuration, whatever their state
  std::uint64_t all_cpus = 1;        ///< effective CPUs of all nodes
};
[[nodiscard]] double size_factor(const JobSize& size, const PriorityConf& conf,
                                 SlurmVersion version);

/// `own / greatest`, 0 if either is 0; with `raw` the number itself (§3.3, §3.5, §3.6).
enum class Scale : std::uint8_t { Ratio, Raw };
[[nodiscard]] double share_of_greatest(std::uint32_t own, std::uint32_t greatest, Scale scale);

/// The stored number of a sum: at least 1, cut to 32 bits (§2).
[[nodiscard]] std::uint32_t stored_priority(double sum);

/// PriorityMaxAge=UNLIMITED in seconds, as 32 bits leave it (§1).
inline constexpr Seconds kUnlimitedMaxAge{4294967236};

}  // namespace rehearse
