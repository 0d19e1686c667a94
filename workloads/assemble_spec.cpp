// workloads/assemble_spec.cpp — what was asked, from the submit line first and the columns else.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/time_words.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/dependencies.hpp"
#include "workloads/assemble.hpp"

namespace rehearse {
namespace {

constexpr Seconds kEligibleSlack{5};        // the controller's own delay, not a begin time
constexpr Seconds kUntilTheNextBuild{120};  // of the queue, when an ended dependency is noticed

bool has_extras(const SbatchArgs& args) {
  return !args.dependency.empty() || args.kill_on_invalid_dep || !args.reservation.empty() ||
         args.priority || !args.deadline.empty() || !args.signal.empty() || !args.wckey.empty();
}

/// What sbatch made of `--begin=now+5minutes`: it reads its clock before the job is submitted, up
/// to a second by the record (formats.md §17 rule 4).
std::optional<SlurmTime> begin_of(const std::string& words, SlurmTime submit, const TimeZone& zone,
                                  std::optional<SlurmTime> eligible) {
  const auto begin = read_time_words(words, submit, zone);
  const bool counts_from_now = words.starts_with("now");
  if (!begin || !counts_from_now || !eligible) return begin;
  const bool is_that = *eligible < *begin && *begin - *eligible <= kEligibleSlack;
  return is_that ? eligible : begin;
}

}  // namespace

JobSpec Assembler::spec_of(const TraceRecord& first, std::optional<SlurmTime> eligible,
                           bool started) {
  JobSpec spec;
  spec.name = first.name;
  spec.user = first.user;
  spec.account = first.account;
  spec.qos = first.qos;
  spec.partitions = first.partition;
  spec.request = first.request;
  spec.submit = first.submit;
  spec.time_limit = first.time_limit;
  spec.source_row = first.line;
  if (first.reservation != kNoName || first.wckey != kNoName) {
    spec.extras = std::make_unique<JobExtras>();
    spec.extras->reservation = names_.text(first.reservation);
    spec.extras->wckey = names_.text(first.wckey);
  }
  if (first.submit_line != nullptr) apply_submit_line(first, spec);
  set_begin(first, eligible, started, spec);
  return spec;
}

/// The line says what the user asked; a column says what Slurm made of it.
void Assembler::apply_submit_line(const TraceRecord& first, JobSpec& spec) {
  const SbatchArgs& args = first.submit_line->args;
  const auto prefer = [&](const std::string& told, NameId& name) {
    if (!told.empty()) name = names_.intern(told);
  };
  prefer(args.account, spec.account);
  prefer(args.partition, spec.partitions);
  prefer(args.qos, spec.qos);
  leave_updated_out(first, spec);
  if (spec.name == kNoName) prefer(args.job_name, spec.name);
  if (spec.user == kNoName) prefer(args.user, spec.user);
  if (args.time_limit) spec.time_limit = args.time_limit;
  spec.time_min = args.time_min;
  spec.requeue = args.requeue;
  spec.no_kill = args.no_kill;
  spec.batch = args.program != "srun" && args.program != "salloc";
  if (args.nice) {
    constexpr std::int64_t kMost = 2147483645;  // Slurm: NICE_OFFSET - 3
    spec.nice = static_cast<std::int32_t>(std::clamp(*args.nice, -kMost, kMost));
  }
  if (!has_extras(args)) return;
  if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
  JobExtras& extras = *spec.extras;
  extras.dependency = args.dependency;
  extras.kill_on_invalid_dep = args.kill_on_invalid_dep;
  if (!args.reservation.empty()) extras.reservation = args.reservation;
  if (!args.wckey.empty()) extras.wckey = args.wckey;
  set_priority(first, args, extras);
  extras.signal = args.signal;
  if (args.deadline.empty()) return;
  extras.deadline = read_time_words(args.deadline, first.submit, zone_);
  if (!extras.deadline) {
    found_.warn(first.line, 0,
                fmt::format("--deadline={} is not a time; it is left out", args.deadline));
  }
}

/// What neither the line names nor a column tells, as it shows what a command gave the job later,
/// is the default (formats.md §17 rule 13).
void Assembler::leave_updated_out(const TraceRecord& first, JobSpec& spec) {
  const SbatchArgs& args = first.submit_line->args;
  const auto is_shown = [&](std::string_view key, const auto& shows) {
    return std::any_of(options_.updated.begin(), options_.updated.end(), [&](const auto& word) {
      const auto id = static_cast<std::uint32_t>(word.job);
      return (id == first.job_id || id == first.raw_id) && word.key == key && shows(word.value);
    });
  };
  const auto leave_out = [&](std::string_view key, const std::string& told, NameId& name) {
    if (!told.empty() || name == kNoName) return;
    const std::string& column = names_.text(name);
    if (!is_shown(key, [&](const std::string& value) { return value == column; })) return;
    name = kNoName;
    report_.assume(Assumed::UpdatedLater, first.line);
  };
  leave_out("partition", args.partition, spec.partitions);
  leave_out("qos", args.qos, spec.qos);
  leave_out("account", args.account, spec.account);
  if (args.time_limit || !spec.time_limit) return;
  if (!is_shown("timelimit", [&](const std::string& value) {
        return parse_time_minutes(value) == spec.time_limit;
      })) {
    return;
  }
  spec.time_limit.reset();
  report_.assume(Assumed::UpdatedLater, first.line);
}

/// Slurm takes it of operators alone, and 0 of nobody (priority.md §4.2).
void Assembler::set_priority(const TraceRecord& first, const SbatchArgs& args, JobExtras& extras) {
  if (args.priority.value_or(0) == 0) return;
  const std::string& user = names_.text(first.user);
  if (!args.user.empty() || user == "root" || options_.operators.contains(user)) {
    extras.direct_priority = args.priority;
  } else {
    report_.assume(Assumed::PriorityOfNoOperator, first.line);
  }
}

/// The rows of the jobs that others depend on.
void Assembler::note_targets(const TraceRecords& records) {
  std::vector<std::uint32_t> wanted;
  for (std::size_t at = 0; at < records.size(); ++at) {
    const SubmitLine* line = records[at].submit_line;
    if (line == nullptr || line->args.dependency.empty()) continue;
    const auto list = parse_dependencies(line->args.dependency);
    if (!list) continue;
    for (const DependencyItem& item : list->items) {
      wanted.push_back(static_cast<std::uint32_t>(item.target));
    }
  }
  if (wanted.empty()) return;
  std::sort(wanted.begin(), wanted.end());
  const auto note = [&](std::uint32_t id, const TraceRecord& record) {
    if (!std::binary_search(wanted.begin(), wanted.end(), id)) return;
    targets_.push_back({id, record.start, record.end});
  };
  for (std::size_t at = 0; at < records.size(); ++at) {
    const TraceRecord& record = records[at];
    note(record.job_id, record);
    if (record.raw_id != 0 && record.raw_id != record.job_id) note(record.raw_id, record);
  }
  std::stable_sort(targets_.begin(), targets_.end(),
                   [](const Target& a, const Target& b) { return a.id < b.id; });
}

/// A target is no job of the trace, so that no replay can tell when it ends, and those that are
/// cannot have kept the job until it was eligible.
bool Assembler::waits_for_jobs_not_there(const std::string& dependency, SlurmTime eligible) const {
  const auto list = parse_dependencies(dependency);
  if (!list) return false;
  bool is_one_not_there = false;
  std::optional<SlurmTime> last;  // of what the others' rows tell
  for (const DependencyItem& item : list->items) {
    if (item.kind == DependencyKind::Singleton) return false;
    const auto id = static_cast<std::uint32_t>(item.target);
    auto at = std::lower_bound(
        targets_.begin(), targets_.end(), id,
        [](const Target& target, std::uint32_t wanted) { return target.id < wanted; });
    is_one_not_there |= at == targets_.end() || at->id != id;
    for (; at != targets_.end() && at->id == id; ++at) {
      const bool goes_by_start = item.kind == DependencyKind::After;
      std::optional<SlurmTime> until = goes_by_start ? at->start : at->end;
      if (until && goes_by_start) *until += item.delay;
      if (until && (!last || *until > *last)) last = until;
    }
  }
  return is_one_not_there && (list->any || !last || eligible - *last > kUntilTheNextBuild);
}

/// formats.md §17 rule 4: Eligible after Submit is a begin time, a dependency or a hold.
void Assembler::set_begin(const TraceRecord& first, std::optional<SlurmTime> eligible, bool started,
                          JobSpec& spec) {
  const SbatchArgs* args = first.submit_line == nullptr ? nullptr : &first.submit_line->args;
  // Where commands release, put off or requeue the job, they do so in the replay too.
  const bool is_acted_on =
      std::binary_search(options_.acted_on.begin(), options_.acted_on.end(), JobId{first.job_id}) ||
      std::binary_search(options_.acted_on.begin(), options_.acted_on.end(), JobId{first.raw_id});
  if (args != nullptr && is_acted_on) {
    spec.held = args->hold;
    if (!args->begin.empty()) spec.begin = begin_of(args->begin, first.submit, zone_, eligible);
    return;
  }
  if (args != nullptr && args->hold) {
    // A held job that started was released by hand; Eligible says when.
    spec.held = !started;
    if (started) {
      spec.begin = eligible;
      report_.assume(Assumed::HoldReleased, first.line);
      return;
    }
  }
  if (args != nullptr && !args->begin.empty()) {
    spec.begin = begin_of(args->begin, first.submit, zone_, eligible);
    if (spec.begin) return;
    found_.warn(first.line, 0,
                fmt::format("--begin={} is not a time; Eligible is used", args->begin));
  }
  if (args != nullptr && options_.reservations.contains(args->reservation)) return;
  const bool depends = args != nullptr && !args->dependency.empty();
  if (!eligible || *eligible - first.submit <= kEligibleSlack) return;
  if (first.start && *eligible > *first.start) return;  // of its requeue
  if (depends && !waits_for_jobs_not_there(args->dependency, *eligible)) return;
  spec.begin = eligible;
  report_.assume(depends ? Assumed::BeginForJobsNotThere : Assumed::BeginFromEligible, first.line);
}

}  // namespace rehearse
