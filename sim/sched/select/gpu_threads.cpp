// sim/sched/select/gpu_threads.cpp — by how many CPUs of a core those that GPUs bring are counted
// (gres.md §3.3).
#include <algorithm>

#include "sim/sched/select/offer.hpp"

namespace rehearse {

bool brings_cpus(const EffectiveRequest& request) {
  return std::any_of(request.gres.begin(), request.gres.end(),
                     [](const EffectiveGres& gres) { return gres.cpus_per_gres > 0; });
}

bool has_cpus_for_job_alone(const EffectiveRequest& request) {
  return std::any_of(request.gres.begin(), request.gres.end(),
                     [](const EffectiveGres& gres) { return gres.cpus_for_job_alone; });
}

bool counts_all_threads(const EffectiveRequest& request) {
  return request.threads_per_core + request.ntasks_per_core > 0 && brings_cpus(request);
}

std::uint32_t gpus_cpus_per_core(const EffectiveRequest& request, const Node& node,
                                 const NodeOffer& offer) {
  return counts_all_threads(request) ? node.cpus_per_core : offer.cpus_per_core;
}

}  // namespace rehearse
