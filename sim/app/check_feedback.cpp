// sim/app/check_feedback.cpp — which jobs of the record are thought to have waited for another.
#include "sim/app/check_feedback.hpp"

#include <fmt/format.h>

#include "sim/study/site_feedback.hpp"

namespace rehearse {

std::string feedback_text(const LoadedSite& site) {
  if (site.inputs.site.feedback.is_open()) {
    return "submissions: open replay, each when it was recorded (feedback.mode in site.yaml)\n";
  }
  const FeedbackSurvey survey = feedback_plan(site).survey;
  std::string text = fmt::format(
      "submissions: think time; of {} jobs {} wait for the end of another, {} come with such a "
      "one, "
      "{} by the record\n",
      survey.jobs, survey.of(SubmitRule::AfterEnd), survey.of(SubmitRule::WithBatch),
      survey.of(SubmitRule::Recorded));
  const auto add = [&](std::uint64_t jobs, const char* what) {
    if (jobs > 0) text += fmt::format("{:>12}  {}\n", jobs, what);
  };
  add(survey.without_user, "have no known user: they come by the record");
  add(survey.without_end, "have no recorded end: nothing waits for them");
  add(survey.fixed, "stay at their recorded times: commands name them, or they are there already");
  return text;
}

nlohmann::ordered_json feedback_json(const LoadedSite& site) {
  nlohmann::ordered_json json;
  if (site.inputs.site.feedback.is_open()) {
    json["mode"] = "open";
    return json;
  }
  const FeedbackSurvey survey = feedback_plan(site).survey;
  json["mode"] = "think_time";
  json["jobs"] = survey.jobs;
  for (std::size_t i = 0; i < kSubmitRuleCount; ++i) {
    json[std::string(to_text(static_cast<SubmitRule>(i)))] = survey.by_rule[i];
  }
  json["without_user"] = survey.without_user;
  json["without_end"] = survey.without_end;
  json["fixed"] = survey.fixed;
  return json;
}

}  // namespace rehearse
