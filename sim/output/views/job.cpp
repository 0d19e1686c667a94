// sim/output/views/job.cpp — what `scontrol show job` prints at an instant (outputs.md §7).
//
// A field that no result knows is left out: what of a user's script, his ids, his directories, and
// of a request what only its options say.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sim/config/hostlist.hpp"
#include "sim/config/units.hpp"
#include "sim/output/device_indexes.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/held_devices_text.hpp"
#include "sim/output/views/known_jobs.hpp"
#include "sim/output/views/pending_row.hpp"
#include "sim/output/views/scontrol_record.hpp"
#include "sim/output/views/shown_priorities.hpp"
#include "sim/output/views/tres_order.hpp"
#include "sim/output/views/view.hpp"
#include "sim/output/views/waiting_arrays.hpp"

namespace rehearse {
namespace {

std::string or_null(const std::string& text) {
  return text.empty() ? "(null)" : text;
}

/// Why a run ended, as slurmctld leaves it in the record.
std::string_view end_reason(JobState state) {
  switch (state) {
    case JobState::Timeout:
      return to_text(Reason::TimeLimit);
    case JobState::Failed:
      return to_text(Reason::NonZeroExitCode);
    case JobState::OutOfMemory:
      return to_text(Reason::OutOfMemory);
    case JobState::NodeFail:
      return to_text(Reason::NodeDown);
    default:
      return to_text(Reason::None);
  }
}

/// When a run stood still until an instant.
struct Standstills {
  std::int64_t begin = kNoTime;    ///< of the last one
  std::int64_t changed = kNoTime;  ///< when it last stopped or went on
  std::int64_t before = 0;         ///< [s] of those before the last
  std::int64_t over = 0;           ///< [s] of those that are over
};
/// By row of runs; only of those that were ever suspended.
std::map<std::uint32_t, Standstills> standstills_at(const Result& result, std::int64_t at) {
  std::map<std::uint32_t, Standstills> found;
  const SuspensionColumns& all = result.suspensions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.begin[i] > at) continue;
    Standstills& still = found[all.run[i]];
    still.begin = still.changed = all.begin[i];
    still.before = still.over;
    if (all.end[i] == kNoTime || all.end[i] > at) continue;
    still.over += all.end[i] - all.begin[i];
    still.changed = all.end[i];
  }
  return found;
}

class JobRecords {
 public:
  JobRecords(const Result& result, const ViewOptions& options)
      : result_(result),
        r_(result.runs),
        options_(options),
        at_(options.at.value_or(result.end)),
        zone_(zone_of(result)),
        tres_(tres_table(result.cluster)),
        stood_still_(stood_still_at(result, at_)),
        standstills_(standstills_at(result, at_)),
        waits_(waits_at(result, at_)),
        plans_(plans_at(result.plans, at_)),
        priority_(result, at_, waits_),
        completing_(completing_at(result, at_)),
        resized_(r_),
        arrays_(result),
        devices_(result) {
    for (const std::uint32_t row : known_jobs(result, options)) {
      const bool waits = standing(row) == Standing::Pending;
      pending_ = pending_ || waits;
      if (!waits || !arrays_.takes(row)) {
        jobs_.emplace_back(r_.job_id[row], row);
      } else if (arrays_.add(row)) {
        jobs_.emplace_back(r_.array_job[row], row);
      }
    }
    std::stable_sort(jobs_.begin(), jobs_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  [[nodiscard]] View view() const {
    View view;
    for (const auto& [id, row] : jobs_) add_record(view, record(id, row), options_);
    if (jobs_.empty()) view.text = "No jobs in the system\n";
    const auto add = [&](const char* note) {
      view.note += (view.note.empty() ? "" : "; ") + std::string(note);
    };
    if (pending_ && result_.cluster.priority.multifactor) {
      add("priorities of pending jobs are approximated, as in sprio");
    }
    if (!result_.completing.kept) add("the file does not tell which ended jobs are completing");
    return view;
  }

 private:
  [[nodiscard]] Standing standing(std::uint32_t row) const { return standing_at(r_, row, at_); }
  [[nodiscard]] bool ran(std::uint32_t row) const {
    return r_.start[row] != kNoTime && standing(row) != Standing::Pending;
  }
  [[nodiscard]] bool is_completing(std::uint32_t row) const {
    return std::binary_search(completing_.begin(), completing_.end(), row);
  }
  [[nodiscard]] std::string time(std::int64_t at, const char* none = "Unknown") const {
    return at == kNoTime ? none : zone_.print(from_epoch_seconds(at));
  }
  [[nodiscard]] StoodStill stood(std::uint32_t row) const {
    const auto found = stood_still_.find(row);
    return found == stood_still_.end() ? StoodStill{} : found->second;
  }
  [[nodiscard]] std::uint32_t first_of(std::uint32_t row) const {
    const auto parts = resized_.parts_before(row);
    return parts.empty() ? row : parts.back();
  }
  /// When the run of a row began; while its nodes power up, when it got them.
  [[nodiscard]] std::int64_t began(std::uint32_t row) const {
    const std::uint32_t first = first_of(row);
    const std::int64_t start = r_.start[first];
    return start > at_ ? start - std::int64_t{r_.configuring_s[first]} : start;
  }
  /// Without the time that it stood still [s].
  [[nodiscard]] std::int64_t ran_for(std::uint32_t row) const {
    if (!ran(row)) return 0;
    const bool over = standing(row) == Standing::Ended;
    std::int64_t still = 0;
    for (const std::uint32_t part : resized_.parts_before(row)) still += r_.suspended_s[part];
    still += over ? std::int64_t{r_.suspended_s[row]} : stood(row).seconds;
    return std::max<std::int64_t>((over ? r_.end[row] : at_) - began(row) - still, 0);
  }
  /// [min]; none: unlimited.
  [[nodiscard]] std::optional<std::int64_t> limit(std::uint32_t row) const {
    std::uint32_t minutes = r_.limit_min[row];
    // Slurm: a job without a limit shows its partition's (lifecycle.md §1).
    if (minutes == kLimitNone) minutes = result_.cluster.partitions[r_.partition[row]].max_time_min;
    if (minutes == kLimitUnlimited) return std::nullopt;
    return minutes;
  }

  [[nodiscard]] std::string state(std::uint32_t row) const {
    switch (standing(row)) {
      case Standing::Ended:
        return is_completing(row) ? "COMPLETING" : std::string(run_state_text(r_.state[row]));
      case Standing::Running:
        return stood(row).is_suspended ? "SUSPENDED"
               : r_.start[row] > at_   ? "CONFIGURING"
                                       : "RUNNING";
      default:
        return lost_its_reservation(result_, row, waits_[row]) ? "RESV_DEL_HOLD" : "PENDING";
    }
  }
  [[nodiscard]] std::string reason(std::uint32_t row) const {
    if (standing(row) == Standing::Pending) return reason_at(result_, row, waits_[row]);
    if (!ran(row)) return reason_at(result_, row, kNoRow);  // ended in the queue
    if (standing(row) != Standing::Ended || r_.state[row] >= kStateRequeued) return "None";
    return std::string(end_reason(static_cast<JobState>(r_.state[row])));
  }
  void identity(ScontrolRecord& record, std::uint32_t id, std::uint32_t row) const {
    record.line(0);
    record.add("JobId", fmt::format("{}", id));
    if (r_.array_job[row] != 0) {
      const bool waits = standing(row) == Standing::Pending && arrays_.takes(row);
      const std::string& text = text_of(result_.names.text, r_.array_text[row]);
      const std::size_t percent = text.find('%');
      record.add("ArrayJobId", fmt::format("{}", r_.array_job[row]));
      record.add("ArrayTaskId", waits                     ? arrays_.tasks(r_.array_job[row])
                                : r_.array_task[row] >= 0 ? fmt::format("{}", r_.array_task[row])
                                                          : text);
      if (percent != text.npos) record.add("ArrayTaskThrottle", text.substr(percent + 1));
    }
    if (r_.het_job[row] != 0) {
      record.add("HetJobId", fmt::format("{}", r_.het_job[row]));
      record.add("HetJobOffset", fmt::format("{}", r_.het_offset[row]));
    }
    record.add("JobName", text_of(result_.names.job_name, r_.job_name[row]));
    if (r_.het_job[row] != 0) {
      record.line();
      record.add("HetJobIdSet", components(r_.het_job[row]));
    }
    record.line();
    record.add("UserId", text_of(result_.names.user, r_.user[row]));
  }

  [[nodiscard]] std::string components(std::uint32_t leader) const {
    std::set<std::uint32_t> ids;
    for (std::size_t row = 0; row < r_.size(); ++row) {
      if (r_.het_job[row] == leader) ids.insert(r_.job_id[row]);
    }
    return index_ranges(ids);
  }

  void standing_lines(ScontrolRecord& record, std::uint32_t row) const {
    const std::uint16_t qos = r_.qos[row];
    record.line();
    record.add("Priority", fmt::format("{}", priority_.of(row)));
    record.add("Nice", fmt::format("{}", r_.factor_nice[row]));
    record.add("Account", or_null(text_of(result_.names.account, r_.account[row])));
    record.add("QOS", qos < result_.cluster.qos.size() ? result_.cluster.qos[qos].name : "(null)");
    record.line();
    record.add("JobState", state(row));
    record.add("Reason", reason(row));
    record.line();
    record.add("Restarts", fmt::format("{}", r_.restarts[first_of(row)]));
    record.add("ExitCode",
               fmt::format("{}:0", standing(row) == Standing::Ended ? r_.exit_code[row] : 0));
    const auto minutes = limit(row);
    record.line();
    record.add("RunTime", format_elapsed(Seconds{ran_for(row)}));
    record.add("TimeLimit", minutes ? format_elapsed(Seconds{*minutes * 60}) : "UNLIMITED");
  }

  void time_lines(ScontrolRecord& record, std::uint32_t row) const {
    const std::uint32_t first = first_of(row);
    const bool waits = standing(row) == Standing::Pending;
    const auto known = [&](std::int64_t when) { return when > at_ ? kNoTime : when; };
    const std::int64_t begin =
        waits ? begin_to_come(result_, row, waits_[row], at_).value_or(kNoTime) : kNoTime;
    record.line();
    record.add("SubmitTime", time(r_.submit[first]));
    record.add("EligibleTime", time(begin != kNoTime ? begin : known(r_.eligible[first])));
    record.line();
    record.add("AccrueTime", time(known(r_.accrue[first])));
    if (first != row) {
      record.line();
      record.add("ResizeTime", time(r_.start[row]));
    }
    const auto [start, end] = waits ? planned(row, begin) : lasted(row);
    record.line();
    record.add("StartTime", time(start));
    record.add("EndTime", time(end));
    suspension(record, row);
  }
  struct Span {
    std::int64_t start = kNoTime, end = kNoTime;
  };
  [[nodiscard]] Span lasted(std::uint32_t row) const {
    // Slurm: what ends in the queue starts and ends then.
    if (!ran(row)) return {r_.end[row], r_.end[row]};
    Span span{began(row), r_.end[row]};
    if (standing(row) == Standing::Ended) return span;
    const auto minutes = limit(row);
    // Slurm: on resume the end moves to now and the remaining time, not before (lifecycle.md §6).
    const auto still = standstills_.find(row);
    const std::int64_t over = still == standstills_.end() ? 0 : still->second.over;
    span.end = minutes ? span.start + *minutes * 60 + over : kNoTime;
    return span;
  }
  /// Where backfill has no plan: at `begin`, if that is known.
  [[nodiscard]] Span planned(std::uint32_t row, std::int64_t begin) const {
    const auto plan = plan_of(r_, row, plans_);
    Span span{begin, kNoTime};
    if (plan) span.start = std::max(result_.plans.start[*plan], at_);
    const auto minutes = limit(row);
    if (span.start != kNoTime && minutes) span.end = span.start + *minutes * 60;
    return span;
  }
  void suspension(ScontrolRecord& record, std::uint32_t row) const {
    const auto found = standstills_.find(row);
    const Standstills still = found == standstills_.end() ? Standstills{} : found->second;
    const std::int64_t ran_before =
        still.begin == kNoTime ? 0 : still.begin - began(row) - still.before;
    record.line();
    record.add("SuspendTime", time(still.changed, "None"));
    record.add("SecsPreSuspend", fmt::format("{}", ran_before));
    const auto by = static_cast<StartedBy>(r_.started_by[row]);
    if (!ran(row) || by == StartedBy::Nobody) return;
    record.add("Scheduler", by == StartedBy::Backfill ? "Backfill" : "Main");
  }

  void place_lines(ScontrolRecord& record, std::uint32_t row) const {
    const bool has = ran(row);
    record.line();
    record.add("Partition",
               has ? result_.cluster.partitions[r_.partition[row]].name
                   : text_of(result_.names.partition_list, r_.requested_partitions[row]));
    const std::string nodes = has ? text_of(result_.names.node_list, r_.node_list[row]) : "";
    record.line();
    record.add("NodeList", nodes);
    const auto plan = plan_of(r_, row, plans_);
    if (standing(row) == Standing::Pending && plan) {
      record.add("SchedNodeList", text_of(result_.names.node_list, result_.plans.node_list[*plan]));
    }
    if (has) {
      const auto hosts = expand_hostlist(nodes).hosts;
      record.line();
      record.add("BatchHost", hosts.empty() ? "(null)" : hosts.front());
    }
    record.line();
    record.add("NumNodes", fmt::format("{}", has ? r_.nodes[row] : r_.requested_nodes[row]));
    record.add("NumCPUs", fmt::format("{}", has ? r_.cpus[row] : r_.requested_cpus[row]));
    record.line();
    record.add("TRES", or_null(in_tres_order(
                           tres_, text_of(result_.names.tres_set,
                                          has ? r_.held_tres[row] : r_.requested_tres[row]))));
    if (options_.details && standing(row) == Standing::Running) devices_.add(record, row);
    record.line();
    record.add("Features", or_null(text_of(result_.names.constraints, r_.constraints[row])));
    const std::string& per_node = text_of(result_.names.text, r_.tres_per_node[row]);
    if (per_node.empty()) return;
    record.line();
    record.add("TresPerNode", per_node);
  }

  [[nodiscard]] ScontrolRecord record(std::uint32_t id, std::uint32_t row) const {
    ScontrolRecord record;
    identity(record, id, row);
    standing_lines(record, row);
    time_lines(record, row);
    place_lines(record, row);
    return record;
  }

  const Result& result_;
  const RunColumns& r_;
  const ViewOptions& options_;
  std::int64_t at_;
  TimeZone zone_;
  TresTable tres_;
  std::map<std::uint32_t, StoodStill> stood_still_;
  std::map<std::uint32_t, Standstills> standstills_;
  std::vector<std::uint32_t> waits_;
  std::map<std::uint32_t, std::size_t> plans_;
  ShownPriorities priority_;
  std::vector<std::uint32_t> completing_;
  ResizedJobs resized_;
  WaitingArrays arrays_;
  HeldDevicesText devices_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jobs_;  // JobId as shown, row
  bool pending_ = false;
};

}  // namespace

View job_view(const Result& result, const ViewOptions& options) {
  return JobRecords(result, options).view();
}

}  // namespace rehearse
