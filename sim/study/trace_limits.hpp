// sim/study/trace_limits.hpp — time limits of a trace's jobs beside the times that they ran.
#pragma once

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Where the trace has no limits, a job that ran for longer than the default of its partition had
/// a longer one: it gets the minutes that it ran. Where it has them, runs beyond their limit are
/// told of, as they end at it here. To be called once the cluster and the trace are known.
void settle_trace_limits(LoadedSite& loaded, Diagnostics& found);

}  // namespace rehearse
