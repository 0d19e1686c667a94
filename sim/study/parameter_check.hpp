// sim/study/parameter_check.hpp — can the parameters of a study change its site at all?
#pragma once

#include "sim/core/error.hpp"
#include "sim/study/load_site.hpp"
#include "sim/study/study_conf.hpp"

namespace rehearse {

/// Throws InputError, with the parameter's place, where no value of it can be used. `site` is the
/// study's as it is.
void check_parameters(const StudyConf& study, const LoadedSite& site);

/// Warns of a parameter of the loops' times, which does nothing where a recording tells when they
/// ran.
void tell_replayed(const StudyConf& study, const LoadedSite& site, Diagnostics& found);

}  // namespace rehearse
