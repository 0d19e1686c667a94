// sim/sched/priority/classic.hpp — the classic fair share, plain and depth-oblivious (priority.md
// §8).
//
// Accounts are computed at the start of a tick, before its decay and charges; users lazily, when
// first asked for after the tick, from their usage at that moment (§4.1). Both lags are Slurm's.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/cluster/account.hpp"
#include "sim/sched/priority/share_tree.hpp"

namespace rehearse {

/// F = 2^(−(E/S)/damp); 0 where there are no shares.
[[nodiscard]] double classic_factor(long double usage_effective, double shares_norm,
                                    std::uint16_t damping);

class ClassicShares {
 public:
  struct Options {
    bool depth_oblivious = false;
    std::uint16_t damping = 1;
  };
  ClassicShares(AccountBook& book, Options options);

  /// Effective usage of accounts from the ratios as they stand; users become stale.
  void update_accounts();
  /// Computes the user's values if they are stale.
  void settle(AssociationId user);
  /// What an `sshare` query does: settles every user.
  void settle_all();
  /// What that would come to, without doing it.
  [[nodiscard]] std::vector<ShareFactors> shown() const;
  /// The factor of a job of this user, settled before: of who shares with others as `parent`, what
  /// stands at the share parent, where `sshare` prints a value of the user's own (§8).
  [[nodiscard]] double job_factor(AssociationId user) const;

 private:
  using Norms = std::function<long double(AssociationId)>;
  void compute(AssociationId id);
  /// `norms`: the normalised usage of associations as last asked for, its own as it is now.
  [[nodiscard]] ShareFactors factors_of(AssociationId id, const Norms& norms) const;
  [[nodiscard]] long double effective(const Association& association, const Norms& norms) const;
  [[nodiscard]] long double depth_oblivious(const Association& association,
                                            const Norms& norms) const;
  [[nodiscard]] long double norm(AssociationId id) const;

  AccountBook& book_;
  ShareTree tree_;
  Options options_;
  std::vector<std::uint8_t> stale_;  // by association
};

}  // namespace rehearse
