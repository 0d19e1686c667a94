// sim/controller/request_change.hpp — what `scontrol update JobId=…` makes of a request
// (lifecycle.md §10.1).
#pragma once

#include "sim/cluster/job.hpp"
#include "sim/cluster/request.hpp"
#include "sim/controller/job_command.hpp"

namespace rehearse {

void apply(const RequestChange& change, Request& request);

/// Limits on these do not bind any more (limits.md §9). `before`: what was asked for until now.
void mark_lifted(const RequestChange& change, const Request& before, OperatorSet& by_operator);

/// NumNodes=N raises the CPUs to one a node, as if an operator had given them too.
[[nodiscard]] bool raises_cpus(const RequestChange& change, const Request& request);

/// NumNodes=N leaves the most as it was, and is refused above it.
[[nodiscard]] bool exceeds_its_most(const RequestChange& change, const Request& request);

}  // namespace rehearse
