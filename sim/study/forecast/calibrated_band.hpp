// sim/study/forecast/calibrated_band.hpp — a band of starts made as wide as past bands should have
// been: conformalized quantile regression (Romano, Patterson, Candès 2019) in time order.
//
// How far each recorded start lay outside of the band (or inside: then it is too wide) is kept for
// both ends, in the logarithm of 1 + minutes to wait, as waits of all lengths are pooled. The ends
// move by the 90 % quantile of these. Jobs of one instant share their fate: every instant weighs
// the same (CDF pooling of Dunn, Wasserman, Ramdas 2022). What is asked at an instant is known
// then: of a job that still waits, that it has waited so long. Jobs that never start are left out,
// as in a backtest's score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/time.hpp"

namespace rehearse {

struct ForecastBand {
  std::int64_t low = 0, middle = 0, high = 0;  ///< P10, P50, P90 [s after the instant]
};

/// How far the ends move, outwards where positive.
struct BandShift {
  double low = 0, high = 0;
  /// Never across the middle, never before the instant.
  [[nodiscard]] ForecastBand applied(const ForecastBand& band) const;
};

class BandHistory {
 public:
  /// A forecast made at `at`, and the start that came; none: it never did.
  void add(SlurmTime at, const ForecastBand& band, std::optional<SlurmTime> start);
  /// From what is known at `now` of earlier instants; none: of fewer than kFewest.
  [[nodiscard]] std::optional<BandShift> shift(SlurmTime now) const;

  static constexpr std::size_t kFewest = 3;  ///< instants

 private:
  struct Past {
    SlurmTime at;
    ForecastBand band;
    std::optional<SlurmTime> start;
  };
  std::vector<Past> past_;
};

}  // namespace rehearse
