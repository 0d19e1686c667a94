// sim/app/pace.hpp — how often it is told how far a run is.
#pragma once

#include <chrono>

namespace rehearse {

/// On a terminal five times a second, once two seconds are over. In a file, as the log of a batch
/// job is, a line a minute for ten minutes, then one in ten minutes.
class Pace {
 public:
  enum class Onto : bool { Terminal, File };
  explicit Pace(Onto onto);

  /// Is a line due so long after the start? Then the next one is later.
  [[nodiscard]] bool is_due(std::chrono::milliseconds elapsed);

 private:
  Onto onto_;
  std::chrono::milliseconds next_;
};

}  // namespace rehearse
