// sim/study/tuning/tunable_keys.hpp — keys that can be tuned without a word about their range.
//
// Weights up to ten times the site's largest, times of a day to four weeks, and some words of
// SchedulerParameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/study/load_site.hpp"
#include "sim/study/study_conf.hpp"

namespace rehearse {

/// Name, change and form of a key, or of a word of SchedulerParameters (`bf_…`); its range where it
/// has one of its own.
[[nodiscard]] StudyParameter parameter_of(std::string_view name, const LoadedSite& today);

/// What is tuned where nobody says what: limits and partitions are policy, and stay.
[[nodiscard]] std::vector<StudyParameter> keys_that_act(const LoadedSite& today);

[[nodiscard]] std::vector<std::string_view> tunable_keys();
/// The same for help: lines of at most 96 characters.
[[nodiscard]] std::string tunable_key_names();

/// A key as it is varied: `100 .. 1000000, in equal ratios`.
[[nodiscard]] std::string range_text(const StudyParameter& parameter);

}  // namespace rehearse
