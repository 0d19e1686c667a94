// sim/controller/dependencies.cpp — reading dependency texts and testing their items.
#include "sim/controller/dependencies.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "sim/cluster/refusals.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::array<std::pair<std::string_view, DependencyKind>, 7> kKinds{{
    {"afterany", DependencyKind::AfterAny},
    {"afterok", DependencyKind::AfterOk},
    {"afternotok", DependencyKind::AfterNotOk},
    {"aftercorr", DependencyKind::AfterCorr},
    {"afterburstbuffer", DependencyKind::AfterBurstBuffer},
    {"after", DependencyKind::After},
    {"expand", DependencyKind::Expand},
}};

std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// `:id[_task][+minutes]` once; the delay is kept for the following ids (22.05).
bool take_target(std::string_view& text, DependencyItem& item) {
  text.remove_prefix(1);
  const auto id = take_number(text);
  if (!id) return false;
  item.target = JobId{*id};
  item.task.reset();
  if (text.starts_with('_')) {
    text.remove_prefix(1);
    if (text.starts_with('*')) {
      text.remove_prefix(1);
    } else {
      item.task = take_number(text);
      if (!item.task) return false;
    }
  }
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    const auto minutes = take_number(text);
    if (!minutes) return false;
    if (item.kind == DependencyKind::After) item.delay = Minutes{*minutes};  // no other waits
  }
  return true;
}

/// True if the record is that task of its array, or the task still waits in it.
bool stands_for(const Job& record, std::int64_t task) {
  if (record.array_task) return *record.array_task == task;
  return std::any_of(
      record.pending_tasks.begin(), record.pending_tasks.end(),
      [&](std::uint32_t at) { return record.spec->extras->array[at].index == task; });
}

/// Under which ids a record is found: its own, its array's, its leader's.
template <typename Use>
void for_each_id(const Job& job, Use use) {
  use(job.id);
  if (job.array_job != JobId{} && job.array_job != job.id) use(job.array_job);
  const JobId leader = job.spec->extras ? job.spec->extras->het_leader : JobId{};
  if (leader != JobId{} && leader != job.id) use(leader);
}

}  // namespace

std::optional<DependencyList> parse_dependencies(std::string_view text) {
  DependencyList list;
  while (!text.empty()) {
    const std::string lower = to_lower(text.substr(0, text.find_first_of(":,?")));
    if (lower == "singleton") {
      DependencyItem& item = list.items.emplace_back();
      item.kind = DependencyKind::Singleton;
      text.remove_prefix(lower.size());
    } else {
      const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                     [&](const auto& entry) { return entry.first == lower; });
      if (kind == kKinds.end()) return std::nullopt;
      text.remove_prefix(lower.size());
      if (!text.starts_with(':')) return std::nullopt;
      DependencyItem item;
      item.kind = kind->second;
      while (text.starts_with(':')) {
        if (!take_target(text, item)) return std::nullopt;
        list.items.push_back(item);
      }
    }
    if (text.empty()) break;
    if (text.front() != ',' && text.front() != '?') return std::nullopt;
    list.any = text.front() == '?';  // the last separator decides for all
    text.remove_prefix(1);
  }
  if (list.items.empty()) return std::nullopt;
  return list;
}

void Dependencies::know(const Job& job) {
  for_each_id(job, [&](JobId id) {
    by_id_[id].insert(job.index);
    first_id_ = std::min(first_id_.value_or(id), id);
  });
  by_user_and_name_[{job.spec->user, job.spec->name}].insert(job.index);
}

void Dependencies::forget(const Job& job) {
  const auto drop = [&](auto& index, const auto& key) {
    const auto found = index.find(key);
    if (found == index.end()) return;
    found->second.erase(job.index);
    if (found->second.empty()) index.erase(found);
  };
  for_each_id(job, [&](JobId id) { drop(by_id_, id); });
  if (job.array_job != JobId{}) {
    if (job.state != JobState::Completed) arrays_that_failed_.insert(job.array_job);
    if (!by_id_.contains(job.array_job)) arrays_that_failed_.erase(job.array_job);
  }
  drop(by_user_and_name_, std::pair{job.spec->user, job.spec->name});
  lists_.erase(job.index);
}

std::vector<JobIndex> Dependencies::records_of(JobId id) const {
  const auto known = by_id_.find(id);
  if (known == by_id_.end()) return {};
  return {known->second.begin(), known->second.end()};
}

bool Dependencies::is_old(const Job& job, SlurmTime now) const {
  return job.is_finished() && job.end && purges_.took(*job.end, now);
}

bool Dependencies::is_purged(const Job& job, SlurmTime now) const {
  if (!is_old(job, now)) return false;
  if (job.array_job == JobId{} || job.id != job.array_job) return true;
  const auto known = by_id_.find(job.id);
  return known == by_id_.end() || std::ranges::all_of(known->second, [&](JobIndex index) {
           return index == job.index || is_old(cluster_.jobs[index], now);
         });
}

bool Dependencies::leads_to(const DependencyList& list, const Job& job, int depth) const {
  if (depth == 0) return false;
  return std::any_of(list.items.begin(), list.items.end(), [&](const DependencyItem& item) {
    if (item.kind == DependencyKind::Singleton || item.state != DependencyItem::State::Open) {
      return false;
    }
    if (item.target == job.id || (job.array_job != JobId{} && item.target == job.array_job)) {
      return true;
    }
    const std::vector<JobIndex> records = records_of(item.target);
    return std::any_of(records.begin(), records.end(), [&](JobIndex index) {
      const auto next = lists_.find(index);
      return next != lists_.end() && cluster_.jobs[index].is_pending() &&
             leads_to(next->second, job, depth - 1);
    });
  });
}

bool Dependencies::is_circular(const Job& job, const DependencyList& list) const {
  return leads_to(list, job, static_cast<int>(cluster_.conf.max_depend_depth));
}

void Dependencies::renamed(const Job& job, NameId before) {
  by_user_and_name_[{job.spec->user, before}].erase(job.index);
  by_user_and_name_[{job.spec->user, job.spec->name}].insert(job.index);
}

bool Dependencies::names_an_unknown_job(const DependencyList& list, SlurmTime now) const {
  return std::any_of(list.items.begin(), list.items.end(), [&](const DependencyItem& item) {
    const bool asks_outcome =
        item.kind == DependencyKind::AfterOk || item.kind == DependencyKind::AfterNotOk;
    if (!asks_outcome || !first_id_ || item.target < *first_id_) return false;
    const std::vector<JobIndex> records = records_of(item.target);
    return std::all_of(records.begin(), records.end(),
                       [&](JobIndex index) { return is_purged(cluster_.jobs[index], now); });
  });
}

Expansion Dependencies::admission(const Job& job, const std::optional<DependencyList>& own,
                                  SlurmTime now) const {
  const bool refuses_unknown =
      has(cluster_.inputs.site.slurm_version, Change::UnknownDependencyIsRefused);
  if (!own || is_circular(job, *own) || (refuses_unknown && names_an_unknown_job(*own, now))) {
    return {kBadDependency, {}};
  }
  return expansion(*own, now);
}

Expansion Dependencies::expansion(const DependencyList& list, SlurmTime now) const {
  std::vector<JobId> targets;
  for (const DependencyItem& item : list.items) {
    if (item.kind == DependencyKind::Expand) targets.push_back(item.target);
  }
  if (targets.empty()) return {};
  if (!cluster_.conf.scheduler_parameters.permit_job_expansion) return {kNotSupported, {}};
  if (targets.size() > 1) return {kBadDependency, {}};
  const JobId target = targets.front();
  if (!first_id_ || target < *first_id_) return {};  // it ran before the first job of the run
  for (const JobIndex index : records_of(target)) {
    const Job& job = cluster_.jobs[index];
    if (!is_purged(job, now) && job.is_running()) return {{}, job.end};
  }
  return {kBadDependency, {}};
}

void Dependencies::inherit(const Job& from, const Job& to) {
  if (const auto list = lists_.find(from.index); list != lists_.end()) {
    lists_[to.index] = list->second;
  }
}

bool Dependencies::singleton_waits(const Job& job) const {
  const auto same = by_user_and_name_.find({job.spec->user, job.spec->name});
  if (same == by_user_and_name_.end()) return false;
  return std::any_of(same->second.begin(), same->second.end(), [&](JobIndex index) {
    const Job& other = cluster_.jobs[index];
    if (other.index == job.index || (other.is_finished() && !other.requeues)) return false;
    // One that is on its way back to the queue pends already (lifecycle.md §8).
    if (other.is_pending() || other.requeues) return other.id < job.id;
    return true;  // running or suspended, whatever its id
  });
}

/// Of all records that stand for the task (-1: of all); what is purged after MinJobAge is as if it
/// had never been (22.05), but that an array remembers that one failed.
Dependencies::TargetState Dependencies::state_of(std::span<const JobIndex> records,
                                                 std::int64_t task, Duration delay,
                                                 SlurmTime now) const {
  TargetState found;
  bool purged_failed = false;
  for (const JobIndex index : records) {
    const Job& target = cluster_.jobs[index];
    if (task >= 0 && !stands_for(target, task)) continue;
    const bool has_failed = target.is_finished() && target.state != JobState::Completed;
    if (is_purged(target, now)) {
      purged_failed |= has_failed && task < 0 && target.array_job != JobId{};
      continue;
    }
    found.any = true;
    purged_failed |= task < 0 && arrays_that_failed_.contains(target.array_job);
    found.pending |= target.is_pending();
    const bool is_special = target.is_pending() && target.special_exit;
    const bool is_open = !target.is_finished() || target.completing;
    found.open |= is_open;
    found.open_but_special |= is_open && !is_special;
    found.failed |= is_special || has_failed;
    // +MINUTES of a whole array: of its record alone, the last task (lifecycle.md §8).
    if (task >= 0 || target.array_job == JobId{} || target.id == target.array_job) {
      found.too_soon |= target.start && now - *target.start < delay;
    }
  }
  found.failed |= purged_failed;
  return found;
}

void Dependencies::test_item(const Job& job, DependencyItem& item, SlurmTime now) const {
  using State = DependencyItem::State;
  if (item.kind == DependencyKind::Singleton) {
    if (!singleton_waits(job)) item.state = State::Fulfilled;
    return;
  }
  if (item.kind == DependencyKind::Expand) {  // its target ran at the submission
    item.state = State::Fulfilled;
    return;
  }
  std::int64_t task = item.task ? std::int64_t{*item.task} : -1;
  const bool is_partner = item.kind == DependencyKind::AfterCorr && task < 0 && job.array_task;
  if (is_partner) task = *job.array_task;
  const std::vector<JobIndex> records = records_of(item.target);
  const bool is_known = std::any_of(records.begin(), records.end(), [&](JobIndex index) {
    const Job& each = cluster_.jobs[index];
    return !is_purged(each, now) && stands_for(each, task);
  });
  if (is_partner && !is_known) task = -1;  // the whole target; of `id_task` none is meant
  const TargetState target = state_of(records, task, item.delay, now);
  if (!target.any) {
    item.state = State::Fulfilled;
    return;
  }
  switch (item.kind) {
    case DependencyKind::After:
      if (!target.pending && !target.too_soon) item.state = State::Fulfilled;
      break;
    case DependencyKind::AfterAny:
    case DependencyKind::AfterBurstBuffer:
      if (!target.open) item.state = State::Fulfilled;
      break;
    case DependencyKind::AfterCorr:
      // What is not split yet waits on beside tasks that failed (lifecycle.md §9).
      if (task < 0 && job.is_array_meta() && target.failed) break;
      [[fallthrough]];
    case DependencyKind::AfterOk:
      if (!target.open) item.state = target.failed ? State::Failed : State::Fulfilled;
      break;
    case DependencyKind::AfterNotOk:
      if (!target.open_but_special) item.state = target.failed ? State::Fulfilled : State::Failed;
      break;
    case DependencyKind::Singleton:
    case DependencyKind::Expand:
      break;
  }
}

bool Dependencies::turns_by_time(const Job& job) const {
  const auto waiting = lists_.find(job.index);
  if (waiting == lists_.end()) return false;
  return std::ranges::any_of(waiting->second.items, [&](const DependencyItem& item) {
    if (item.state != DependencyItem::State::Open) return false;
    if (item.kind == DependencyKind::Singleton) return false;
    if (item.delay > Minutes{0}) return true;
    return std::ranges::any_of(records_of(item.target),
                               [&](JobIndex index) { return cluster_.jobs[index].is_finished(); });
  });
}

bool Dependencies::end_where_never(const Job& job) const {
  return job.spec->extras &&
         job.spec->extras->kill_on_invalid_dep.value_or(cluster_.conf.kill_invalid_depend);
}

Dependencies::Answer Dependencies::test(const Job& job, SlurmTime now) {
  const auto waiting = lists_.find(job.index);
  if (waiting == lists_.end()) return Answer::Fulfilled;
  using State = DependencyItem::State;
  DependencyList& list = waiting->second;
  std::size_t fulfilled = 0, failed = 0;
  for (DependencyItem& item : list.items) {
    if (item.state == State::Open) test_item(job, item, now);
    fulfilled += item.state == State::Fulfilled ? 1U : 0U;
    failed += item.state == State::Failed ? 1U : 0U;
  }
  if (list.any ? fulfilled > 0 : fulfilled == list.items.size()) return Answer::Fulfilled;
  if (list.any ? failed == list.items.size() : failed > 0) return Answer::Never;
  return Answer::Waiting;
}

}  // namespace rehearse
