// sim/output/views/sprio.cpp — the make-up of pending jobs' priorities at an instant (outputs.md
// §3).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/output/priority_parts.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/known_jobs.hpp"
#include "sim/output/views/shown_priorities.hpp"
#include "sim/output/views/view.hpp"
#include "sim/output/views/waiting_arrays.hpp"

namespace rehearse {
namespace {

/// A number that was set by hand has no parts, and is as it is.
std::int64_t sum_of(bool incr_only, const PriorityParts& parts) {
  const std::int64_t all = parts.age + parts.assoc + parts.fair_share + parts.job_size +
                           parts.partition + parts.qos + parts.tres;
  return incr_only && all != 0 ? all - parts.nice : parts.sum;
}

/// Jobs that pend; with PriorityFlags=CALCULATE_RUNNING all that slurmctld knows, those that run
/// and those that ended lately too.
std::vector<std::uint32_t> listed_rows(const Result& result, const ViewOptions& options,
                                       std::int64_t at) {
  const bool runs_too = settings_at(result, at).calculate_running;
  std::vector<std::uint32_t> rows = runs_too ? known_jobs(result, options) : sacct_order(result);
  if (!runs_too) {
    std::erase_if(rows, [&](std::uint32_t row) {
      return standing_at(result.runs, row, at) != Standing::Pending;
    });
  }
  return rows;
}

/// In JSON the second PARTITION has a name of its own.
ViewColumn part_column(const std::string& header) {
  return {header, 10, false, header == "PARTITION" ? "PARTITION_FACTOR" : ""};
}

struct PartColumn {
  const char* header;
  std::uint32_t weight;
  std::int64_t PriorityParts::*value;
};

/// The view as it is put together, a column of `long_form` or of a weight that is not zero each.
class SprioTable {
 public:
  SprioTable(const Result& result, const ViewOptions& options)
      : result_(result),
        options_(options),
        over_time_(result),
        at_(options.at.value_or(result.end)),
        waits_(waits_at(result, at_)),
        shown_(result, at_, waits_),
        fair_shares_(fair_shares_at(result, at_)),
        settings_(settings_at(result, at_)) {
    const PriorityFacts& priority = settings_;
    const PartColumn parts[] = {
        {"AGE", priority.weight_age, &PriorityParts::age},
        {"ASSOC", priority.weight_assoc, &PriorityParts::assoc},
        {"FAIRSHARE", priority.weight_fairshare, &PriorityParts::fair_share},
        {"JOBSIZE", priority.weight_job_size, &PriorityParts::job_size},
        {"PARTITION", priority.weight_partition, &PriorityParts::partition},
        {"QOS", priority.weight_qos, &PriorityParts::qos}};
    for (const PartColumn& part : parts) {
      if (options.long_form || part.weight > 0) parts_.push_back(part);
    }
    shows_tres_ = options.long_form || !priority.weight_tres.empty();
  }

  [[nodiscard]] ViewTable made() {
    add_columns();
    const RunColumns& r = result_.runs;
    WaitingArrays arrays(result_);
    for (const std::uint32_t row : listed_rows(result_, options_, at_)) {
      if (shown_.is_held(row)) continue;
      const bool from_submission = settings_.accrue_always;
      const std::int64_t since = from_submission ? r.submit[row] : r.eligible[row];
      if (since == kNoTime || since > at_) continue;  // no priority yet
      const Standing standing = standing_at(r, row, at_);
      // The waiting tasks of an array are one record, with the array's id.
      const bool is_of_array = standing == Standing::Pending && arrays.takes(row);
      if (is_of_array && !arrays.add(row)) continue;
      add_rows(row, is_of_array ? r.array_job[row] : r.job_id[row], fair_share(row, standing));
    }
    return std::move(table_);
  }

 private:
  /// The factor; that of a job that has ended stays what it was, though it ages on.
  [[nodiscard]] double fair_share(std::uint32_t row, Standing standing) const {
    const std::uint32_t association = result_.runs.association[row];
    if (standing == Standing::Ended) {
      return FairShareOverTime(result_, association).at(result_.runs.end[row]);
    }
    const auto found = fair_shares_.find(association);
    return found != fair_shares_.end() ? found->second : std::nan("");
  }

  void add_columns() {
    table_.columns = {{"JOBID", 15}, {"PARTITION", 9, true}};
    if (options_.long_form) table_.columns.push_back({"USER", 8});
    table_.columns.push_back({"PRIORITY", 10});
    table_.columns.push_back({"SITE", 10});
    for (const PartColumn& part : parts_) table_.columns.push_back(part_column(part.header));
    if (options_.long_form) table_.columns.push_back({"NICE", 11});
    if (shows_tres_) table_.columns.push_back({"TRES", 20});
  }

  /// One for each partition that the job waits in.
  void add_rows(std::uint32_t row, std::uint32_t id, double fair_share) {
    const RunColumns& r = result_.runs;
    for (const std::uint32_t partition : partitions_waited_in(result_, row)) {
      const PriorityParts parts = over_time_.parts({row, at_, fair_share, partition});
      std::vector<std::string> fields{fmt::format("{}", id),
                                      result_.cluster.partitions[partition].name};
      if (options_.long_form) fields.push_back(text_of(result_.names.user, r.user[row]));
      fields.push_back(fmt::format("{}", floored_priority(sum_of(settings_.incr_only, parts))));
      fields.emplace_back("0");
      for (const PartColumn& part : parts_) fields.push_back(fmt::format("{}", parts.*part.value));
      if (options_.long_form) fields.push_back(fmt::format("{}", parts.nice));
      if (shows_tres_) fields.push_back(text_of(result_.names.text, parts.tres_terms));
      table_.rows.push_back(std::move(fields));
    }
  }

  const Result& result_;
  const ViewOptions& options_;
  PartsOverTime over_time_;
  std::int64_t at_;
  std::vector<std::uint32_t> waits_;
  ShownPriorities shown_;
  std::map<std::uint32_t, double> fair_shares_;
  PriorityFacts settings_;
  std::vector<PartColumn> parts_;
  bool shows_tres_ = false;
  ViewTable table_;
};

}  // namespace

View sprio_view(const Result& result, const ViewOptions& options) {
  if (!result.cluster.priority.multifactor) {
    return {"",
            "You are not running a supported priority plugin\n(priority/basic).\n"
            "Only 'priority/multifactor' is supported.",
            {}};
  }
  const ViewTable table = SprioTable(result, options).made();
  if (table.rows.empty()) return {"Unable to find jobs matching user/id(s) specified\n", {}, {}};
  return table.view(&ViewTable::as_squeue, options,
                    "approximated: age at the last tick, fair-share of the last kept sample, the "
                    "other parts as last recalculated before it");
}

}  // namespace rehearse
