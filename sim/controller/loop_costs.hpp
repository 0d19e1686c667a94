// sim/controller/loop_costs.hpp — what the loops take: nothing, unless site.yaml tells.
//
// A pass decides at its first instant; its cost delays what comes after it, and the limits on its
// time (max_sched_time, bf_max_time) become limits on what it looks at. `sdiag` tells the figures:
// mean cycle over mean depth.
#pragma once

#include <cstdint>

#include "sim/config/scheduler_parameters.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

class LoopCosts {
 public:
  LoopCosts(const SiteConf::Controller& site, const SchedulerParameters& parameters)
      : site_(site), parameters_(parameters) {}

  /// A pass of the main loop that looks at so many records.
  [[nodiscard]] Duration main_pass(std::uint32_t records) const;

  /// Records after which max_sched_time has gone by; UINT32_MAX: it never has.
  [[nodiscard]] std::uint32_t most_main_records() const;
  /// Tries after which bf_max_time has gone by, sleeps included; UINT32_MAX: it never has.
  [[nodiscard]] std::uint32_t most_backfill_tries() const;

  /// Tries whose work takes bf_yield_interval; UINT32_MAX: backfill never yields.
  [[nodiscard]] std::uint32_t tries_before_yield() const;
  /// What so many tries of a cycle take; of its first ones also what the cycle itself does.
  [[nodiscard]] Duration backfill_work(std::uint32_t tries, bool first) const;

  /// Between the end of a pass of the main loop and the next.
  [[nodiscard]] Duration sched_min_interval() const { return parameters_.sched_min_interval; }

 private:
  SiteConf::Controller site_;
  SchedulerParameters parameters_;
};

}  // namespace rehearse
