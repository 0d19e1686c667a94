// sim/study/site_feedback.hpp — the jobs of a site as its users submit them: by the record, or by
// the ends of their jobs (site.yaml `feedback`).
#pragma once

#include <optional>

#include "sim/output/result.hpp"
#include "sim/study/load_site.hpp"
#include "workloads/closed_replay.hpp"

namespace rehearse {

/// What of the site's submissions answers to ends, told from its record.
[[nodiscard]] FeedbackPlan feedback_plan(const LoadedSite& site);

/// The source of one simulation's jobs.
class SiteFeedback {
 public:
  /// `site` stays the caller's and outlives it.
  explicit SiteFeedback(const LoadedSite& site);

  [[nodiscard]] JobSource& source();
  /// Who must be told of the run; null: an open replay.
  [[nodiscard]] Observer* listener() { return closed_ ? &*closed_ : nullptr; }
  /// After the run: what became of the submissions. Nothing of an open replay.
  void give_to(Result& result) const;

 private:
  const TraceJobs& jobs_;
  TraceReplay open_;
  FeedbackPlan plan_;
  std::optional<ClosedReplay> closed_;
};

}  // namespace rehearse
