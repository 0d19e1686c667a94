// sim/study/report/sensitivity.hpp — how far the figures of a page move with what was assumed: the
// points of a sweep's registry, by parameter.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace rehearse {

/// One value of one parameter, over all points that have it.
struct SensitivityLevel {
  std::string value;
  std::size_t runs = 0;
  double mean = 0, low = 0, high = 0;  ///< of the figure over these points
};

/// How a figure answers to a parameter.
struct SensitivityEffect {
  std::string figure, parameter;
  std::vector<SensitivityLevel> levels;  ///< numbers ascending, words in order
  /// The largest mean of a level less the smallest.
  [[nodiscard]] double range() const;
};

struct Sensitivity {
  std::string source, site;  ///< the registry's file, and the site of its study
  std::size_t points = 0, incomplete = 0;
  std::vector<SensitivityEffect> effects;  ///< by figure, then the largest range first
};

/// Reads a registry. Parameters with one value alone are left out. Throws InputError: it is none,
/// or no point is complete.
[[nodiscard]] Sensitivity read_sensitivity(const std::filesystem::path& registry);

}  // namespace rehearse
