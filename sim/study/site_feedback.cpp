// sim/study/site_feedback.cpp — which of the two sources a site's jobs come from.
#include "sim/study/site_feedback.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace rehearse {
namespace {

const TraceJobs& jobs_to_run(const LoadedSite& site) {
  return site.start ? site.start->jobs : site.jobs();
}

/// The jobs that commands name by their ids, ascending.
std::vector<JobId> named_by(const std::vector<AdminCommandAt>& commands) {
  std::vector<JobId> ids;
  for (const AdminCommandAt& command : commands) {
    std::visit(
        [&](const auto& action) {
          if constexpr (requires { action.targets; }) {
            for (const JobTarget& target : action.targets) ids.push_back(target.id);
          }
        },
        command.action);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

FeedbackPlan feedback_plan(const LoadedSite& site) {
  FixedSubmissions fixed;
  fixed.ids = named_by(site.commands);
  if (site.start) fixed.before = site.start->at;
  return plan_feedback(jobs_to_run(site), site.inputs.site.feedback, fixed);
}

SiteFeedback::SiteFeedback(const LoadedSite& site) : jobs_(jobs_to_run(site)), open_(jobs_) {
  if (site.inputs.site.feedback.is_open()) return;
  plan_ = feedback_plan(site);
  closed_.emplace(jobs_, plan_);
}

JobSource& SiteFeedback::source() {
  if (closed_) return *closed_;
  return open_;
}

void SiteFeedback::give_to(Result& result) const {
  if (!closed_) return;
  FeedbackColumns& columns = result.feedback;
  columns.kept = true;
  columns.held_back = closed_->held_back();
  const RunColumns& runs = result.runs;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    const std::uint32_t id = runs.array_job[row] != 0 ? runs.array_job[row] : runs.job_id[row];
    const auto at = plan_.position.find(JobId{id});
    const bool known = at != plan_.position.end();
    columns.recorded_submit.push_back(known ? epoch_seconds(jobs_.specs()[at->second].submit)
                                            : runs.submit[row]);
    const SubmitRule rule = known ? plan_.links[at->second].rule : SubmitRule::Recorded;
    columns.rule.push_back(static_cast<std::uint8_t>(rule));
  }
}

}  // namespace rehearse
