// sim/config/value_lists.hpp — lists that several keys share: `0-3,8`, and `cpu=1,mem=0.25G`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/slurm_conf.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// `0-3,8` as numbers in order of writing; none: not such a list, or a number above `most`.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> parse_index_list(std::string_view text,
                                                                         std::uint32_t most);

/// TRESBillingWeights and PriorityWeightTRES: `name=number[K|M|G|T|P]`, weights per base unit,
/// which is MiB for `mem` and `bb/…` and 1 for the others (priority.md §3.8). `known` are the TRES
/// names that exist, lower case; a name beyond them is an error.
[[nodiscard]] std::vector<TresWeight> parse_tres_weights(std::string_view text,
                                                         const std::vector<std::string>& known,
                                                         const SourcePosition& where,
                                                         Diagnostics& found);

/// The eight TRES that always exist, in id order (limits.md §2).
inline constexpr std::array<std::string_view, 8> kPermanentTres = {
    "cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"};

}  // namespace rehearse
