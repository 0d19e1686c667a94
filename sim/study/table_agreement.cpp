// sim/study/table_agreement.cpp — the state, written as sprio and sshare write it, row by row.
#include "sim/study/table_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include "sim/output/priority_parts.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

/// Causes before consequences.
constexpr std::array<std::string_view, 6> kShareColumns{"NormShares",   "RawUsage",  "NormUsage",
                                                        "EffectvUsage", "FairShare", "LevelFS"};

class Comparison {
 public:
  Comparison(SlurmTime at, const Cluster& cluster, const NamePool& names,
             std::vector<TableDifference>& why)
      : at_(at), cluster_(cluster), names_(names), why_(why) {}

  [[nodiscard]] bool agrees(const SprioRow& row) { return is_within_one(row); }
  [[nodiscard]] bool agrees(const SshareRow& row) { return is_same(row); }

 private:
  /// sprio lists pending jobs, and running ones too where their priorities are kept up.
  [[nodiscard]] const Job* listed(JobId id) const {
    const bool running_too = cluster_.conf.priority.calculate_running;
    for (const Job& job : cluster_.jobs) {
      if (!job.is_pending() && !(running_too && job.is_running())) continue;
      if (job.id == id || (job.array_job == id && job.is_array_meta())) return &job;
    }
    return nullptr;
  }

  /// sprio cuts names to nine characters.
  [[nodiscard]] std::optional<PartitionId> partition_of(const std::string& name) const {
    constexpr std::size_t kShown = 9;
    for (const Partition& each : cluster_.partitions) {
      const std::string& whole = names_.text(each.name);
      if (whole == name || (name.size() == kShown && whole.starts_with(name))) return each.id;
    }
    return std::nullopt;
  }

  bool is_within_one(const SprioRow& row) {
    const std::string name =
        fmt::format("job {} {}", static_cast<std::uint32_t>(row.job), row.partition);
    const Job* job = listed(row.job);
    const auto id = partition_of(row.partition);
    if (job == nullptr || !id) return differs(name, "JOBID", "does not pend", "pends");
    for (const auto& [header, theirs] : row.points) {
      const auto ours = points(*job, *id, header);
      if (ours && std::abs(*ours - theirs) > 1) {
        return differs(name, header, fmt::format("{}", *ours), fmt::format("{}", theirs));
      }
    }
    if (job->partitions.size() > 1)
      return true;  // kept of one partition: PRIORITY holds each one's
    for (const auto& [tres, theirs] : row.tres_points) {
      const auto at = cluster_.tres.find(tres);
      const bool is_known = at && index_of(*at) < job->factors.tres.size();
      const std::int64_t ours = is_known ? std::llrint(job->factors.tres[index_of(*at)]) : 0;
      if (std::abs(ours - theirs) > 1) {
        return differs(name, "TRES " + tres, fmt::format("{}", ours), fmt::format("{}", theirs));
      }
    }
    return true;
  }

  [[nodiscard]] std::int64_t priority_of(const Job& job) const {
    const PriorityFactors& factors = job.factors;
    double sum = factors.age + factors.assoc + factors.fair_share + factors.job_size +
                 factors.partition + factors.qos;
    for (const double term : factors.tres) sum += term;
    const PrioritySum whole{static_cast<std::int64_t>(sum), factors.nice};
    return printed_priority(job.priority, whole, cluster_.conf.priority.incr_only);
  }

  /// None: nothing to compare under that header.
  [[nodiscard]] std::optional<std::int64_t> points(const Job& job, PartitionId partition,
                                                   std::string_view header) const {
    const PriorityFactors& factors = job.factors;
    if (header == "PRIORITY") {
      for (std::size_t i = 0; i < job.partition_priority.size(); ++i) {
        if (job.partitions[i] == partition) return std::int64_t{job.partition_priority[i]};
      }
      return priority_of(job);
    }
    if (header == "SITE") return factors.site;
    if (header == "AGE") return std::llrint(factors.age);
    if (header == "ASSOC") return std::llrint(factors.assoc);
    if (header == "FAIRSHARE") return std::llrint(factors.fair_share);
    if (header == "JOBSIZE") return std::llrint(factors.job_size);
    if (header == "QOS") return std::llrint(factors.qos);
    if (header == "NICE") return factors.nice;
    // Of several partitions the factor of one is kept; PRIORITY holds each one's.
    if (header == "PARTITION" && job.partitions.size() == 1) return std::llrint(factors.partition);
    return std::nullopt;
  }

  /// Of the associations of a user with an account, one for each partition and which sshare does
  /// not name, any that is not another row's.
  bool is_same(const SshareRow& row) {
    const std::string name = row.account + (row.user.empty() ? "" : "/" + row.user);
    const auto account = names_.find(row.account);
    const auto user = row.user.empty() ? std::optional(kNoName) : names_.find(row.user);
    std::vector<AssociationId> open;
    if (account && user) open = untold_of(*account, *user);
    if (open.empty()) return differs(name, "Account", "no such association", "there");
    const auto same = std::find_if(open.begin(), open.end(), [&](AssociationId id) {
      return !other_column(cluster_.accounts.associations[id], row);
    });
    const AssociationId mine = same != open.end() ? *same : open.front();
    told_.insert(mine);
    if (same != open.end()) return true;
    const Association& ours = cluster_.accounts.associations[mine];
    const std::string_view header = *other_column(ours, row);
    return differs(name, header, *share_text(ours, header), row.fields.find(header)->second);
  }

  [[nodiscard]] std::vector<AssociationId> untold_of(NameId account, NameId user) const {
    std::set<AssociationId> found;
    const auto add = [&](NameId partition) {
      const auto id = cluster_.accounts.find(account, user, partition);
      if (id && !told_.contains(*id)) found.insert(*id);
    };
    add(kNoName);
    for (const Partition& each : cluster_.partitions) add(each.name);
    return {found.begin(), found.end()};
  }

  /// The first that differs.
  static std::optional<std::string_view> other_column(const Association& ours,
                                                      const SshareRow& row) {
    for (const std::string_view header : kShareColumns) {
      const auto theirs = row.fields.find(header);
      if (theirs == row.fields.end() || theirs->second.empty()) continue;
      const auto text = share_text(ours, header);
      if (text && *text != theirs->second) return header;
    }
    return std::nullopt;
  }

  /// None: nothing to compare under that header.
  static std::optional<std::string> share_text(const Association& ours, std::string_view header) {
    const auto decimals = [](long double value) {
      return fmt::format("{:.6f}", static_cast<double>(value));
    };
    if (header == "NormShares") return decimals(ours.shares_norm);
    if (header == "RawUsage")
      return fmt::format("{:.0f}", std::floor(static_cast<double>(ours.usage.raw)));
    if (!ours.parent) return std::nullopt;  // of the root Slurm prints what it does not compute
    if (header == "NormUsage") return decimals(ours.usage_norm);
    if (header == "EffectvUsage") return decimals(ours.usage_effective);
    if (header == "FairShare" && ours.user != kNoName) return decimals(ours.fair_share);
    if (header == "LevelFS") {
      return share_number(static_cast<double>(ours.level_fs), std::string::npos);
    }
    return std::nullopt;
  }

  bool differs(std::string row, std::string_view column, std::string ours, std::string theirs) {
    why_.push_back({at_, std::move(row), std::string(column), std::move(ours), std::move(theirs)});
    return false;
  }

  SlurmTime at_;
  const Cluster& cluster_;
  const NamePool& names_;
  std::vector<TableDifference>& why_;
  std::set<AssociationId> told_;  ///< by a row of sshare
};

}  // namespace

void leave_out_ended(RecordedTables& recorded, const Cluster& cluster) {
  if (!cluster.conf.priority.calculate_running) return;
  std::set<JobId> active, ended;
  for (const Job& job : cluster.jobs) {
    for (const JobId id : {job.id, job.array_job}) {
      (job.is_finished() ? ended : active).insert(id);
    }
  }
  std::erase_if(recorded.sprio, [&](const SprioRow& row) {
    return ended.contains(row.job) && !active.contains(row.job);
  });
}

RecordedTables differing_rows(const RecordedTables& recorded, const Cluster& cluster,
                              const NamePool& names, std::vector<TableDifference>& why) {
  Comparison comparison(recorded.at, cluster, names, why);
  RecordedTables left;
  left.at = recorded.at;
  for (const SprioRow& row : recorded.sprio) {
    if (!comparison.agrees(row)) left.sprio.push_back(row);
  }
  for (const SshareRow& row : recorded.sshare) {
    if (!comparison.agrees(row)) left.sshare.push_back(row);
  }
  return left;
}

}  // namespace rehearse
