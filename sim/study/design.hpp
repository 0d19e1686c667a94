// sim/study/design.hpp — which points a study has: grid, random, Sobol or list, times replications.
//
// Points are numbered design by design, replications of one design one after the other. The same
// study has the same points on every machine. Replication r of every design has the seed
// `seed + r`: common random numbers, so that designs differ by their parameters alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/study/study_conf.hpp"

namespace rehearse {

/// One simulation of a study.
struct StudyPoint {
  std::uint32_t number = 0;       ///< its row in the registry
  std::uint32_t design = 0;       ///< equal for the replications of one choice of values
  std::uint32_t replication = 0;  ///< from 0
  std::uint64_t seed = 1;
  std::vector<std::string> values;  ///< by parameter, as chosen (before `form`)
};

/// More than this is a mistake, not a study.
inline constexpr std::uint64_t kMostPoints = 1000000;

/// Every point; none for a study whose points are asked for by an optimiser. Throws InputError: too
/// many.
[[nodiscard]] std::vector<StudyPoint> points_of(const StudyConf& study);

/// Sobol's sequence, shifted by the seed: so many places in [0, 1), one for each parameter.
[[nodiscard]] std::vector<std::vector<double>> sobol_places(
    const std::vector<StudyParameter>& parameters, std::uint64_t seed, std::size_t count);

/// The replications of one choice of values, the first with `number`.
[[nodiscard]] std::vector<StudyPoint> replicate(const StudyConf& study,
                                                const std::vector<std::string>& values,
                                                std::uint32_t design, std::uint32_t number);

/// The value of a parameter at `u` of [0, 1).
[[nodiscard]] std::string value_at(const StudyParameter& parameter, double u);

/// The value as it stands behind `change=`, or as the jobs' path or the seed.
[[nodiscard]] std::string written(const StudyParameter& parameter, const std::string& value);

}  // namespace rehearse
