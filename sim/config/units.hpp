// sim/config/units.hpp — numbers, times and sizes in the words of Slurm's files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/time.hpp"

namespace rehearse {

/// A time string of slurm.conf or --time: `M`, `M:S`, `H:M:S`, `D-H`, `D-H:M`, `D-H:M:S`; the words
/// INFINITE, UNLIMITED and -1 give kUnlimited (as seconds: kUnlimited). None: not a time.
[[nodiscard]] std::optional<Seconds> parse_time_string(std::string_view text);

/// The same, rounded up to minutes ((s+59)/60), as Slurm holds limits.
[[nodiscard]] std::optional<Minutes> parse_time_minutes(std::string_view text);

/// `[D-]HH:MM:SS[.mmm]` or `MM:SS[.mmm]` of sacct: seconds, fractions cut.
[[nodiscard]] std::optional<Seconds> parse_elapsed(std::string_view text);

/// slurm.conf numbers: strtoul base 0, suffix k/K only (×1024), UNLIMITED/INFINITE = `infinity`.
[[nodiscard]] std::optional<std::uint64_t> parse_conf_uint(std::string_view text,
                                                           std::uint64_t infinity);

/// Memory of sbatch and sacct: number with K, M (default), G, T, P (with or without B); base 1024;
/// decimals allowed. Result in MiB, rounded up to a whole MiB for K.
[[nodiscard]] std::optional<std::uint64_t> parse_memory_mib(std::string_view text);

/// `500M`, `2.50G`: scaled while the value is a multiple of 512 (formats.md §10.3).
[[nodiscard]] std::string format_memory_mib(std::uint64_t mib);

/// `[D-]HH:MM:SS`.
[[nodiscard]] std::string format_elapsed(Seconds span);

/// yes/up/true/1 and no/down/false/0, any case.
[[nodiscard]] std::optional<bool> parse_conf_bool(std::string_view text);

/// ASCII only, locale-free.
[[nodiscard]] std::string to_lower(std::string_view text);
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b);

}  // namespace rehearse
