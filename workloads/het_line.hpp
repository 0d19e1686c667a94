// workloads/het_line.hpp — what one component of a heterogeneous job's submit line asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/config/sbatch_args.hpp"

namespace rehearse {

/// `sbatch -n1 --mem=4G : -p gpu --wrap …`: the options of component `offset` (from 0), with those
/// of the others that hold for it too. None: the line has no such part (all of it in a script).
/// Findings are about the component's own part.
[[nodiscard]] std::optional<SbatchArgs> component_args(std::string_view line, std::uint32_t offset,
                                                       const SourcePosition& where,
                                                       Diagnostics& found);

/// Components of the line: 1 where it is of a plain job.
[[nodiscard]] std::uint32_t component_count(std::string_view line);

}  // namespace rehearse
