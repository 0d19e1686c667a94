// sim/config/known_keys.hpp — the tables behind lint.hpp, each in a file of its own.
#pragma once

#include <span>

#include "sim/config/lint.hpp"

namespace rehearse {

[[nodiscard]] std::span<const KnownKey> scheduling_keys();  ///< global, may change results
[[nodiscard]] std::span<const KnownKey> daemon_keys();      ///< global, no effect on decisions
[[nodiscard]] std::span<const KnownKey> node_keys();
[[nodiscard]] std::span<const KnownKey> partition_keys();
[[nodiscard]] std::span<const KnownKey> scheduler_words();

}  // namespace rehearse
