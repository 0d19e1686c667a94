// sim/cluster/request.cpp — interning: equal requests share one id.
#include "sim/cluster/request.hpp"

namespace rehearse {

RequestId RequestTable::intern(const Request& request) {
  const auto [at, is_new] = ids_.try_emplace(request, id_at<RequestId>(by_id_.size()));
  if (is_new) by_id_.push_back(&at->first);
  return at->second;
}

}  // namespace rehearse
