// sim/sched/priority/usage.hpp — the only writer of usage: decay, charges and resets (priority.md
// §6).
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "sim/cluster/account.hpp"
#include "sim/cluster/job.hpp"
#include "sim/cluster/partition.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

class UsageKeeper {
 public:
  /// `tres_count`: size of the TRES table; raw TRES usage is kept only with limits enforced.
  UsageKeeper(AccountBook& book, const IdVector<PartitionId, Partition>& partitions,
              const SlurmConf& conf, TimeZone zone, std::size_t tres_count);

  /// The half-life and the reset period are others from the next tick on.
  void settings_changed(const PriorityConf& conf);

  /// Sets usage to nothing when the reset period says so.
  void reset_if_due(SlurmTime now);
  /// Multiplies all stored usage by d^Δ; nothing at the very first tick.
  void decay(SlurmTime now);
  /// A running job's share of the tick: from the later of its start and the previous tick.
  void charge(const Job& job, SlurmTime now);
  /// The rest at a job's end, beyond its limit too; only with limits enforced (§6.3).
  void charge_end(const Job& job, SlurmTime now);
  /// The tick is over: the next charges count from `now`.
  void close_tick(SlurmTime now) { last_tick_ = now; }

  [[nodiscard]] std::optional<SlurmTime> last_tick() const { return last_tick_; }

 private:
  /// What seconds of a job come to, the same for all that they are charged to.
  struct Charge {
    double seconds = 0;
    long double billing = 0;
    std::vector<std::pair<std::size_t, long double>> tres;  ///< those that count for limits
  };
  void weigh(const Job& job, double seconds);
  void add_to(Usage& usage) const;
  [[nodiscard]] double factor_over(double seconds);

  AccountBook& book_;
  const IdVector<PartitionId, Partition>& partitions_;
  TimeZone zone_;
  UsageResetPeriod period_;
  double decay_per_second_;                 ///< d
  double last_span_ = 0, last_factor_ = 1;  ///< of factor_over()
  bool limits_;
  Charge charge_;  ///< the last
  std::optional<SlurmTime> last_tick_, last_reset_;
};

/// Raises `raw` of user associations to what `sshare` showed and rebuilds the accounts' totals from
/// them (§6.6). A row of a user that the book does not know is a warning.
void load_usage(AccountBook& book, const std::vector<UsageRow>& rows, const NamePool& names,
                Diagnostics& found);

}  // namespace rehearse
