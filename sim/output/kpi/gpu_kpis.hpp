// sim/output/kpi/gpu_kpis.hpp — figures of GPUs as hardware: SMs, fragments, energy, money.
#pragma once

#include <cstdint>

#include "sim/output/kpi/kpi.hpp"

namespace rehearse {

/// Adds figures of the whole run and of accounts. What nothing is known of is left out: no energy
/// without the watts of every GPU, no cost without a price.
void add_gpu_kpis(const Result& result, Kpis& kpis);

/// True where each MIG instance counts as a GPU, as in Slurm; false: by its SMs, as layouts change
/// in the run, or there is none.
[[nodiscard]] bool counts_instances(const Result& result);

/// Share of the SMs of all physical GPUs that jobs held in [from, to) [s since the epoch], whatever
/// instances they are cut into; NaN: there are none.
[[nodiscard]] double sms_held(const Result& result, std::int64_t from, std::int64_t to);

}  // namespace rehearse
