// workloads/request_from_args.hpp — what sbatch sends for its options: the client's half of a
// request.
#pragma once

#include "sim/cluster/request.hpp"
#include "sim/config/sbatch_args.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// The client's mapping of options (scheduling.md §5.6, gres.md §2.1). Consistency of GRES with
/// tasks and nodes (gres.md §2.2), defaults and limits are the server's and are not applied here.
/// Findings have no position: the caller knows the line.
[[nodiscard]] Request make_request(const SbatchArgs& args, NamePool& names, Diagnostics& found);

}  // namespace rehearse
