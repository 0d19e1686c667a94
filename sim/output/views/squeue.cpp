// sim/output/views/squeue.cpp — the queue at an instant, in squeue's order and widths (outputs.md
// §1).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/pending_row.hpp"
#include "sim/output/views/shown_priorities.hpp"
#include "sim/output/views/view.hpp"
#include "sim/output/views/waiting_arrays.hpp"

namespace rehearse {
namespace {

/// One line before it is printed.
struct Line {
  std::size_t row;
  Standing standing;
  std::string id, partition, code;
  std::int64_t priority;
  /// When it started, or is planned to, never before now (scheduling.md §8.9); a begin time to come
  /// stands for a plan [V]. kNoTime: neither.
  std::int64_t start;
  std::vector<std::size_t> joined = {};  ///< rows of requeued tasks that are told with the rest
  std::size_t planned = row;             ///< whose start is shown: of an array what is left of it
};

class Queue {
 public:
  Queue(const Result& result, std::int64_t at,
        const std::map<std::uint32_t, StoodStill>& stood_still)
      : result_(result),
        r_(result.runs),
        at_(at),
        stood_still_(stood_still),
        completing_(completing_at(result, at)),
        waits_(waits_at(result, at)),
        plans_(plans_at(result.plans, at)),
        priority_(result, at, waits_),
        arrays_(result) {
    for (std::size_t row = 0; row < r_.size(); ++row) add(row);
    for (const auto& [array, at_line] : line_of_array_) name_rest(lines_[at_line]);
    std::erase_if(lines_, [](const Line& line) { return line.id.empty(); });
    std::stable_sort(lines_.begin(), lines_.end(), [&](const Line& a, const Line& b) {
      const auto rank_a = rank_of(a), rank_b = rank_of(b);
      return std::tie(a.partition, a.code, b.priority, b.start, rank_a) <
             std::tie(b.partition, b.code, a.priority, a.start, rank_b);
    });
  }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<std::uint32_t>& waits() const { return waits_; }
  [[nodiscard]] const std::map<std::uint32_t, std::size_t>& plans() const { return plans_; }

 private:
  /// Of two with the same priority the later start comes first, kNoTime last; of one start the
  /// lesser id, without a start the greater (outputs.md §1).
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> rank_of(const Line& line) const {
    const auto [id, task] = id_of(line);
    return line.start == kNoTime ? std::pair(-id, -task) : std::pair(id, task);
  }
  /// As shown: `123`, `123_4`, `123+1`; what is left of an array comes behind its tasks.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> id_of(const Line& line) const {
    const std::size_t row = line.row;
    if (r_.het_job[row] != 0) return {r_.het_job[row], r_.het_offset[row]};
    if (r_.array_job[row] == 0) return {r_.job_id[row], -1};
    const bool is_rest = line.standing == Standing::Pending && arrays_.takes(row);
    return {r_.array_job[row], is_rest ? INT64_MAX : std::int64_t{r_.array_task[row]}};
  }
  [[nodiscard]] std::int64_t start_of(std::size_t row, bool pends) const {
    if (!pends) return r_.start[row];
    const auto plan = plan_of(r_, row, plans_);
    if (plan) return std::max(result_.plans.start[*plan], at_);
    return begin_to_come(result_, row, waits_[row], at_).value_or(kNoTime);
  }

  /// What is left of an array, by its tasks; the last one of which others have begun is a task like
  /// those. Requeued tasks beside a rest of several are told with it (outputs.md §1).
  void name_rest(Line& line) {
    const std::uint32_t array = r_.array_job[line.row];
    if (arrays_.count(array) == 1 && begun_.contains(array)) {
      line.id = fmt::format("{}_{}", array, arrays_.tasks(array, WaitingArrays::Throttle::Untold));
      return;
    }
    for (const std::size_t at_line : requeued_[array]) {
      Line& other = lines_[at_line];
      if (other.partition != line.partition) continue;
      arrays_.join(other.row);
      line.joined.push_back(other.row);
      other.id.clear();
    }
    line.id = fmt::format("{}_[{}]", array, arrays_.tasks(array));
  }

  /// As asked; of a job that was requeued the partition of its last run first (outputs.md §1).
  [[nodiscard]] std::string asked_partitions(std::size_t row) const {
    const std::string& asked = text_of(result_.names.partition_list, r_.requested_partitions[row]);
    const auto last =
        r_.restarts[row] > 0 ? last_partition_.find(r_.job_id[row]) : last_partition_.end();
    if (last == last_partition_.end() || asked.find(',') == std::string::npos) return asked;
    std::string text = result_.cluster.partitions[last->second].name;
    for (const std::string_view name : split_list(asked)) {
      if (name != result_.cluster.partitions[last->second].name) text += fmt::format(",{}", name);
    }
    return text;
  }

  void add(std::size_t row) {
    const Standing standing = standing_at(r_, row, at_);
    if (standing == Standing::Ended && r_.start[row] != kNoTime) {
      last_partition_[r_.job_id[row]] = r_.partition[row];
    }
    if (r_.array_job[row] != 0 && r_.submit[row] <= at_ &&
        (r_.restarts[row] > 0 || standing == Standing::Running ||
         (standing == Standing::Ended && r_.start[row] != kNoTime))) {
      begun_.insert(r_.array_job[row]);
    }
    const bool completes = standing == Standing::Ended &&
                           std::binary_search(completing_.begin(), completing_.end(), row);
    if (standing != Standing::Pending && standing != Standing::Running && !completes) return;
    const bool pends = standing == Standing::Pending;
    const std::string partition =
        pends ? asked_partitions(row) : result_.cluster.partitions[r_.partition[row]].name;
    const auto still = stood_still_.find(static_cast<std::uint32_t>(row));
    const bool stands = !pends && still != stood_still_.end() && still->second.is_suspended;
    const Line line{row,
                    standing,
                    job_id_text(result_, row),
                    partition,
                    pends                 ? "PD"
                    : completes           ? "CG"
                    : stands              ? "S"
                    : r_.start[row] > at_ ? "CF"
                                          : "R",
                    priority_.of(row),
                    start_of(row, pends)};
    if (!pends || !arrays_.takes(row)) {
      if (pends && r_.array_job[row] != 0) {
        requeued_[r_.array_job[row]].push_back(lines_.size());
      }
      lines_.push_back(line);
      return;
    }
    if (arrays_.add(row)) {
      line_of_array_[r_.array_job[row]] = lines_.size();
      lines_.push_back(line);
    }
    if (r_.job_id[row] != r_.array_job[row]) return;
    Line& told = lines_[line_of_array_.at(r_.array_job[row])];
    told.planned = row;
    told.start = line.start;
  }

  const Result& result_;
  const RunColumns& r_;
  std::int64_t at_;
  const std::map<std::uint32_t, StoodStill>& stood_still_;
  std::vector<std::uint32_t> completing_;
  std::vector<std::uint32_t> waits_;
  std::map<std::uint32_t, std::size_t> plans_;
  ShownPriorities priority_;
  std::vector<Line> lines_;
  WaitingArrays arrays_;
  std::map<std::uint32_t, std::uint16_t> last_partition_;  ///< by job: that of its last run
  std::set<std::uint32_t> begun_;                          ///< arrays of which a task has started
  std::map<std::uint32_t, std::size_t> line_of_array_;     ///< of lines_, by array
  std::map<std::uint32_t, std::vector<std::size_t>> requeued_;  ///< of lines_, by array
};

/// Of a requeued task that is told with others its own too: `(Resources,BeginTime)`.
std::string shown_reason(const Result& result, const Line& line,
                         const std::vector<std::uint32_t>& waits) {
  std::vector<std::string> reasons{reason_at(result, line.row, waits[line.row])};
  for (const std::size_t row : line.joined) {
    std::string own = reason_at(result, row, waits[row]);
    if (std::find(reasons.begin(), reasons.end(), own) == reasons.end()) {
      reasons.push_back(std::move(own));
    }
  }
  return fmt::format("({})", fmt::join(reasons, ","));
}

std::string limit_text(std::uint32_t minutes) {
  if (minutes == kLimitUnlimited) return "UNLIMITED";
  if (minutes == kLimitNone) return "NOT_SET";
  return squeue_time(std::int64_t{minutes} * 60);
}

std::string start_text(const Result& result, std::int64_t at) {
  return zone_of(result).print(from_epoch_seconds(at));
}

/// `squeue --start`: pending jobs only; by start, those without one last.
View start_view(const Result& result, const ViewOptions& options, std::int64_t at) {
  const Queue queue(result, at, stood_still_at(result, at));
  const std::vector<std::uint32_t>& waits = queue.waits();
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
    const auto plan = plan_of(r, line.planned, queue.plans());
    const bool is_known = line.start != kNoTime;
    const std::string nodes =
        plan ? text_of(result.names.node_list, result.plans.node_list[*plan]) : "";
    rows.emplace_back(
        is_known ? line.start : INT64_MAX,
        std::vector<std::string>{
            line.id, line.partition, text_of(result.names.job_name, r.job_name[line.row]),
            text_of(result.names.user, r.user[line.row]),
            lost_its_reservation(result, line.row, waits[line.row]) ? "RD" : line.code,
            is_known ? start_text(result, line.start) : "N/A",
            fmt::format("{}", r.requested_nodes[line.row]), nodes.empty() ? "(null)" : nodes,
            shown_reason(result, line, waits)});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& row : rows) table.rows.push_back(std::move(row.second));
  return table.view(&ViewTable::as_squeue, options);
}

}  // namespace

View squeue_view(const Result& result, const ViewOptions& options) {
  const std::int64_t at = options.at.value_or(result.end);
  if (options.start) return start_view(result, options, at);
  const std::map<std::uint32_t, StoodStill> stood_still = stood_still_at(result, at);
  const Queue queue(result, at, stood_still);
  const std::vector<std::uint32_t>& waits = queue.waits();
  const RunColumns& r = result.runs;
  ViewTable table;
  table.columns = {{"JOBID", 18}, {"PARTITION", 9}, {"NAME", 8}, {"USER", 8}};
  table.columns.push_back(options.long_form ? ViewColumn{"STATE", 8} : ViewColumn{"ST", 2});
  table.columns.push_back({"TIME", 10});
  if (options.long_form) table.columns.push_back({"TIME_LIMIT", 9});
  table.columns.push_back({"NODES", 6});
  table.columns.push_back({"NODELIST(REASON)", 0});
  for (const Line& line : queue.lines()) {
    const bool runs = line.standing != Standing::Pending;  // or has run, and keeps its nodes
    std::vector<std::string> fields{line.id, line.partition,
                                    text_of(result.names.job_name, r.job_name[line.row]),
                                    text_of(result.names.user, r.user[line.row])};
    const bool lost = !runs && lost_its_reservation(result, line.row, waits[line.row]);
    const char* const state = lost                ? "RESV_DEL_HOLD"
                              : !runs             ? "PENDING"
                              : line.code == "S"  ? "SUSPENDED"
                              : line.code == "CG" ? "COMPLETING"
                              : line.code == "CF" ? "CONFIGURING"
                                                  : "RUNNING";
    fields.push_back(options.long_form ? state : lost ? "RD" : line.code);
    const auto still = stood_still.find(static_cast<std::uint32_t>(line.row));
    const std::int64_t stood = still == stood_still.end() ? 0 : still->second.seconds;
    const std::int64_t until = line.code == "CG" ? r.end[line.row] : at;
    fields.push_back(
        runs ? squeue_time(std::max<std::int64_t>(until - r.start[line.row] - stood, 0)) : "0:00");
    if (options.long_form) fields.push_back(limit_text(r.limit_min[line.row]));
    fields.push_back(fmt::format("{}", runs ? r.nodes[line.row] : r.requested_nodes[line.row]));
    fields.push_back(runs ? text_of(result.names.node_list, r.node_list[line.row])
                          : shown_reason(result, line, waits));
    table.rows.push_back(std::move(fields));
  }
  View view = table.view(&ViewTable::as_squeue, options,
                         result.completing.kept ? "" : "jobs that are completing are not shown");
  view.text = heading(result, options) + view.text;
  return view;
}

}  // namespace rehearse
