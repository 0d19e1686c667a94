// sim/study/tuning/tune_conf.hpp — the keys of a study that say how it is tuned.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/config/config_node.hpp"

namespace rehearse {

/// How the next settings are found.
enum class TuneMethod : std::uint8_t { Nsga2, Random };
[[nodiscard]] std::string_view to_text(TuneMethod method);

/// Which weeks the front is chosen on; the others are held out.
enum class WeekSplit : std::uint8_t {
  Alternate,  ///< the first, the third, the fifth …
  FirstHalf,  ///< the earlier half, rounded up
};
[[nodiscard]] std::string_view to_text(WeekSplit split);

struct TuneConf {
  TuneMethod method = TuneMethod::Nsga2;
  std::uint64_t population = 16;  ///< settings tried at once
  WeekSplit split = WeekSplit::Alternate;
  std::uint64_t days = 7;   ///< of a week
  std::uint64_t front = 8;  ///< settings measured on the held-out weeks and printed, at most
  double level = 0.95;      ///< of the intervals, all of them together
  double unstarted = 0;     ///< share of the jobs that more than today may not start, or be killed
};

/// Reads `tune:` of a study.
void read_tune(ConfigNode node, TuneConf& tune);

}  // namespace rehearse
