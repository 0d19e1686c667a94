// sim/study/at_once.hpp — a number of independent things on a number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace rehearse {

/// Does each of 0 … count - 1, `threads` of them at once. What one throws ends it and is thrown on.
void at_once(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& each);

}  // namespace rehearse
