// sim/config/policy_conf.hpp — the section `policy` of site.yaml: what decides in place of Slurm's
// own rules. Every key: configs/reference.yaml.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

class ConfigNode;

/// In place of a policy's name: what slurm.conf says.
inline constexpr std::string_view kSlurmsOwn = "slurm";

enum class PolicyBackfill : std::uint8_t { Slurm, None, Easy, Conservative };
/// Who may take a borrower's resources: nobody asks for quotas at all; an account within its quota;
/// or also one that borrows less, by weight.
enum class Reclaim : std::uint8_t { Off, Quota, FairShare };

/// What an account is guaranteed.
struct QuotaLine {
  std::string account;
  std::string tres;  ///< `gres/gpu=64`, as GrpTRES is written
  SourcePosition where;
  std::uint64_t over_quota_weight = 1;  ///< its part of what others leave idle
};

struct PolicyConf {
  std::string order{kSlurmsOwn};  ///< a rule of sim/sched/orders
  SourcePosition order_where;
  PolicyBackfill backfill = PolicyBackfill::Slurm;
  Reclaim reclaim = Reclaim::Off;
  SourcePosition reclaim_where;
  std::vector<QuotaLine> quotas;
  std::vector<std::string> non_preemptible;  ///< QOS whose jobs never borrow and are never evicted
  SourcePosition non_preemptible_where;

  [[nodiscard]] bool has_quotas() const { return reclaim != Reclaim::Off; }
};

/// Reads the section of `parent` into `conf`: what is not there stays, lists replace lists.
void read_policy_keys(ConfigNode& parent, PolicyConf& conf);

/// What a policy is in words of slurm.conf, as KEY=VALUE to be applied after all other changes.
[[nodiscard]] std::vector<std::string> slurm_conf_of(const PolicyConf& conf);

}  // namespace rehearse
