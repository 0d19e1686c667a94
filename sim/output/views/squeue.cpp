// sim/output/views/squeue.cpp — the queue at an instant, in squeue's order and widths (outputs.md
// §1).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/config/sbatch_args.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

/// One line before it is printed.
struct Line {
  std::size_t row;
  Standing standing;
  std::string id, partition, code;
};

/// `3-9%2`; cut to 64 characters with `...`, as SLURM_BITSTR_LEN does.
std::string indexes_text(std::vector<std::uint32_t> indexes, const std::string& throttle) {
  std::sort(indexes.begin(), indexes.end());
  std::string text;
  for (std::size_t i = 0; i < indexes.size();) {
    std::size_t last = i;
    while (last + 1 < indexes.size() && indexes[last + 1] == indexes[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", indexes[i]);
    if (last > i) text += fmt::format("-{}", indexes[last]);
    i = last + 1;
  }
  constexpr std::size_t kMost = 64;
  if (text.size() >= kMost) text = text.substr(0, kMost - 4) + "...";
  return text + throttle;
}

class Queue {
 public:
  Queue(const Result& result, std::int64_t at,
        const std::map<std::uint32_t, StoodStill>& stood_still)
      : result_(result), r_(result.runs), at_(at), stood_still_(stood_still) {
    for (std::size_t row = 0; row < r_.size(); ++row) add(row);
    for (auto& [array, waiting] : arrays_) {
      lines_[waiting.line].id =
          fmt::format("{}_[{}]", array, indexes_text(waiting.tasks, waiting.throttle));
    }
    std::stable_sort(lines_.begin(), lines_.end(), [&](const Line& a, const Line& b) {
      return std::tie(a.partition, a.code, r_.priority[b.row]) <
             std::tie(b.partition, b.code, r_.priority[a.row]);
    });
  }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

 private:
  /// Tasks of an array that had not been split off yet: they are one line.
  struct Waiting {
    std::size_t line = 0;
    std::vector<std::uint32_t> tasks;
    std::string throttle;
  };

  void add(std::size_t row) {
    const Standing standing = standing_at(r_, row, at_);
    if (standing != Standing::Pending && standing != Standing::Running) return;
    const bool pends = standing == Standing::Pending;
    const std::string partition =
        pends ? text_of(result_.names.partition_list, r_.requested_partitions[row])
              : result_.cluster.partitions[r_.partition[row]].name;
    const auto still = stood_still_.find(static_cast<std::uint32_t>(row));
    const bool stands = !pends && still != stood_still_.end() && still->second.is_suspended;
    const Line line{row, standing, job_id_text(result_, row), partition,
                    pends                 ? "PD"
                    : stands              ? "S"
                    : r_.start[row] > at_ ? "CF"
                                          : "R"};
    if (!pends || r_.array_job[row] == 0 || r_.restarts[row] > 0) {
      lines_.push_back(line);
      return;
    }
    auto [found, is_new] = arrays_.try_emplace(r_.array_job[row]);
    Waiting& waiting = found->second;
    if (is_new) {
      waiting.line = lines_.size();
      lines_.push_back(line);
    }
    const std::string& text = text_of(result_.names.text, r_.array_text[row]);
    if (const auto percent = text.find('%'); percent != std::string::npos) {
      waiting.throttle = text.substr(percent);
    }
    if (r_.array_task[row] >= 0) {
      waiting.tasks.push_back(static_cast<std::uint32_t>(r_.array_task[row]));
    } else if (const auto rest = parse_array_indexes(text)) {
      waiting.tasks.insert(waiting.tasks.end(), rest->indexes.begin(), rest->indexes.end());
    }
  }

  const Result& result_;
  const RunColumns& r_;
  std::int64_t at_;
  const std::map<std::uint32_t, StoodStill>& stood_still_;
  std::vector<Line> lines_;
  std::map<std::uint32_t, Waiting> arrays_;
};

std::string reason_at(const Result& result, std::size_t row, std::uint32_t wait) {
  if (wait == kNoRow) {
    return fmt::format("({})", to_text(static_cast<Reason>(result.runs.reason[row])));
  }
  const std::string& text = text_of(result.names.text, result.waits.text[wait]);
  if (!text.empty()) return fmt::format("({})", text);
  return fmt::format("({})", to_text(static_cast<Reason>(result.waits.reason[wait])));
}

/// Held since its reservation was deleted: RESV_DEL_HOLD hides PENDING (lifecycle.md §1).
bool lost_its_reservation(const Result& result, std::size_t row, std::uint32_t wait) {
  const auto reason = wait == kNoRow ? result.runs.reason[row] : result.waits.reason[wait];
  return static_cast<Reason>(reason) == Reason::ReservationDeleted;
}

std::string limit_text(std::uint32_t minutes) {
  if (minutes == kLimitUnlimited) return "UNLIMITED";
  if (minutes == kLimitNone) return "NOT_SET";
  return squeue_time(std::int64_t{minutes} * 60);
}

/// For each planned job id its row of plans at `at`.
std::map<std::uint32_t, std::size_t> plans_at(const PlanColumns& plans, std::int64_t at) {
  std::map<std::uint32_t, std::size_t> standing;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans.begin[i] <= at && at < plans.end[i]) standing[plans.job_id[i]] = i;
  }
  return standing;
}

/// When the job of a row may start at the earliest, where that is what it waits for at `at`.
std::optional<std::int64_t> begin_to_come(const Result& result, std::size_t row, std::uint32_t wait,
                                          std::int64_t at) {
  const auto reason = wait == kNoRow ? result.runs.reason[row] : result.waits.reason[wait];
  const std::int64_t begin = result.runs.eligible[row];
  const bool waits = static_cast<Reason>(reason) == Reason::BeginTime && begin != kNoTime;
  return waits && begin > at ? std::optional(begin) : std::nullopt;
}

std::string start_text(const Result& result, std::int64_t at) {
  return zone_of(result).print(from_epoch_seconds(at));
}

/// `squeue --start`: pending jobs only; by start, those without one last.
View start_view(const Result& result, const ViewOptions& options, std::int64_t at) {
  const Queue queue(result, at, stood_still_at(result, at));
  const std::vector<std::uint32_t> waits = waits_at(result, at);
  const auto plans = plans_at(result.plans, at);
  const RunColumns& r = result.runs;
  ViewTable table;
  table.columns = {{"JOBID", 18},
                   {"PARTITION", 9},
                   {"NAME", 8},
                   {"USER", 8},
                   {"ST", 2},
                   {"START_TIME", 19},
                   {"NODES", 6},
                   {"SCHEDNODES", 20, true},
                   {"NODELIST(REASON)", 0}};
  std::vector<std::pair<std::int64_t, std::vector<std::string>>> rows;
  for (const Line& line : queue.lines()) {
    if (line.standing != Standing::Pending) continue;
    const auto plan = plans.find(r.job_id[line.row]);
    const bool planned = plan != plans.end();
    const auto begin = begin_to_come(result, line.row, waits[line.row], at);
    // Never before now (scheduling.md §8.9); a begin time to come stands for a plan [V].
    const std::int64_t start =
        planned ? std::max(result.plans.start[plan->second], at) : begin.value_or(INT64_MAX);
    const std::string nodes =
        planned ? text_of(result.names.node_list, result.plans.node_list[plan->second]) : "";
    rows.emplace_back(
        start, std::vector<std::string>{
                   line.id, line.partition, text_of(result.names.job_name, r.job_name[line.row]),
                   text_of(result.names.user, r.user[line.row]),
                   lost_its_reservation(result, line.row, waits[line.row]) ? "RD" : line.code,
                   planned || begin ? start_text(result, start) : "N/A",
                   fmt::format("{}", r.requested_nodes[line.row]), nodes.empty() ? "(null)" : nodes,
                   reason_at(result, line.row, waits[line.row])});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& row : rows) table.rows.push_back(std::move(row.second));
  return {table.as_squeue(options), ""};
}

}  // namespace

View squeue_view(const Result& result, const ViewOptions& options) {
  const std::int64_t at = options.at.value_or(result.end);
  if (options.start) return start_view(result, options, at);
  const std::map<std::uint32_t, StoodStill> stood_still = stood_still_at(result, at);
  const Queue queue(result, at, stood_still);
  const std::vector<std::uint32_t> waits = waits_at(result, at);
  const RunColumns& r = result.runs;
  ViewTable table;
  table.columns = {{"JOBID", 18}, {"PARTITION", 9}, {"NAME", 8}, {"USER", 8}};
  table.columns.push_back(options.long_form ? ViewColumn{"STATE", 8} : ViewColumn{"ST", 2});
  table.columns.push_back({"TIME", 10});
  if (options.long_form) table.columns.push_back({"TIME_LIMIT", 9});
  table.columns.push_back({"NODES", 6});
  table.columns.push_back({"NODELIST(REASON)", 0});
  for (const Line& line : queue.lines()) {
    const bool runs = line.standing == Standing::Running;
    std::vector<std::string> fields{line.id, line.partition,
                                    text_of(result.names.job_name, r.job_name[line.row]),
                                    text_of(result.names.user, r.user[line.row])};
    const bool lost = !runs && lost_its_reservation(result, line.row, waits[line.row]);
    const char* const state = lost                ? "RESV_DEL_HOLD"
                              : !runs             ? "PENDING"
                              : line.code == "S"  ? "SUSPENDED"
                              : line.code == "CF" ? "CONFIGURING"
                                                  : "RUNNING";
    fields.push_back(options.long_form ? state : lost ? "RD" : line.code);
    const auto still = stood_still.find(static_cast<std::uint32_t>(line.row));
    const std::int64_t stood = still == stood_still.end() ? 0 : still->second.seconds;
    fields.push_back(runs ? squeue_time(std::max<std::int64_t>(at - r.start[line.row] - stood, 0))
                          : "0:00");
    if (options.long_form) fields.push_back(limit_text(r.limit_min[line.row]));
    fields.push_back(fmt::format("{}", runs ? r.nodes[line.row] : r.requested_nodes[line.row]));
    fields.push_back(runs ? text_of(result.names.node_list, r.node_list[line.row])
                          : reason_at(result, line.row, waits[line.row]));
    table.rows.push_back(std::move(fields));
  }
  View view{table.as_squeue(options), "jobs that are completing are not shown"};
  if (options.long_form && !options.no_header && !options.parsable) {
    view.text = ctime_text(zone_of(result), at) + "\n" + view.text;
  }
  return view;
}

}  // namespace rehearse
