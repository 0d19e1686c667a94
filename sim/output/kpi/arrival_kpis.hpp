// sim/output/kpi/arrival_kpis.hpp — figures of the time in which jobs arrived: a run goes on until
// its last job can start no more, and what a few of them wait for thins the figures of the whole.
#pragma once

#include "sim/output/kpi/kpi.hpp"

namespace rehearse {

/// Adds figures from the first submission to the last; none where that is no time.
void add_arrival_kpis(const Result& result, Kpis& kpis);

}  // namespace rehearse
