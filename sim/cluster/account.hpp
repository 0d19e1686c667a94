// sim/cluster/account.hpp — associations and QOS with their limits, usage and counters.
//
// State only: sim/sched/limits decides with it, sim/sched/priority turns usage into factors. Usage
// is 80-bit extended, as Slurm holds it (priority.md §6.1); fair-share order decides by exact
// equality.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/tres.hpp"
#include "sim/config/accounting.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Limits by TRES and count, resolved against the TRES table. None: not set.
struct LimitSet {
  TresLimits grp_tres, grp_tres_mins, grp_tres_run_mins;
  TresLimits max_tres_per_job, max_tres_per_node, max_tres_mins_per_job;
  std::optional<std::uint32_t> grp_jobs, grp_jobs_accrue, grp_submit_jobs;
  std::optional<std::uint32_t> grp_wall_min, max_wall_min;  ///< [min]
  std::optional<std::uint32_t> min_prio_threshold;
};

/// Those of a QOS: also of a job's least, and of all that one user or account has in it.
struct QosLimits : LimitSet {
  TresLimits max_tres_per_user, max_tres_per_account, min_tres_per_job;
  TresLimits max_tres_run_mins_per_user, max_tres_run_mins_per_account;  ///< bind from 24.05 on
};

/// Usage that decays (priority.md §6.1).
struct Usage {
  long double raw = 0;                ///< billing-seconds
  std::vector<long double> tres_raw;  ///< by TRES [amount × s]; only with limits enforced
  double grp_wall_s = 0;
};

/// Counters of running and submitted jobs (limits.md §3); only with limits enforced.
struct Counters {
  std::uint32_t submitted_jobs = 0, running_jobs = 0, accruing_jobs = 0;
  TresVector in_use;                     ///< of running jobs; node: distinct nodes
  TresVector committed_s;                ///< run-seconds × amount still to come
  std::vector<std::uint16_t> node_jobs;  ///< running jobs by node, for distinct nodes
};

/// What `sshare` tells of an association beside its shares and raw usage (priority.md §7, §8).
struct ShareFactors {
  long double usage_norm = 0;  ///< U / U(root)
  long double usage_effective = 0;
  long double level_fs = 0;  ///< +inf for no usage
  double fair_share = 0;     ///< the factor, 0..1
  friend bool operator==(const ShareFactors&, const ShareFactors&) = default;
};

struct Association {
  AssociationId id{};
  NameId account = kNoName, user = kNoName, partition = kNoName;  ///< user kNoName: an account
  std::optional<AssociationId> parent;
  std::vector<AssociationId> children;  ///< by place
  /// In the list that slurmctld goes through: users by name, then accounts by name, or by the LFT
  /// of the database (priority.md §7.3).
  std::uint32_t place = 0;
  std::optional<std::uint32_t> shares;  ///< none: `parent`
  LimitSet limits;                      ///< Grp*: own; Max*: inheritance resolved (limits.md §1.4)
  std::optional<std::uint32_t> max_jobs, max_jobs_accrue, max_submit_jobs;
  std::uint32_t priority = 0;
  std::vector<QosId> qos;  ///< allowed, inheritance resolved
  std::optional<QosId> default_qos;
  bool is_users_default = false;

  Usage usage;
  Counters counters;
  // Written by the priority plugin at its ticks.
  double shares_norm = 0;      ///< S (Fair Tree) or S_norm (classic)
  long double usage_norm = 0;  ///< U / U(root)
  long double usage_effective = 0;
  long double level_fs = 0;  ///< +inf for no usage
  double fair_share = 0;     ///< the factor, 0..1
};

/// Per-user and per-account records of a QOS (limits.md §3).
struct QosShare {
  std::uint32_t submitted_jobs = 0, running_jobs = 0, accruing_jobs = 0;
  TresVector in_use;
  TresVector committed_s;  ///< as in Counters
  std::vector<std::uint16_t> node_jobs;
};

struct Qos {
  QosId id{};
  NameId name = kNoName;
  QosConf conf;  ///< as defined
  QosLimits limits;
  std::vector<QosId> preempts;  ///< Preempt= resolved
  Usage usage;
  Counters counters;
  std::map<NameId, QosShare> by_user, by_account;
};

class AccountBook {
 public:
  IdVector<AssociationId, Association> associations;  ///< root is AssociationId{0}
  IdVector<QosId, Qos> qos;
  std::uint32_t max_association_priority = 0, max_qos_priority = 0;

  /// (user, account, partition), else (user, account) (limits.md §1.2). kNoName user: the account.
  [[nodiscard]] std::optional<AssociationId> find(NameId account, NameId user,
                                                  NameId partition) const;
  /// The user's default account, if the user is known.
  [[nodiscard]] std::optional<NameId> default_account(NameId user) const;
  [[nodiscard]] std::optional<QosId> find_qos(NameId name) const;

  /// Needed after the tables are filled: indexes for the look-ups above.
  void index();

 private:
  std::map<std::array<NameId, 3>, AssociationId> by_key_;
  std::map<NameId, NameId> default_accounts_;
  std::map<NameId, QosId> qos_by_name_;
};

/// Resolves what sacctmgr wrote: tree, inheritance, TRES. Unknown TRES, parents and QOS are errors.
[[nodiscard]] AccountBook make_account_book(const AccountingConf& conf, const TresTable& tres,
                                            NamePool& names, Diagnostics& found);

/// What stands at the associations, by association.
[[nodiscard]] std::vector<ShareFactors> kept_shares(const AccountBook& book);

}  // namespace rehearse
