// sim/study/report/time_bins.hpp — a run cut into so few equal pieces that a chart can show them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/output/result.hpp"
#include "sim/study/comparison/outcomes.hpp"

namespace rehearse {

struct TimeBins {
  std::int64_t period_s = 300, offset_s = 0;  ///< bins begin at offset_s + k × period_s
  std::int64_t begin = 0;                     ///< of the first bin
  std::size_t count = 0;
  [[nodiscard]] std::int64_t time(std::size_t bin) const {
    return begin + static_cast<std::int64_t>(bin) * period_s;
  }
};

/// At most `most` bins of 5 min … 4 weeks over a part of the run; bins of a day or more begin at
/// the site's midnight.
[[nodiscard]] TimeBins time_bins(const Result& result, const Window& shown, std::size_t most);

/// Means of a series of the result over the bins; empty: there is no such series. What comes after
/// the last bin is left out.
[[nodiscard]] std::vector<double> means_over(const Result& result, std::string_view series,
                                             const TimeBins& bins);

/// `5 min`, `1 h`, `1 d`.
[[nodiscard]] std::string period_words(std::int64_t period_s);

}  // namespace rehearse
