// sim/cluster/request.cpp — interning: equal requests share one id.
#include "sim/cluster/request.hpp"

namespace rehearse {

RequestId RequestTable::intern(const Request& request) {
  const auto [at, is_new] = ids_.try_emplace(request, id_at<RequestId>(by_id_.size()));
  if (is_new) {
    by_id_.push_back(&at->first);
    note_gres(request);
  }
  return at->second;
}

void RequestTable::note_gres(const Request& request) {
  if (!request.gres.empty()) ++wanting_;
  std::set<NameId> wanted;
  for (const GresRequest& each : request.gres) {
    if (size() == 1 || wanted_by_all_.contains(each.name)) wanted.insert(each.name);
  }
  wanted_by_all_ = std::move(wanted);
}

}  // namespace rehearse
