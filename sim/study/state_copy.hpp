// sim/study/state_copy.hpp — a question to a copy of the whole state: the copy is a child process.
//
// A simulation is one big tangle of references, which nothing but the system can copy as it is.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rehearse {

/// Calls `answer` in a child process and returns what it returned; here nothing has changed.
/// There must be one thread only.
[[nodiscard]] std::string ask_a_copy(const std::function<std::string()>& answer);

/// Asks as many copies, each with its number, `at_once` of them side by side. None: interrupted.
[[nodiscard]] std::optional<std::vector<std::string>> ask_copies(
    std::size_t copies, std::size_t at_once, const std::function<std::string(std::size_t)>& answer,
    const std::atomic<bool>* interrupted);

}  // namespace rehearse
