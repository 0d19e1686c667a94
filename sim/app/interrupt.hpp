// sim/app/interrupt.hpp — SIGINT and SIGTERM as a flag that the run loop looks at.
#pragma once

#include <atomic>

namespace rehearse {

/// From now on the first SIGINT or SIGTERM sets the flag; a second one ends the program at once.
/// A closed pipe ends it in silence, as it does any other tool.
void handle_signals();

/// Set by the first signal.
[[nodiscard]] const std::atomic<bool>& interrupted();

}  // namespace rehearse
