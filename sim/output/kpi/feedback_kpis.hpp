// sim/output/kpi/feedback_kpis.hpp — figures of submissions that answer to ends of jobs.
#pragma once

#include "sim/output/kpi/kpi.hpp"

namespace rehearse {

/// Adds figures of the whole run; none of an open replay.
void add_feedback_kpis(const Result& result, Kpis& kpis);

}  // namespace rehearse
