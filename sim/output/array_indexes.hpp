// sim/output/array_indexes.hpp — the tasks of an array in slurmctld's words (outputs.md §1).
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace rehearse {

/// `1-3,7`; more than five tasks that stand equally far apart, over more than ten: `0-198:2`.
[[nodiscard]] std::string array_indexes_text(const std::set<std::uint32_t>& tasks);

}  // namespace rehearse
