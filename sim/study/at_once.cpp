// sim/study/at_once.cpp — an arena of its own, so that nobody else's threads count.
#include "sim/study/at_once.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace rehearse {

void at_once(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& each) {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, each); });
}

}  // namespace rehearse
