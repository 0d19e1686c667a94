// sim/study/snapshot_queue.cpp — squeue's rows by job and task, and held against those of sacct.
#include "sim/study/snapshot_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/config/parsable_table.hpp"
#include "sim/config/sbatch_args.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

/// States of jobs that wait or run (outputs.md §1); COMPLETING and what follows it has ended.
constexpr std::array<std::string_view, 12> kPresent = {
    "PENDING",  "RUNNING",      "SUSPENDED",   "STOPPED",      "CONFIGURING",   "RESIZING",
    "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD", "SIGNALING"};

std::optional<std::uint32_t> number_at(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

/// `afterok:12(unfulfilled),afterany:13(failed)` without what became of each.
std::string as_asked(std::string_view dependency) {
  std::string asked;
  while (!dependency.empty()) {
    const std::size_t open = dependency.find('(');
    asked += dependency.substr(0, open);
    const std::size_t close = open == dependency.npos ? open : dependency.find(')', open);
    dependency = close == dependency.npos ? std::string_view{} : dependency.substr(close + 1);
  }
  return asked;
}

/// Adds a row by its names: `12_[0-3,7%2]` is five tasks, `12_3` one, `7+1` job `raw`.
void add_row(SnapshotQueue& queue, QueuedJob job, std::string_view name,
             std::optional<std::uint32_t> raw) {
  const auto id = number_at(name);
  if (!id) return;
  const JobId own{raw.value_or(*id)};
  const std::size_t line = name.find('_');
  if (line == name.npos) {
    queue.add(std::move(job), {{own, std::nullopt}}, own);
    return;
  }
  std::string_view list = name.substr(line + 1);
  if (list.starts_with('[')) list = list.substr(1, list.find(']') - 1);
  if (const std::size_t cut = list.find("..."); cut != list.npos) {
    queue.is_cut(JobId{*id});
    list = list.substr(0, cut > 0 ? cut - 1 : 0);
  }
  const auto tasks = parse_array_indexes(list);
  if (!tasks) return;
  std::vector<QueuedTask> all;
  for (const std::uint32_t index : tasks->indexes) all.emplace_back(JobId{*id}, index);
  queue.add(std::move(job), all, own);
}

}  // namespace

void SnapshotQueue::add(QueuedJob job, const std::vector<QueuedTask>& tasks, JobId raw) {
  for (const QueuedTask& task : tasks) record_of_[task] = records_.size();
  if (tasks.size() == 1) by_raw_[raw] = tasks.front();
  records_.push_back(std::move(job));
}

const QueuedJob* SnapshotQueue::find(const QueuedTask& task) const {
  const auto at = record_of_.find(task);
  return at == record_of_.end() ? nullptr : &records_[at->second];
}

std::vector<const QueuedJob*> SnapshotQueue::waiting(JobId id) const {
  std::vector<const QueuedJob*> jobs;
  for (auto at = record_of_.lower_bound({id, std::nullopt});
       at != record_of_.end() && at->first.first == id; ++at) {
    const QueuedJob* job = &records_[at->second];
    if (job->waits && (jobs.empty() || jobs.back() != job)) jobs.push_back(job);
  }
  return jobs;
}

SnapshotQueue::Alone SnapshotQueue::compare(
    const std::vector<std::pair<QueuedTask, JobId>>& present) const {
  Alone alone;
  std::set<QueuedTask> seen;
  for (const auto& [task, raw] : present) {
    const auto own = by_raw_.find(raw);
    if (record_of_.contains(task)) {
      seen.insert(task);
    } else if (own != by_raw_.end()) {
      seen.insert(own->second);  // a task whose array has no row is a job by itself there
    } else if (!cut_.contains(task.first)) {
      alone.there.push_back(printed(task));
    }
  }
  for (const auto& [task, record] : record_of_) {
    if (!records_[record].is_over && !seen.contains(task)) alone.here.push_back(printed(task));
  }
  return alone;
}

SnapshotQueue read_queue(const fs::path& site, const TimeZone& zone, Diagnostics& found) {
  SnapshotQueue queue;
  const fs::path path = site / "snapshot" / "squeue.txt";
  if (!fs::is_regular_file(path)) return queue;
  const auto text = text::read_file(path, found);
  if (!text) return queue;
  const auto table = read_parsable_table(*text, path.string(), "rehearse collect", found);
  if (!table) return queue;
  const auto raw = table->find({"JobIDRaw"});
  const auto id = table->find({"JobID"});
  const auto reason = table->find({"Reason"});
  const auto dependency = table->find({"Dependency"});
  const auto start = table->find({"Start"});
  const auto state = table->find({"State"});
  if (!id || !state) {
    found.error({path.string(), table->header_line, 1}, "has no columns JobID and State",
                "rehearse collect writes them");
    return queue;
  }
  for (const TableRow& row : table->rows) {
    QueuedJob job;
    const std::string_view is = row.cells[*state].text;
    job.waits = is == "PENDING";
    job.is_over = std::find(kPresent.begin(), kPresent.end(), is) == kPresent.end();
    if (reason) job.reason = row.cells[*reason].text;
    if (dependency && row.cells[*dependency].text != "(null)") {
      job.dependency = as_asked(row.cells[*dependency].text);
    }
    if (start) job.start = zone.read(row.cells[*start].text);
    add_row(queue, std::move(job), row.cells[*id].text,
            raw ? number_at(row.cells[*raw].text) : std::nullopt);
  }
  return queue;
}

std::string printed(const QueuedTask& task) {
  const auto id = static_cast<std::uint32_t>(task.first);
  return task.second ? fmt::format("{}_{}", id, *task.second) : fmt::format("{}", id);
}

}  // namespace rehearse
