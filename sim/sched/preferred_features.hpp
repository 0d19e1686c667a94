// sim/sched/preferred_features.hpp — --prefer: features that would be welcome (scheduling.md §3.1).
//
// A job with --prefer has two records for each partition: one that goes by the features of
// --prefer, in the place of those of -C, and behind it the usual one. Which of the two is looked at
// is part of the job's request, so that whatever is remembered of a request is right for it.
#pragma once

#include <map>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

class PreferredFeatures {
 public:
  explicit PreferredFeatures(Cluster& cluster) : cluster_(cluster) {}

  /// From now on the job's request is that of its record of --prefer, or (false) of the usual one.
  /// A job without --prefer keeps its only one.
  void go_by(Job& job, bool prefers);

 private:
  Cluster& cluster_;
  std::map<RequestId, RequestId> other_;  ///< the same request of the other record
};

/// While a record is looked at: its request; afterwards a job that still pends has the usual one.
class RecordsRequest {
 public:
  RecordsRequest(PreferredFeatures& preferred, Job& job, bool prefers)
      : preferred_(preferred), job_(job), prefers_(prefers) {
    if (prefers_) preferred_.go_by(job_, true);
  }
  ~RecordsRequest() {
    if (prefers_ && job_.is_pending()) preferred_.go_by(job_, false);
  }
  RecordsRequest(const RecordsRequest&) = delete;
  RecordsRequest& operator=(const RecordsRequest&) = delete;

 private:
  PreferredFeatures& preferred_;
  Job& job_;
  bool prefers_;
};

}  // namespace rehearse
