// sim/study/state_copy.hpp — a question to a copy of the whole state: the copy is a child process.
//
// A simulation is one big tangle of references, which nothing but the system can copy as it is.
#pragma once

#include <functional>
#include <string>

namespace rehearse {

/// Calls `answer` in a child process and returns what it returned; here nothing has changed.
/// There must be one thread only.
[[nodiscard]] std::string ask_a_copy(const std::function<std::string()>& answer);

}  // namespace rehearse
