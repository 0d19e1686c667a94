// workloads/user_draws.cpp — draws by name, copies with ids and weeks of their own.
#include "workloads/user_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "sim/config/text.hpp"
#include "sim/core/rng.hpp"
#include "workloads/feedback.hpp"

namespace rehearse {
namespace {

constexpr Seconds kWeek{7 * 86400};

struct TraceSpan {
  SlurmTime from;
  std::int64_t weeks = 0;  ///< whole ones
};

TraceSpan span_of(const TraceJobs& jobs) {
  if (jobs.specs().empty()) return {};
  const SlurmTime first = whole_second(jobs.specs().front().submit);
  const SlurmTime last = whole_second(jobs.specs().back().submit);
  return {first, (last - first + Seconds{1}) / kWeek};
}

/// A whole number near `wanted`: its fraction is one more with that probability.
std::size_t rounded(double wanted, Rng& rng) {
  return static_cast<std::size_t>(std::floor(wanted + rng.uniform()));
}

/// By how much a job of a copy comes later. What lies behind the last whole week stays.
Seconds shift_of(SlurmTime submit, const TraceSpan& span, std::int64_t weeks) {
  if (weeks == 0 || span.weeks < 2) return Seconds{0};
  const Seconds cycle = kWeek * span.weeks;
  const Seconds offset = submit - span.from;
  if (offset >= cycle) return Seconds{0};
  return (offset + kWeek * weeks) % cycle - offset;
}

void shift(auto& at, Seconds by) {  // an optional time
  if (at) *at += by;
}

using NewIds = std::map<std::uint32_t, JobId>;

/// The text of a dependency with the ids of the copy: `afterok:12_3:13+5`.
std::string with_new_ids(const std::string& text, const NewIds& ids,
                         std::vector<JobId>* targets = nullptr) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins = is_digit(text[i]) && i > 0 && text[i - 1] == ':';
    std::size_t end = i;
    while (begins && end < text.size() && is_digit(text[end])) ++end;
    if (!begins || end - i > 9) {
      out += text[i++];
      continue;
    }
    const auto old = static_cast<std::uint32_t>(std::stoul(text.substr(i, end - i)));
    const auto found = ids.find(old);
    if (found != ids.end() && targets != nullptr) targets->push_back(found->second);
    out += found == ids.end() ? text.substr(i, end - i)
                              : fmt::format("{}", static_cast<std::uint32_t>(found->second));
    i = end;
  }
  return out;
}

class Copier {
 public:
  Copier(const TraceJobs& jobs, NamePool& names, DrawnDemand& demand)
      : names_(names), demand_(demand), span_(span_of(jobs)) {
    for (const JobSpec& spec : jobs.specs()) {
      of_user_[std::string(names.text(spec.user))].push_back(&spec);
      next_ = std::max(next_, static_cast<std::uint32_t>(spec.id) + 1);
      if (!spec.extras) continue;
      for (const ArrayTask& task : spec.extras->array) {
        next_ = std::max(next_, static_cast<std::uint32_t>(task.id) + 1);
      }
    }
  }

  void add(const DrawnUserCopy& user, std::vector<JobSpec>& out) {
    const auto found = of_user_.find(user.user);
    if (found == of_user_.end()) return;
    if (user.name == user.user) {
      for (const JobSpec* spec : found->second) out.push_back(*spec);
      return;
    }
    NewIds ids;
    std::map<JobId, Time> submits;
    const std::size_t first = out.size();
    for (const JobSpec* spec : found->second) {
      JobSpec& copy = out.emplace_back(*spec);
      copy.user = names_.intern(user.name);
      move(copy, shift_of(whole_second(spec->submit), span_, user.weeks));
      renumber(*spec, copy, ids);
      submits[copy.id] = copy.submit;
    }
    for (std::size_t i = first; i < out.size(); ++i) relink(out[i], ids, submits);
  }

 private:
  static void move(JobSpec& spec, Seconds by) {
    spec.copied_end = end_of_submission(spec);
    shift(spec.copied_end, by);
    spec.submit += by;
    shift(spec.begin, by);
    shift(spec.cancel_at, by);
    spec.recorded_start.reset();
    spec.recorded_end.reset();
    if (!spec.extras) return;
    shift(spec.extras->deadline, by);
    for (ArrayTask& task : spec.extras->array) {
      shift(task.cancel_at, by);
      task.recorded_start.reset();
      task.recorded_end.reset();
    }
  }

  void renumber(const JobSpec& old, JobSpec& copy, NewIds& ids) {
    copy.id = JobId{next_++};
    ids[static_cast<std::uint32_t>(old.id)] = copy.id;
    if (!copy.extras) return;
    for (ArrayTask& task : copy.extras->array) {
      if (task.id == JobId{}) continue;
      const auto before = static_cast<std::uint32_t>(task.id);
      // A task may have the array's own id.
      task.id = task.id == old.id ? copy.id : JobId{next_++};
      ids.emplace(before, task.id);
    }
  }

  void relink(JobSpec& copy, const NewIds& ids, const std::map<JobId, Time>& submits) {
    if (!copy.extras) return;
    JobExtras& extras = *copy.extras;
    if (const auto leader = ids.find(static_cast<std::uint32_t>(extras.het_leader));
        leader != ids.end()) {
      extras.het_leader = leader->second;
    }
    if (extras.dependency.empty()) return;
    std::vector<JobId> targets;
    extras.dependency = with_new_ids(extras.dependency, ids, &targets);
    const bool is_later = std::any_of(targets.begin(), targets.end(), [&](JobId id) {
      const auto at = submits.find(id);
      return at != submits.end() && at->second > copy.submit;
    });
    if (!is_later) return;
    extras.dependency.clear();
    ++demand_.dependencies_dropped;
  }

  NamePool& names_;
  DrawnDemand& demand_;
  TraceSpan span_;
  std::map<std::string, std::vector<const JobSpec*>, std::less<>> of_user_;
  std::uint32_t next_ = 1;
};

std::uint64_t gpus_of(const Request& request, const NamePool& names) {
  std::uint64_t sum = 0;
  for (const GresRequest& gres : request.gres) {
    if (names.text(gres.name) != "gpu") continue;
    const std::uint64_t each = std::max({gres.per_node, gres.per_socket, gres.per_task});
    sum += gres.per_job > 0 ? gres.per_job : each * std::max<std::uint32_t>(1, request.min_nodes);
  }
  return sum;
}

struct Work {
  double gpu_hours = 0, cpu_hours = 0;
};

Work work_of(const std::vector<JobSpec>& specs, const NamePool& names,
             const RequestTable& requests) {
  Work work;
  for (const JobSpec& spec : specs) {
    const Request& request = requests[spec.request];
    const auto hours_of = [&](const TrueRun& run) {
      const Seconds seconds = run.outcome == RunOutcome::UntilKilled && spec.time_limit
                                  ? Seconds{*spec.time_limit}
                                  : run.runtime;
      return static_cast<double>(seconds.count()) / 3600.0;
    };
    double hours = 0;
    if (spec.extras && !spec.extras->array.empty()) {
      for (const ArrayTask& task : spec.extras->array) hours += hours_of(task.run);
    } else {
      hours = hours_of(spec.run);
    }
    work.gpu_hours += hours * static_cast<double>(gpus_of(request, names));
    work.cpu_hours += hours * static_cast<double>(request.min_cpus);
  }
  return work;
}

}  // namespace

std::vector<DrawnUserCopy> draw_users(const TraceJobs& jobs, const NamePool& names,
                                      const UserChange& change) {
  std::set<std::string> sorted;
  for (const JobSpec& spec : jobs.specs()) sorted.insert(std::string(names.text(spec.user)));
  const std::vector<std::string> users(sorted.begin(), sorted.end());
  if (users.empty()) return {};
  Rng rng(change.seed, "workload/users");
  const auto count = static_cast<double>(users.size());
  const auto any = [&] {
    return static_cast<std::size_t>(rng.between(0, static_cast<std::int64_t>(users.size()) - 1));
  };
  std::vector<std::size_t> drawn;
  if (change.resample) {
    const std::size_t wanted = std::max<std::size_t>(1, rounded(count * change.growth, rng));
    for (std::size_t i = 0; i < wanted; ++i) drawn.push_back(any());
  } else if (change.growth < 1) {
    drawn.resize(users.size());
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    for (std::size_t i = drawn.size() - 1; i > 0; --i) {
      std::swap(drawn[i],
                drawn[static_cast<std::size_t>(rng.between(0, static_cast<std::int64_t>(i)))]);
    }
    drawn.resize(std::max<std::size_t>(1, rounded(count * change.growth, rng)));
    std::sort(drawn.begin(), drawn.end());
  } else {
    drawn.resize(users.size());
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    const std::size_t more = rounded(count * (change.growth - 1), rng);
    for (std::size_t i = 0; i < more; ++i) drawn.push_back(any());
  }
  const TraceSpan span = span_of(jobs);
  std::map<std::string, std::uint64_t> copies;
  std::vector<DrawnUserCopy> list;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    DrawnUserCopy copy;
    copy.user = users[drawn[i]];
    copy.name = copy.user;
    std::uint64_t& number = copies[copy.user];
    while (number > 0 && !sorted.insert(copy.name).second) {
      copy.name = fmt::format("{}+{}", copy.user, number++);
    }
    if (number == 0) ++number;
    const bool is_first = copy.name == copy.user;
    Rng of_weeks(change.seed, "workload/weeks", i);
    if (!is_first && span.weeks >= 2) copy.weeks = of_weeks.between(1, span.weeks - 1);
    list.push_back(std::move(copy));
  }
  return list;
}

void add_copies(const std::vector<DrawnUserCopy>& users, AccountingConf& accounting) {
  const std::vector<AssociationConf> before = accounting.associations;
  for (const DrawnUserCopy& user : users) {
    if (user.name == user.user) continue;
    for (const AssociationConf& association : before) {
      if (association.user != user.user) continue;
      AssociationConf& copy = accounting.associations.emplace_back(association);
      copy.user = user.name;
    }
  }
}

TraceJobs jobs_of_users(const TraceJobs& jobs, const std::vector<DrawnUserCopy>& users,
                        NamePool& names, const RequestTable& requests, DrawnDemand& demand) {
  std::set<NameId> before;
  for (const JobSpec& spec : jobs.specs()) before.insert(spec.user);
  std::vector<JobSpec> specs;
  Copier copier(jobs, names, demand);
  for (const DrawnUserCopy& user : users) copier.add(user, specs);
  const Work old_work = work_of(jobs.specs(), names, requests);
  const Work new_work = work_of(specs, names, requests);
  demand.users_before = before.size();
  demand.users_after = users.size();
  demand.jobs_before = jobs.specs().size();
  demand.jobs_after = specs.size();
  demand.of_gpus = old_work.gpu_hours > 0;
  demand.work_before = demand.of_gpus ? old_work.gpu_hours : old_work.cpu_hours;
  demand.work_after = demand.of_gpus ? new_work.gpu_hours : new_work.cpu_hours;
  return TraceJobs(std::move(specs), jobs.requeued());
}

}  // namespace rehearse
