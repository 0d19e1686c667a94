// workloads/assemble_waiting.cpp — tasks of an array that waited to the end and have no row.
//
// sacct tells of a window of time, and who was never eligible is in none (formats.md §17 rule 4a).
// The submit line names such tasks all the same.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "workloads/assemble.hpp"

namespace rehearse {
namespace {

using Records = std::vector<const TraceRecord*>;

/// What is known of tasks without a row: that they waited, and until when at the latest.
struct Waited {
  std::optional<SlurmTime> until;  ///< none: nothing tells
};

std::optional<SlurmTime> earlier(std::optional<SlurmTime> a, std::optional<SlurmTime> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// The array had come to its %N as the last of these runs started: whoever was behind waited, till
/// the first of those that ran then had ended.
std::optional<Waited> behind_full_array(const Records& runs, std::uint32_t max_running) {
  std::optional<SlurmTime> last_start;
  for (const TraceRecord* run : runs) {
    if (run->started && run->start && (!last_start || *run->start > *last_start)) {
      last_start = run->start;
    }
  }
  if (!last_start) return std::nullopt;
  std::uint32_t running = 0;
  Waited found;
  for (const TraceRecord* run : runs) {
    if (!run->started || !run->start || (run->end && *run->end <= *last_start)) continue;
    ++running;
    found.until = earlier(found.until, run->end);
  }
  return running == max_running ? std::optional(found) : std::nullopt;
}

/// Split off for aftercorr, or left to the rest of it: a partner failed, or had not ended.
Waited for_partners(const Records& runs) {
  Waited found;
  for (const TraceRecord* run : runs) {
    if (!run->end) return {};
    if (!found.until || *run->end > *found.until) found.until = run->end;
  }
  return found;
}

std::vector<std::uint32_t> without_row(const std::vector<std::uint32_t>& asked,
                                       std::span<const ArrayTask> known) {
  std::vector<std::uint32_t> missing;
  for (const std::uint32_t index : asked) {
    if (!std::ranges::binary_search(known, index, {}, &ArrayTask::index)) missing.push_back(index);
  }
  return missing;
}

std::optional<Waited> waited(const Records& runs, const ArrayIndexes& asked,
                             const std::string& dependency, bool are_behind) {
  if (dependency.find("aftercorr") != std::string::npos) return for_partners(runs);
  if (asked.max_running == 0 || !are_behind) return std::nullopt;
  return behind_full_array(runs, asked.max_running);
}

}  // namespace

/// Tasks start in the order of their indexes, so that one without a row between others ran: its row
/// is lost, and nothing tells how it ran.
void Assembler::add_waiting(const std::vector<Runs>& tasks, JobSpec& spec) {
  const TraceRecord& first = tasks.front().first();
  if (first.submit_line == nullptr || first.submit_line->args.array.empty()) return;
  const SbatchArgs& args = first.submit_line->args;
  const auto asked = parse_array_indexes(args.array);
  std::vector<ArrayTask>& known = spec.extras->array;
  if (!asked) return;
  const std::vector<std::uint32_t> missing = without_row(asked->indexes, known);
  if (missing.empty()) return;
  Records runs;
  for (const Runs& task : tasks) runs.push_back(&task.last());
  const bool are_behind = std::ranges::min(missing) > known.back().index;
  const auto found = waited(runs, *asked, args.dependency, are_behind);
  if (!found) return;
  for (const std::uint32_t index : missing) {
    ArrayTask& task = known.emplace_back();
    task.index = index;
    task.run.outcome = RunOutcome::UntilKilled;
    task.run.is_unknown = true;
    if (found->until && !options_.cancels_are_told) task.cancel_at = *found->until;
  }
  std::ranges::sort(known, {}, &ArrayTask::index);
  report_.tasks += missing.size();
  report_.assume(Assumed::TasksThatWaited, first.line);
}

}  // namespace rehearse
