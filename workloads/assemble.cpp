// workloads/assemble.cpp — which records are one job: ids, runs of a requeued job, tasks, windows.
#include "workloads/assemble.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rehearse {
namespace {

/// Records of one job id in order: the plain job, components, tasks, the rest of the array.
std::uint64_t order_key(const TraceRecord& record) {
  constexpr std::uint64_t kHet = 1ULL << 32U;
  constexpr std::uint64_t kTask = 2ULL << 32U;
  constexpr std::uint64_t kRest = 3ULL << 32U;
  if (record.rest.data() != nullptr) return kRest;
  if (record.task) return kTask + *record.task;
  if (record.het_offset) return kHet + *record.het_offset;
  return 0;
}

bool ended_for_good(RowState state) {
  return state != RowState::CutShort && state != RowState::NodeFail &&
         state != RowState::Resizing && state != RowState::Running && state != RowState::Pending;
}

/// How much a record knows of how its job went on: of two exports that overlap, the later one's
/// more.
int how_final(const TraceRecord& record) {
  if (record.state == RowState::Pending) return 0;
  return record.state == RowState::Running ? 1 : 2;
}

bool is_waiting(const TraceRecord& record) {
  return record.state == RowState::Pending && !record.started;
}

/// Two records with one id that cannot be runs of one job: the ids began again.
bool is_other_job(const TraceRecord& earlier, const TraceRecord& later) {
  if (earlier.user != later.user) return true;
  return earlier.name != later.name && ended_for_good(earlier.state);
}

}  // namespace

Assembler::Assembler(const SacctOptions& options, NamePool& names, ImportReport& report,
                     RowFindings& found)
    : options_(options),
      zone_(TimeZone::find(options.time_zone).value_or(TimeZone::utc())),
      names_(names),
      report_(report),
      found_(found),
      runtimes_(options.runtimes) {
  std::stable_sort(runtimes_.begin(), runtimes_.end(),
                   [](const auto& a, const auto& b) { return a.job_id_raw < b.job_id_raw; });
}

const RuntimeRow* Assembler::runtime_of(std::uint32_t id) const {
  const auto at = std::lower_bound(
      runtimes_.begin(), runtimes_.end(), id,
      [](const RuntimeRow& row, std::uint32_t wanted) { return row.job_id_raw < wanted; });
  return id != 0 && at != runtimes_.end() && at->job_id_raw == id ? &*at : nullptr;
}

TraceJobs Assembler::assemble(TraceRecords records) {
  std::vector<const TraceRecord*> order;
  order.reserve(records.size());
  for (std::size_t at = 0; at < records.size(); ++at) {
    const TraceRecord& record = records[at];
    order.push_back(&record);
    id_next_ = std::max({id_next_, record.job_id + 1, record.raw_id + 1});
  }
  note_targets(records);
  // In the order of the file where ids are equal: stable, and most files are nearly sorted.
  const auto before = [](const TraceRecord* a, const TraceRecord* b) {
    if (a->job_id != b->job_id) return a->job_id < b->job_id;
    return order_key(*a) < order_key(*b);
  };
  const bool as_in_file = std::is_sorted(order.begin(), order.end(), before);
  if (!as_in_file) std::stable_sort(order.begin(), order.end(), before);
  specs_.reserve(order.size());
  const TraceRecord* const* const end = order.data() + order.size();
  for (const TraceRecord* const* at = order.data(); at != end;) {
    const TraceRecord* const* next = at + 1;
    while (next != end && (*next)->job_id == (*at)->job_id) ++next;
    job_of_id(at, next);
    at = next;
    if (as_in_file) records.let_go(static_cast<std::size_t>(at - order.data()));
  }
  return TraceJobs(std::move(specs_), std::move(requeued_));
}

/// All records of one job id: a plain job, the components of a heterogeneous one, or an array.
void Assembler::job_of_id(const TraceRecord* const* begin, const TraceRecord* const* end) {
  if (end - begin == 1 && order_key(**begin) == 0) {  // nearly all: one run of a plain job
    const TraceRecord& record = **begin;
    plain_job(Runs{{&record}}, record.raw_id != 0 ? record.raw_id : record.job_id);
    return;
  }
  std::vector<Runs> tasks;
  const TraceRecord* rest = nullptr;
  for (const TraceRecord* const* at = begin; at != end;) {
    const TraceRecord& record = **at;
    const TraceRecord* const* next = at + 1;
    while (next != end && order_key(**next) == order_key(record)) ++next;
    if (record.rest.data() != nullptr) {
      rest = *std::max_element(at, next, [](const TraceRecord* a, const TraceRecord* b) {
        return std::pair(how_final(*a), a->line) < std::pair(how_final(*b), b->line);
      });
      for (const TraceRecord* const* other = at; other != next; ++other) {
        if (*other != rest) report_.explain(Explained::SameRowAgain, (*other)->line);
      }
    } else if (record.task) {
      for (Runs& runs : split_runs(at, next)) {
        const bool again = !tasks.empty() && tasks.back().first().task == record.task;
        if (again) {
          plain_job(runs, id_next_++);
          report_.assume(Assumed::IdReused, runs.first().line);
        } else {
          tasks.push_back(std::move(runs));
        }
      }
    } else {
      bool again = false;
      for (const Runs& runs : split_runs(at, next)) {
        std::uint32_t id =
            record.raw_id != 0 ? record.raw_id : record.job_id + record.het_offset.value_or(0);
        if (again) {
          id = id_next_++;
          report_.assume(Assumed::IdReused, runs.first().line);
        }
        plain_job(runs, id);
        again = true;
      }
    }
    at = next;
  }
  if (!tasks.empty() || rest != nullptr) array_job(std::move(tasks), rest);
}

/// The records of one id, in order of submission, cut where another job took the id over.
std::vector<Assembler::Runs> Assembler::split_runs(const TraceRecord* const* begin,
                                                   const TraceRecord* const* end) {
  std::vector<const TraceRecord*> records(begin, end);
  const auto key = [](const TraceRecord& record) {
    constexpr SlurmTime kNever = SlurmTime::max();
    return std::make_tuple(record.submit, record.started ? *record.start : kNever,
                           how_final(record), record.line);
  };
  if (records.size() > 1) {
    std::sort(records.begin(), records.end(),
              [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
  }
  std::vector<Runs> jobs;
  std::vector<const TraceRecord*> job;
  for (const TraceRecord* record : records) {
    if (!job.empty() && is_other_job(*job.back(), *record)) {
      jobs.push_back(clean_runs(std::move(job)));
      job.clear();
    }
    job.push_back(record);
  }
  jobs.push_back(clean_runs(std::move(job)));
  return jobs;
}

/// Drops a record that overlapping exports gave twice, in whatever order they were joined: one that
/// has ended knows more than one that runs, that more than one that waits, else the later line.
Assembler::Runs Assembler::clean_runs(std::vector<const TraceRecord*> records) {
  Runs runs;
  for (const TraceRecord* record : records) {
    if (!runs.records.empty() && runs.last().submit == record->submit) {
      const TraceRecord& before = runs.last();
      if (is_waiting(*record) && !is_waiting(before)) {
        report_.explain(Explained::SameRowAgain, record->line);
        continue;
      }
      const bool same_start =
          before.started == record->started && (!before.started || *before.start == *record->start);
      if (same_start || is_waiting(before)) {
        report_.explain(Explained::SameRowAgain, before.line);
        runs.records.pop_back();
      }
    }
    runs.records.push_back(record);
  }
  return runs;
}

void Assembler::count_run(const Runs& runs, std::uint32_t id) {
  ++report_.tasks;
  for (const TraceRecord* record : runs.records) {
    if (!record->started) continue;
    report_.add_run(record->gpus * 1000, record->elapsed);
    if (record->end && (!report_.end_last || *record->end > *report_.end_last)) {
      report_.end_last = record->end;
    }
  }
  for (std::size_t i = 0; i + 1 < runs.records.size(); ++i) {
    const bool resized = runs.records[i]->state == RowState::Resizing;
    report_.explain(resized ? Explained::Resized : Explained::EarlierRun, runs.records[i]->line);
  }
  if (runs.records.size() == 1) return;
  ++report_.requeued;
  requeued_.push_back({JobId{id}, static_cast<std::uint32_t>(runs.records.size())});
}

std::optional<Explained> Assembler::outside_window(const JobSpec& spec,
                                                   const TraceRecord& last) const {
  const SlurmTime submit = whole_second(spec.submit);
  if (options_.to && submit >= *options_.to) return Explained::AfterWindow;
  if (!options_.from || submit >= *options_.from) return std::nullopt;
  if (last.end && *last.end <= *options_.from) return Explained::BeforeWindow;
  const bool running = last.started && *last.start < *options_.from;
  return running ? Explained::RunningAtWindowStart : Explained::WaitingAtWindowStart;
}

/// Of a job that runs or waits as the window begins one row alone says so: rows are counted as
/// jobs.
void Assembler::explain_outside(const Runs& runs, Explained reason) {
  const bool is_there =
      reason == Explained::RunningAtWindowStart || reason == Explained::WaitingAtWindowStart;
  for (const TraceRecord* record : runs.records) {
    const bool is_last = record == &runs.last();
    report_.explain(is_last || !is_there ? reason : Explained::EarlierRun, record->line);
  }
}

void Assembler::plain_job(const Runs& runs, std::uint32_t id) {
  const TraceRecord& first = runs.first();
  JobSpec spec = spec_of(first, first.eligible, runs.last().started);
  spec.id = JobId{id};
  if (const auto outside = outside_window(spec, runs.last())) {
    explain_outside(runs, *outside);
    return;
  }
  const Truth truth = truth_of(runs, id);
  spec.run = truth.run;
  spec.cancel_at = truth.cancel_at;
  spec.recorded_start = truth.recorded_start;
  spec.recorded_end = truth.recorded_end;
  set_deadline(truth, runs.last(), spec);
  if (first.het_offset) {
    if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
    spec.extras->het_leader = JobId{first.job_id};
    spec.extras->het_offset = *first.het_offset;
  }
  count_run(runs, id);
  if (first.without_row) {
    report_.assume(Assumed::ComponentWithoutRow, first.line);
  } else {
    ++report_.job_rows;
  }
  finish(std::move(spec));
}

void Assembler::finish(JobSpec spec) {
  ++report_.jobs;
  if (!report_.submit_first || spec.submit < *report_.submit_first) {
    report_.submit_first = spec.submit;
  }
  if (!report_.submit_last || spec.submit > *report_.submit_last) report_.submit_last = spec.submit;
  specs_.push_back(std::move(spec));
}

}  // namespace rehearse
