// tests/support/ask_request.hpp — sbatch's words to a Request.
#pragma once

#include <string_view>

#include "sim/cluster/request.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse::test {

/// A request in sbatch's words, with the client's mapping (scheduling.md §5.6).
[[nodiscard]] Request ask_request(std::string_view options, NamePool& names);

}  // namespace rehearse::test
