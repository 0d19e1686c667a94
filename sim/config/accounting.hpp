// sim/config/accounting.hpp — accounts, users, QOS and their limits as sacctmgr writes them.
//
// Two sources: `sacctmgr dump` (assoc.dump, no QOS definitions) and `sacctmgr show assoc/qos -P`
// (assoc.txt, qos.txt). limits.md §11 has the grammar, limits.md §1 the meaning.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/slurm_version.hpp"
#include "sim/core/error.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

struct SlurmConf;

/// `cpu=4,mem=2G,gres/gpu:a100=1` as (lower-case name, amount in the base unit: MiB for memory).
struct TresAmount {
  std::string tres;
  std::uint64_t amount = 0;
};
using TresAmounts = std::vector<TresAmount>;

/// Limits that associations and QOS share (limits.md §1.5). None: not set.
struct LimitConf {
  TresAmounts grp_tres, grp_tres_mins, grp_tres_run_mins;
  TresAmounts max_tres_per_job, max_tres_per_node, max_tres_mins_per_job;
  std::optional<std::uint32_t> grp_jobs, grp_jobs_accrue, grp_submit_jobs;
  std::optional<Minutes> grp_wall, max_wall_per_job;
  std::optional<std::uint32_t> min_prio_threshold;
};

/// One association: an account (user empty) or a user in an account, perhaps of one partition.
struct AssociationConf {
  std::string account;
  std::string user;                            ///< empty: the account itself
  std::string partition;                       ///< empty: every partition
  std::string parent;                          ///< parent account; empty for root
  std::optional<std::uint32_t> fairshare = 1;  ///< none: `parent`
  LimitConf limits;
  TresAmounts max_tres_run_mins;  ///< stored and shown, not enforced in 22.05
  std::optional<std::uint32_t> max_jobs, max_jobs_accrue, max_submit_jobs;
  std::optional<std::uint32_t> priority;
  std::string default_qos;
  std::vector<std::string> qos;     ///< the names given; empty: inherited
  bool qos_is_edit = false;         ///< the list is +x/-x edits of the parent's
  bool is_default_account = false;  ///< this is the user's DefaultAccount
  bool is_operator = false;         ///< AdminLevel is Operator or Administrator
  /// LFT of the database: slurmctld 22.05 and 23.02 list sibling accounts by it until one is added
  /// or moved or has other shares (priority.md §7.3); none, of any account: by name.
  std::optional<std::uint64_t> left;
  SourcePosition where;
};

/// QOS flags (limits.md §7.5).
struct QosFlags {
  bool deny_on_limit = false, enforce_usage_threshold = false, no_reserve = false,
       partition_max_nodes = false, partition_min_nodes = false, over_part_qos = false,
       partition_time_limit = false, requires_reservation = false, no_decay = false,
       usage_factor_safe = false, relative = false;
};

struct QosConf {
  std::string name;
  std::uint32_t priority = 0;
  Seconds grace_time{0};
  std::vector<std::string> preempt;
  std::optional<Seconds> preempt_exempt_time;
  std::string preempt_mode = "cluster";  ///< lower case; comma list
  QosFlags flags;
  std::optional<double> usage_threshold;
  double usage_factor = 1.0;
  std::optional<double> limit_factor;
  LimitConf limits;
  TresAmounts max_tres_per_user, max_tres_per_account, min_tres_per_job;
  TresAmounts max_tres_run_mins_per_user, max_tres_run_mins_per_account;
  std::optional<std::uint32_t> max_jobs_per_user, max_submit_jobs_per_user,
      max_jobs_accrue_per_user;
  std::optional<std::uint32_t> max_jobs_per_account, max_submit_jobs_per_account,
      max_jobs_accrue_per_account;
  SourcePosition where;
};

/// What a cluster's accounting database holds, as far as decisions go.
struct AccountingConf {
  std::string cluster;
  std::vector<AssociationConf> associations;  ///< parents before children; root first
  std::vector<QosConf> qos;                   ///< by id; `normal` is always there
  bool has_qos_table = false;                 ///< else QOS that are named are made up
  std::vector<std::pair<std::string, std::string>> sources;  ///< file, text
};

/// Reads what is in the site folder: assoc.dump, else assoc.txt, and qos.txt; where both the dump
/// and assoc.txt exist, the dump wins and assoc.txt fills what a dump cannot say. With none of them
/// the result has root and QOS `normal` only.
[[nodiscard]] AccountingConf read_accounting(const std::filesystem::path& site, Diagnostics& found,
                                             SlurmVersion version = {});

/// From here on siblings are listed by name, whatever LFT they have (priority.md §7.3).
void list_by_name(AccountingConf& conf);

/// Without qos.txt, the QOS that the partitions name are made up, with no priority and no limits,
/// told once. Without a database, and files of one, they mean nothing to slurmctld, nor does what
/// is to be enforced: both are taken out (formats.md §6.8).
void take_named_qos(AccountingConf& conf, SlurmConf& slurm_conf, Diagnostics& found);

/// The text of a `sacctmgr dump`; `file` stands in messages. Own values, nothing inherited yet.
[[nodiscard]] AccountingConf parse_sacctmgr_dump(std::string_view text, const std::string& file,
                                                 Diagnostics& found);

/// `sacctmgr show assoc -P`, any columns in any order. Max limits, QOS and priority are as shown,
/// i.e. with inheritance resolved, which changes no decision. The tree comes from ParentName, else
/// LFT/RGT, else ID/ParentID, else the indentation of `tree`; without them from the alphabetical
/// order, where that allows a flat tree (a warning), else an error (limits.md §11.3).
[[nodiscard]] AccountingConf parse_assoc_table(std::string_view text, const std::string& file,
                                               Diagnostics& found);

/// `sacctmgr show qos -P`, any columns in any order, names old and new (limits.md §11.4).
[[nodiscard]] std::vector<QosConf> parse_qos_table(std::string_view text, const std::string& file,
                                                   Diagnostics& found);

/// Parses one TRES text of limits, weights aside. `mem=1.50G` is 1536 MiB (limits.md §11.1).
[[nodiscard]] TresAmounts parse_tres_amounts(std::string_view text, const SourcePosition& where,
                                             Diagnostics& found);

/// One row of `sshare -a -l -P`: fair-share usage at the start of the replay.
struct UsageRow {
  std::string account, user, partition;
  double raw_usage = 0;  ///< billing-seconds
};
[[nodiscard]] std::vector<UsageRow> read_usage(const std::filesystem::path& path,
                                               Diagnostics& found);
[[nodiscard]] std::vector<UsageRow> parse_usage_table(std::string_view text,
                                                      const std::string& file, Diagnostics& found);

}  // namespace rehearse
