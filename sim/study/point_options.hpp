// sim/study/point_options.hpp — from the values of a point to what is loaded, and to a command
// line.
#pragma once

#include <cstdint>
#include <string>

#include "sim/study/design.hpp"
#include "sim/study/load_site.hpp"
#include "sim/study/study_conf.hpp"

namespace rehearse {

/// What the values of a parameter stand for.
enum class ParameterTarget : std::uint8_t { Set, Jobs, Span, Growth, Seed };
[[nodiscard]] ParameterTarget target_of(const StudyParameter& parameter);

/// The study's site as it is, without any parameter.
[[nodiscard]] LoadOptions options_of(const StudyConf& study);

/// The site of a point. Throws InputError for a value of another form than its parameter's.
[[nodiscard]] LoadOptions options_of(const StudyConf& study, const StudyPoint& point);

/// Changes the options as this value of the parameter does. Throws InputError, as above.
void apply(const StudyConf& study, const StudyParameter& parameter, const std::string& value,
           LoadOptions& options);

/// `rehearse run SITE --set …`: the same run by hand. Empty: no command line would take it.
[[nodiscard]] std::string command_of(const StudyConf& study, const StudyPoint& point);

}  // namespace rehearse
