// sim/output/trial.hpp — does a piece of work come to its end? Asked of a copy of the process.
//
// libhdf5 follows what a damaged file says: out of bounds, or round and round. A file with a seal
// is known to be whole (seal.hpp); one without is read by a copy first, whose end harms nobody.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace rehearse {

/// Does `work` in a copy of the process, which may take `most_cpu` [s of CPU]. Empty where it
/// ended, by an InputError too; else how the copy ended: by what signal, or for want of memory.
[[nodiscard]] std::string how_it_fails(std::chrono::seconds most_cpu,
                                       const std::function<void()>& work);

}  // namespace rehearse
