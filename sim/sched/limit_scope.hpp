// sim/sched/limit_scope.hpp — whose limits bind a job, and which of them hides which (limits.md
// §4).
//
// First QOS, second QOS, then the association and its ancestors. A limit counts where it is set
// first; "set" means that it has a value, not that it is violated. Every kind goes through
// hidden().
#pragma once

#include <cstdint>

#include "sim/cluster/account.hpp"
#include "sim/sched/limit_reason.hpp"

namespace rehearse {

enum class LimitRank : std::uint8_t { First, Second, Association };

/// Why a job may not start, and the QOS whose group limit that is, if any's (scheduling.md §8.8).
struct LimitStop {
  Reason reason = Reason::None;
  const Qos* of_group = nullptr;
};

struct LimitScope {
  const Qos* first = nullptr;   ///< Q1: the partition's, or the job's with OverPartQOS
  const Qos* second = nullptr;  ///< Q2, if it is another one
  const Association* own = nullptr;

  /// True if someone of a lower rank number sets what `is_set(const Qos&)` asks about.
  template <typename IsSet>
  [[nodiscard]] bool hidden(LimitRank rank, IsSet is_set) const {
    if (rank == LimitRank::First) return false;
    if (first != nullptr && is_set(*first)) return true;
    return rank == LimitRank::Association && second != nullptr && is_set(*second);
  }
  /// The same for a limit on one TRES.
  [[nodiscard]] bool hidden(LimitRank rank, TresLimitKind kind, std::size_t tres) const;

  /// Calls `use(qos, rank)` for Q1 and Q2 until it answers with something.
  template <typename Use>
  [[nodiscard]] auto first_of_qos(Use use) const -> decltype(use(*first, LimitRank::First)) {
    if (first != nullptr) {
      if (auto answer = use(*first, LimitRank::First)) return answer;
    }
    if (second != nullptr) {
      if (auto answer = use(*second, LimitRank::Second)) return answer;
    }
    return {};
  }

  /// DenyOnLimit of either QOS; also without any QOS (limits.md §5).
  [[nodiscard]] bool is_strict() const;
  /// Factor on the associations' GrpTRES and MaxTRES; 1: none (limits.md §4).
  [[nodiscard]] double limit_factor() const;
};

[[nodiscard]] const TresLimits& tres_limits(const Qos& qos, TresLimitKind kind);
/// Empty for the kinds that only a QOS has.
[[nodiscard]] const TresLimits& tres_limits(const Association& association, TresLimitKind kind);

/// An association's limit under LimitFactor; none: the product overflows, i.e. no limit.
[[nodiscard]] std::optional<std::uint64_t> scaled_limit(std::uint64_t limit, double factor);

/// Slurm's INFINITE, the minutes of a job without limit.
inline constexpr std::uint64_t kInfiniteMinutes = 4294967295;
/// The job's limit in minutes; none: not given.
[[nodiscard]] std::optional<std::uint64_t> limit_minutes(const std::optional<Minutes>& limit);
/// Minutes × UsageFactor of the job's QOS, cut, where it has UsageFactorSafe (limits.md §6.2).
[[nodiscard]] std::uint64_t safe_minutes(std::uint64_t minutes, const Qos* job_qos);
/// UsageFactor; 1 without a QOS and for negative values.
[[nodiscard]] double usage_factor_of(const Qos* job_qos);

}  // namespace rehearse
