// sim/app/pace.cpp — many lines for who watches, few for who reads them later.
#include "sim/app/pace.hpp"

namespace rehearse {
namespace {

using namespace std::chrono_literals;

constexpr auto kManyLines = 10min;

}  // namespace

Pace::Pace(Onto onto) : onto_(onto), next_(onto == Onto::Terminal ? 2s : 60s) {}

bool Pace::is_due(std::chrono::milliseconds elapsed) {
  if (elapsed < next_) return false;
  if (onto_ == Onto::Terminal) {
    next_ = elapsed + 200ms;
  } else {
    const std::chrono::milliseconds step = elapsed < kManyLines ? 1min : 10min;
    next_ = (elapsed / step + 1) * step;
  }
  return true;
}

}  // namespace rehearse
