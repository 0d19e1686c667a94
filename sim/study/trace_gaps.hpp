// sim/study/trace_gaps.hpp — a trace most of whose time nothing is submitted in.
#pragma once

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Warns where more than half of the time from the first submission to the last, and more than 30
/// days, is one gap: a row with a wrong year does that, and every figure by time is of the gap
/// then.
void tell_trace_gaps(const LoadedSite& loaded, Diagnostics& found);

}  // namespace rehearse
