// sim/study/report/decided_words.hpp — in the head of a page: by what jobs were submitted, and what
// decided if not Slurm's own rules.
#pragma once

#include <string>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {

/// `when they were submitted`, or what users wait for.
[[nodiscard]] std::string submitted_words(const Result& result);

/// `policy.order shortest_first, policy.backfill easy`: what site.yaml puts in the place of Slurm's
/// own rules; empty: nothing.
[[nodiscard]] std::string policy_words(const Provenance& made);

/// `decides as Slurm 22.05 does`, or by what else.
[[nodiscard]] std::string decided_words(const Side& side);

}  // namespace rehearse
