// workloads/assemble_array.cpp — the tasks of an array, with or without their own rows, as one job.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/config/text.hpp"
#include "workloads/assemble.hpp"

namespace rehearse {
namespace {

/// What the array was submitted with: `--array` of the line, else made from the indexes seen.
std::string text_of(const std::vector<ArrayTask>& tasks) {
  std::string text;
  for (std::size_t i = 0; i < tasks.size();) {
    std::size_t last = i;
    while (last + 1 < tasks.size() && tasks[last + 1].index == tasks[last].index + 1) ++last;
    if (!text.empty()) text += ',';
    text += fmt::format("{}", tasks[i].index);
    if (last > i) text += fmt::format("-{}", tasks[last].index);
    i = last + 1;
  }
  return text;
}

bool has_index(const std::vector<ArrayTask>& tasks, std::uint32_t index) {
  const auto at = std::lower_bound(
      tasks.begin(), tasks.end(), index,
      [](const ArrayTask& task, std::uint32_t wanted) { return task.index < wanted; });
  return at != tasks.end() && at->index == index;
}

/// When a task that started was eligible at the latest, where sacct says Unknown: at its submission
/// if its words keep it from nothing.
SlurmTime eligible_by(const TraceRecord& task) {
  const SbatchArgs* args = task.submit_line == nullptr ? nullptr : &task.submit_line->args;
  const bool is_free =
      args != nullptr && args->begin.empty() && args->dependency.empty() && !args->hold;
  return is_free ? task.submit : *task.start;
}

bool asks_as(const TraceRecord& a, const TraceRecord& b) {
  return a.request == b.request && a.time_limit == b.time_limit && a.account == b.account &&
         a.qos == b.qos;
}

}  // namespace

/// One spec for the whole array. Tasks are in ascending index; the row of the array's rest, if
/// there is one, stands for the tasks that never got a record of their own.
void Assembler::array_job(std::vector<Runs> tasks, const TraceRecord* rest) {
  const TraceRecord* first = rest;
  const TraceRecord* last = rest;
  std::optional<SlurmTime> eligible = rest == nullptr ? std::nullopt : rest->eligible;
  for (const Runs& runs : tasks) {
    const TraceRecord& task = runs.first();
    // At a tie a task tells more than the rest: its limit and request are those that ran.
    if (first == rest ? first == nullptr || task.submit <= first->submit
                      : task.submit < first->submit) {
      first = &task;
    }
    const TraceRecord& end = runs.last();
    const bool later = last == nullptr || !end.end || (last->end && *end.end > *last->end);
    if (later) last = &end;
    // %N and limits make later tasks eligible later: the first one tells the array's begin.
    std::optional<SlurmTime> at = task.eligible;
    if (task.not_yet_eligible && task.started) at = eligible_by(task);
    if (at && (!eligible || *at < *eligible)) eligible = at;
  }
  JobSpec spec = spec_of(*first, eligible, last->started);
  spec.id = JobId{first->job_id};
  if (const auto outside = outside_window(spec, *last)) {
    // Each task by itself: of an array that runs, most tasks may be over.
    const auto why = [&](const TraceRecord& record) {
      return outside_window(spec, record).value_or(*outside);
    };
    if (rest != nullptr) report_.explain(why(*rest), rest->line);
    for (const Runs& runs : tasks) explain_outside(runs, why(runs.last()));
    return;
  }
  if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
  for (const Runs& runs : tasks) {
    const TraceRecord& record = runs.first();
    ArrayTask& task = spec.extras->array.emplace_back();
    const Truth truth = truth_of(runs, record.raw_id);
    task = {*record.task,    JobId{record.raw_id}, truth.run,
            truth.cancel_at, truth.recorded_start, truth.recorded_end};
    set_deadline(truth, runs.last(), spec);
    count_run(runs, record.raw_id);
    ++report_.job_rows;
  }
  check_tasks(tasks, spec);
  if (rest != nullptr) {
    add_rest(*rest, spec);
  } else {
    add_waiting(tasks, spec);
  }
  if (spec.extras->array.empty()) return;  // the rest could not be read: explained
  finish_array(*first, std::move(spec));
}

/// Tasks without a row of their own get ids that no row has: slurmctld gave them some, and no sacct
/// tells which. The last task bears the array's.
void Assembler::give_ids(JobSpec& spec) {
  std::vector<ArrayTask>& tasks = spec.extras->array;
  const bool is_borne = std::any_of(tasks.begin(), tasks.end(),
                                    [&](const ArrayTask& task) { return task.id == spec.id; });
  if (!is_borne && tasks.back().id == JobId{}) tasks.back().id = spec.id;
  for (ArrayTask& task : tasks) {
    if (task.id == JobId{}) task.id = JobId{id_next_++};
  }
}

void Assembler::finish_array(const TraceRecord& first, JobSpec spec) {
  JobExtras& extras = *spec.extras;
  give_ids(spec);
  const SbatchArgs* args = first.submit_line == nullptr ? nullptr : &first.submit_line->args;
  const auto asked =
      args == nullptr || args->array.empty() ? std::nullopt : parse_array_indexes(args->array);
  if (asked) {
    extras.array_text = args->array;
    extras.array_max_running = asked->max_running;
    if (asked->indexes.size() > extras.array.size()) {
      report_.assume(Assumed::TasksWithoutRow, first.line);
    }
  }
  if (extras.array_text.empty()) {
    extras.array_text = text_of(extras.array);
    if (extras.array_max_running > 0) {
      extras.array_text += fmt::format("%{}", extras.array_max_running);
    }
  }
  // What stands for the array as a whole where somebody looks at the spec alone.
  spec.run = extras.array.front().run;
  spec.recorded_start = extras.array.front().recorded_start;
  spec.recorded_end = extras.array.front().recorded_end;
  ++report_.arrays;
  finish(std::move(spec));
}

/// `5-9%2` of `123_[5-9%2]`: tasks that were never split off, so never started.
void Assembler::add_rest(const TraceRecord& rest, JobSpec& spec) {
  JobExtras& extras = *spec.extras;
  const auto set = parse_array_indexes(rest.rest);
  if (!set) {
    const bool cut = rest.rest.find("...") != std::string_view::npos;
    report_.explain(cut ? Explained::CutTaskSet : Explained::Unusable, rest.line);
    const std::string what = fmt::format("{} is not a set of array tasks", shown(rest.rest));
    const std::string hint = "set SLURM_BITSTR_LEN=0 for sacct, so that it does not cut the set";
    if (cut) {
      found_.warn(rest.line, 0, what, hint);
    } else {
      found_.unusable(rest.line, 0, what, hint);
    }
    return;
  }
  extras.array_max_running = set->max_running;
  Runs runs;
  runs.records.push_back(&rest);
  const Truth truth = truth_of(runs, 0);
  const std::size_t had = extras.array.size();
  std::vector<ArrayTask> more;
  for (const std::uint32_t index : set->indexes) {
    if (has_index(extras.array, index)) continue;
    more.push_back({index, JobId{0}, truth.run, truth.cancel_at, std::nullopt, std::nullopt});
  }
  set_deadline(truth, rest, spec);
  // The record of the rest has an id of its own, which its last task will bear.
  if (!more.empty() && rest.raw_id != 0) more.back().id = JobId{rest.raw_id};
  extras.array.insert(extras.array.end(), more.begin(), more.end());
  std::inplace_merge(extras.array.begin(), extras.array.begin() + static_cast<std::ptrdiff_t>(had),
                     extras.array.end(),
                     [](const ArrayTask& a, const ArrayTask& b) { return a.index < b.index; });
  report_.tasks += more.size();
  if (more.empty()) {
    report_.explain(Explained::TasksElsewhere, rest.line);
  } else {
    ++report_.job_rows;
  }
}

/// Tasks may differ: `scontrol update` of one, or the partition of several that started it.
void Assembler::check_tasks(const std::vector<Runs>& tasks, JobSpec& spec) {
  if (tasks.empty()) return;
  const TraceRecord& reference = tasks.front().first();
  std::vector<NameId> partitions;
  for (const Runs& runs : tasks) {
    const TraceRecord& task = runs.first();
    if (!asks_as(reference, task)) report_.assume(Assumed::TasksDiffer, task.line);
    if (std::find(partitions.begin(), partitions.end(), task.partition) == partitions.end()) {
      partitions.push_back(task.partition);
    }
  }
  const bool line_says =
      reference.submit_line != nullptr && !reference.submit_line->args.partition.empty();
  if (partitions.size() < 2 || line_says) return;
  std::string list;
  for (const NameId partition : partitions) {
    if (names_.text(partition).find(',') != std::string::npos) {  // a pending task shows them all
      list = names_.text(partition);
      break;
    }
    if (!list.empty()) list += ',';
    list += names_.text(partition);
  }
  spec.partitions = names_.intern(list);
  report_.assume(Assumed::PartitionsOfTasks, reference.line);
}

}  // namespace rehearse
