// sim/study/comparison/job_pairs.hpp — the jobs of two runs, side by side: the same input job is
// one pair.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/name_pool.hpp"
#include "sim/study/comparison/outcomes.hpp"

namespace rehearse {

/// By what jobs are grouped. Attributes are those of side A: a group has the same jobs on both.
enum class PairScope : std::uint8_t { Account, Partition, Qos, Size, User };
inline constexpr std::size_t kPairScopeCount = 5;
/// `account`, `partition`, `qos`, `size`, `user`.
[[nodiscard]] std::string_view to_text(PairScope scope);

/// The name of row `row`'s group.
[[nodiscard]] std::string group_name(const Result& result, std::size_t row, PairScope scope);

/// All of a row's groups, by PairScope.
[[nodiscard]] std::array<NameId, kPairScopeCount> groups_of(const Result& result, std::size_t row,
                                                            NamePool& names);

struct JobPair {
  JobOutcome a, b;
  std::array<NameId, kPairScopeCount> group{};  ///< by PairScope, of JobPairs::names
  std::uint32_t user = 0;                       ///< position in JobPairs::users
  [[nodiscard]] NameId of(PairScope scope) const { return group[static_cast<std::size_t>(scope)]; }
  [[nodiscard]] bool both_started() const { return a.has_started() && b.has_started(); }
};

/// Jobs of one side that the other does not have.
struct OneSided {
  std::size_t jobs = 0;
  std::vector<JobKey> first;  ///< the first few, to be named
};

struct JobPairs {
  std::vector<JobPair> pairs;  ///< in order of key
  /// Jobs of one side that the other does not have, in order of key: there nothing became of them.
  std::vector<JobPair> alone;
  OneSided only_a, only_b;
  std::size_t started_only_a = 0, started_only_b = 0, never_started = 0;  ///< of the pairs
  NamePool names;
  std::vector<NameId> users;     ///< of the pairs in order of their first job, then of the others
  std::size_t paired_users = 0;  ///< of the pairs
  Window window;                 ///< while jobs arrived

  /// The pairs, then the jobs of one side.
  [[nodiscard]] std::size_t size() const { return pairs.size() + alone.size(); }
  [[nodiscard]] const JobPair& at(std::size_t position) const {
    return position < pairs.size() ? pairs[position] : alone[position - pairs.size()];
  }
  /// All positions.
  [[nodiscard]] std::vector<std::size_t> every() const;
};

/// Sets JobPairs::users, paired_users and JobPair::user from the pairs' groups.
void number_users(JobPairs& pairs);

[[nodiscard]] JobPairs pair_jobs(const Result& a, const Result& b);

/// `123`, `123_4`.
[[nodiscard]] std::string to_text(const JobKey& key);

}  // namespace rehearse
