// workloads/feedback.cpp — one walk over the submissions, user by user.
#include "workloads/feedback.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string_view>
#include <utility>

#include "sim/controller/dependencies.hpp"

namespace rehearse {
namespace {

/// When a job ended, and its position.
using Ended = std::pair<SlurmTime, std::uint32_t>;

/// What a user has done so far.
struct Doings {
  std::optional<std::uint32_t> last;  ///< his last submission
  std::uint32_t head = 0;             ///< the first of its batch
  std::priority_queue<Ended, std::vector<Ended>, std::greater<>> to_end;
  std::optional<Ended> latest;  ///< the last end that he has seen
};

class Survey {
 public:
  Survey(const TraceJobs& jobs, const FeedbackConf& conf, const FixedSubmissions& fixed)
      : specs_(jobs.specs()), conf_(conf), fixed_(fixed) {}

  FeedbackPlan take() {
    plan_.links.resize(specs_.size());
    for (std::uint32_t at = 0; at < specs_.size(); ++at) add(at);
    return std::move(plan_);
  }

 private:
  void add(std::uint32_t at) {
    const JobSpec& spec = specs_[at];
    const std::uint32_t jobs = jobs_of(spec);
    const bool has_id = spec.id != JobId{} && plan_.position.emplace(spec.id, at).second;
    const auto end = has_id ? end_of_submission(spec) : std::nullopt;
    FeedbackSurvey& survey = plan_.survey;
    survey.jobs += jobs;
    if (!end) survey.without_end += jobs;
    note_named(at);
    SubmitLink link;
    if (spec.user == kNoName) {
      survey.without_user += jobs;
    } else {
      Doings& user = users_[spec.user];
      link = link_of(at, user);
      if (is_fixed(spec)) {
        survey.fixed += jobs;
        link = {};
      }
      user.last = at;
      if (end) user.to_end.emplace(*end, at);
    }
    survey.by_rule[static_cast<std::size_t>(link.rule)] += jobs;
    plan_.links[at] = link;
  }

  SubmitLink link_of(std::uint32_t at, Doings& user) {
    const Time submit = specs_[at].submit;
    // An end within the second of the submission may have come after it.
    while (!user.to_end.empty() && user.to_end.top().first < whole_second(submit)) {
      user.latest = std::max(user.latest, std::optional(user.to_end.top()));
      user.to_end.pop();
    }
    if (!user.last || (!is_part_of(at, *user.last) && begins_session(at, user))) {
      user.head = at;
      return {};
    }
    if (is_part_of(at, *user.last) || is_active(*user.last, submit)) {
      const bool moves = plan_.links[user.head].rule == SubmitRule::AfterEnd;
      const Duration distance = submit - specs_[user.head].submit;
      return moves ? SubmitLink{SubmitRule::WithBatch, user.head, distance} : SubmitLink{};
    }
    user.head = at;
    return {SubmitRule::AfterEnd, user.latest->second, submit - Time{user.latest->first}};
  }

  /// He came by the clock: nothing that he had submitted tells why now.
  [[nodiscard]] bool begins_session(std::uint32_t at, const Doings& user) const {
    if (conf_.sessions == SessionStart::Linked) return false;
    const Time submit = specs_[at].submit;
    if (is_active(*user.last, submit)) {
      return submit - specs_[*user.last].submit > conf_.session_gap;
    }
    return submit - Time{user.latest->first} > conf_.think_time_limit;
  }

  [[nodiscard]] bool is_active(std::uint32_t at, Time when) const {
    const JobSpec& spec = specs_[at];
    const auto known = plan_.position.find(spec.id);
    if (known == plan_.position.end() || known->second != at) return true;
    const auto end = end_of_submission(spec);
    return !end || *end >= whole_second(when);
  }

  /// Another component of the same heterogeneous job.
  [[nodiscard]] bool is_part_of(std::uint32_t at, std::uint32_t last) const {
    const auto leader = [this](std::uint32_t of) {
      const JobSpec& spec = specs_[of];
      return spec.extras ? spec.extras->het_leader : JobId{};
    };
    return leader(at) != JobId{} && leader(at) == leader(last);
  }

  [[nodiscard]] bool is_fixed(const JobSpec& spec) const {
    return (fixed_.before && whole_second(spec.submit) < *fixed_.before) ||
           std::binary_search(fixed_.ids.begin(), fixed_.ids.end(), spec.id);
  }

  void note_named(std::uint32_t at) {
    const JobSpec& spec = specs_[at];
    if (!spec.extras || spec.extras->dependency.empty()) return;
    const auto list = parse_dependencies(spec.extras->dependency);
    if (!list) return;
    for (const DependencyItem& item : list->items) {
      const auto target = plan_.position.find(item.target);
      if (target == plan_.position.end() || target->second >= at) continue;
      plan_.named[at].push_back(target->second);
    }
  }

  const std::vector<JobSpec>& specs_;
  const FeedbackConf& conf_;
  const FixedSubmissions& fixed_;
  FeedbackPlan plan_;
  std::map<NameId, Doings> users_;
};

}  // namespace

std::string_view to_text(SubmitRule rule) {
  constexpr std::string_view kTexts[kSubmitRuleCount] = {"recorded", "after_end", "with_batch"};
  return kTexts[static_cast<std::size_t>(rule)];
}

std::uint32_t jobs_of(const JobSpec& spec) {
  const std::size_t tasks = spec.extras ? spec.extras->array.size() : 0;
  return static_cast<std::uint32_t>(std::max<std::size_t>(tasks, 1));
}

std::optional<SlurmTime> end_of_submission(const JobSpec& spec) {
  if (spec.copied_end) return spec.copied_end;
  const auto end_of = [](const auto& job) {
    return job.recorded_start || job.recorded_end ? job.recorded_end : job.cancel_at;
  };
  if (!spec.extras || spec.extras->array.empty()) return end_of(spec);
  SlurmTime last = SlurmTime::min();
  for (const ArrayTask& task : spec.extras->array) {
    const auto end = end_of(task);
    if (!end) return std::nullopt;
    last = std::max(last, *end);
  }
  return last;
}

FeedbackPlan plan_feedback(const TraceJobs& jobs, const FeedbackConf& conf,
                           const FixedSubmissions& fixed) {
  return Survey(jobs, conf, fixed).take();
}

}  // namespace rehearse
