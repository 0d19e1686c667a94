// sim/config/hostlist.hpp — Slurm's host list expressions, both ways (formats.md §2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse {

/// What a host list stands for, or why it stands for nothing.
struct HostlistResult {
  std::vector<std::string> hosts;
  std::string error;  ///< empty: fine
};

/// Expands `n[01-03,7],x` in order, duplicates kept. At most 65,536 hosts a range and 4,194,304 in
/// all; more is an error, not an attempt.
[[nodiscard]] HostlistResult expand_hostlist(std::string_view text);

/// Compresses names as Slurm prints them: consecutive members of equal prefix and width merge.
[[nodiscard]] std::string compress_hostlist(const std::vector<std::string>& hosts);

/// Natural order: digit runs compare as numbers (n2 before n10).
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace rehearse
