// sim/sched/bound_limits.hpp — the limits after selection that bind a job, as one list.
//
// Most limits of most owners are not set, and which of them hides which does not change while jobs
// run: what is left for an association under its QOS is listed once, in the order of the tests.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/account.hpp"
#include "sim/sched/certain_amounts.hpp"
#include "sim/sched/limit_reason.hpp"
#include "sim/sched/limit_scope.hpp"

namespace rehearse {

/// One limit that is set and not hidden (limits.md §4, §6.4).
struct BoundLimit {
  TresLimitKind kind{};
  std::uint32_t tres = 0;
  std::uint64_t limit = 0;           ///< under LimitFactor
  const Qos* qos = nullptr;          ///< whose it is; null: the association's
  const Association* own = nullptr;  ///< the job's, or one above it

  [[nodiscard]] LimitOwner owner() const {
    return qos != nullptr ? LimitOwner::Qos : LimitOwner::Association;
  }
};

class BoundLimits {
 public:
  /// `last_of_qos`: the last kind that the release enforces.
  explicit BoundLimits(TresLimitKind last_of_qos) : last_of_qos_(last_of_qos) {}

  struct List {
    std::vector<BoundLimit> limits;  ///< in the order of their tests
    TresMask looked_at = 0;          ///< by them; also the nodes, where a limit is one of each node
  };

  /// Good until the next call.
  [[nodiscard]] const List& of(const AccountBook& book, const LimitScope& scope);
  /// To be called after limits, QOS or associations were edited.
  void forget() { by_association_.clear(); }

 private:
  struct Known {
    const Qos* first = nullptr;
    const Qos* second = nullptr;
    List list;
  };
  TresLimitKind last_of_qos_;
  std::vector<std::vector<Known>> by_association_;  ///< the last: of jobs without one
};

}  // namespace rehearse
