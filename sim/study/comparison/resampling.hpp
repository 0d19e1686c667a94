// sim/study/comparison/resampling.hpp — how sure a difference is: whole users' job streams drawn
// anew, with replacement, the same draws for both sides.
//
// Jobs of one user are alike, and one user's jobs push each other back: to draw single jobs would
// claim a sureness that nobody has. A user is drawn with all his jobs or not at all, and a draw
// weighs A and B alike (common random numbers), so that what they share cancels out.
//
// A table of many figures finds something "significant" by chance alone. Intervals of differences
// are therefore simultaneous over their table: d ± c·se, where c is the quantile over the draws of
// the largest |d* − d| / se in the table (the max-t of Westfall and Young, 1993; bootstrap of
// clusters: Davison and Hinkley, Bootstrap Methods and their Application, 1997, §2.4 and §3.8).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rehearse {

struct ResamplingOptions {
  std::size_t draws = 1000;  ///< at least 100
  std::uint64_t seed = 1;
  double level = 0.95;         ///< of the intervals, in (0, 1)
  std::size_t users_min = 10;  ///< with fewer users no interval is given
};

/// How often each user is in each draw.
class UserDraws {
 public:
  UserDraws(std::size_t users, const ResamplingOptions& options);

  [[nodiscard]] std::size_t size() const { return draws_; }
  [[nodiscard]] std::size_t users() const { return users_; }
  /// Of one draw: a weight for each user; their sum is the number of users.
  [[nodiscard]] std::span<const std::uint16_t> weights(std::size_t draw) const {
    return std::span(weights_).subspan(draw * users_, users_);
  }

 private:
  std::size_t users_, draws_;
  std::vector<std::uint16_t> weights_;
};

struct Interval {
  double low = 0, high = 0;
  [[nodiscard]] bool excludes_zero() const { return low > 0 || high < 0; }
};

/// One figure on both sides, and in each draw. A draw in which it cannot be computed holds NaN.
struct DrawnFigure {
  double a = 0, b = 0;
  std::size_t users = 0;  ///< that it rests on
  std::vector<double> drawn_a, drawn_b;
};

/// What can be said of one figure.
struct Sureness {
  std::optional<Interval> a, b;        ///< each by itself: quantiles of the draws
  std::optional<Interval> difference;  ///< of b − a, simultaneous over the table
  /// The difference's interval excludes zero.
  [[nodiscard]] bool is_significant() const { return difference && difference->excludes_zero(); }
};

/// Intervals of the figures of one table, in their order. None where a figure cannot be computed
/// or rests on too few users.
[[nodiscard]] std::vector<Sureness> judge(std::span<const DrawnFigure> table,
                                          const ResamplingOptions& options);

}  // namespace rehearse
