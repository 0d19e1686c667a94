// sim/sched/preferred_features.cpp — the two requests of a job with --prefer.
#include "sim/sched/preferred_features.hpp"

namespace rehearse {

void PreferredFeatures::go_by(Job& job, bool prefers) {
  const Request& request = cluster_.request_of(job);
  if (request.prefer == kNoName || request.prefers == prefers) return;
  auto other = other_.find(job.request);
  if (other == other_.end()) {
    Request turned = request;
    turned.prefers = prefers;
    other = other_.emplace(job.request, cluster_.requests.intern(turned)).first;
  }
  job.request = other->second;
}

}  // namespace rehearse
