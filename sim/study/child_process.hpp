// sim/study/child_process.hpp — another program, run to its end: what it printed, and how it ended.
#pragma once

#include <string>
#include <vector>

namespace rehearse {

struct ChildResult {
  int exit = 0;        ///< 127: there is no such program; 128 + n: ended by signal n
  std::string output;  ///< its standard output, then what it wrote to stderr
};

/// Runs `words` without a shell. To be called while the process has one thread.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& words);

}  // namespace rehearse
