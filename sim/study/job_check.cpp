// sim/study/job_check.cpp — jobs that this cluster would never run, found without running any.
#include "sim/study/job_check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/study/job_judge.hpp"

namespace rehearse {
namespace {

/// Jobs that commands make others: what they were submitted with does not tell whether they run.
class ChangedJobs {
 public:
  explicit ChangedJobs(const std::vector<AdminCommandAt>& commands) {
    for (const AdminCommandAt& command : commands) {
      const auto* change = std::get_if<UpdateJobs>(&command.action);
      if (change == nullptr || !is_of_verdict(*change)) continue;
      for (const JobTarget& target : change->targets) {
        if (target.name == kNoName) {
          ids_.insert(target.id);
        } else {
          names_.insert(target.name);
        }
      }
    }
  }
  [[nodiscard]] bool hold(const JobSpec& spec) const {
    return ids_.contains(spec.id) || names_.contains(spec.name);
  }

 private:
  static bool is_of_verdict(const UpdateJobs& change) {
    return change.partitions || change.qos || change.account || change.time_limit ||
           change.time_min || change.request;
  }
  std::set<JobId> ids_;
  std::set<NameId> names_;
};

std::set<PartitionId> changed_partitions(const std::vector<AdminCommandAt>& commands) {
  std::set<PartitionId> changed;
  for (const AdminCommandAt& command : commands) {
    for (const UpdatePartition& change : partitions_changed_by(command.action)) {
      changed.insert(change.partition);
    }
  }
  return changed;
}

/// Types that a layout has at some time of the run are listed, as slurmctld has them then.
class AllLayouts {
 public:
  explicit AllLayouts(Cluster& cluster) : cluster_(cluster) {
    for (Node& node : cluster_.nodes) {
      for (NodeGres& gres : node.gres) {
        for (GresDevice& device : gres.devices) {
          if (device.presence != Presence::Unlisted) continue;
          device.presence = Presence::Absent;
          listed_.push_back(&device);
        }
      }
    }
    if (!listed_.empty()) cluster_.devices_changed();
  }
  AllLayouts(const AllLayouts&) = delete;
  AllLayouts& operator=(const AllLayouts&) = delete;
  ~AllLayouts() {
    for (GresDevice* device : listed_) device->presence = Presence::Unlisted;
    if (!listed_.empty()) cluster_.devices_changed();
  }
  [[nodiscard]] bool list_more() const { return !listed_.empty(); }

 private:
  Cluster& cluster_;
  std::vector<GresDevice*> listed_;
};

bool changes_accounts(const LoadedSite& site) {
  return std::any_of(site.commands.begin(), site.commands.end(), [](const AdminCommandAt& command) {
    return std::holds_alternative<ChangeAccounts>(command.action);
  });
}

/// Of its tasks, those that ran when they were recorded.
std::uint64_t tasks_that_ran(const JobSpec& spec) {
  if (!spec.extras || spec.extras->array.empty()) return spec.recorded_start ? 1 : 0;
  const auto& array = spec.extras->array;
  const auto ran = std::count_if(array.begin(), array.end(),
                                 [](const ArrayTask& task) { return bool{task.recorded_start}; });
  return static_cast<std::uint64_t>(ran);
}

}  // namespace

std::vector<ImpossibleJobs> find_impossible_jobs(LoadedSite& site) {
  const AllLayouts all(*site.cluster);
  JobJudge judge(*site.cluster, changes_accounts(site), changed_partitions(site.commands));
  std::map<std::string, ImpossibleJobs> by_reason;
  const auto tell = [&](const JobSpec& spec, const std::string& why, bool of_its_own) {
    ImpossibleJobs& group = by_reason[why];
    if (group.jobs == 0 || spec.source_row < group.first_line) {
      group.first_line = spec.source_row;
      // Of a component that slurmctld refused, another job has what would have been its id.
      const JobId leader = spec.extras ? spec.extras->het_leader : JobId{};
      group.first_id = static_cast<std::uint32_t>(leader != JobId{} ? leader : spec.id);
      group.first_asks = judge.request_of(spec);
      group.first_lacks = of_its_own ? judge.lack_of(spec) : std::string();
    }
    group.why = why;
    group.jobs += tasks_of(spec);
    group.ran += tasks_that_ran(spec);
  };
  const ChangedJobs changed(site.commands);
  std::map<JobId, std::vector<const JobSpec*>> components;  // of whom each might run
  std::set<JobId> impossible;                               // heterogeneous jobs
  for (const JobSpec& spec : site.trace.jobs.specs()) {
    if (changed.hold(spec)) continue;
    const JobId leader = spec.extras ? spec.extras->het_leader : JobId{};
    const auto why = judge.verdict(spec);
    if (why) tell(spec, *why, true);
    if (leader == JobId{}) continue;
    if (why) impossible.insert(leader);
    components[leader].push_back(&spec);
  }
  for (const auto& [leader, specs] : components) {
    if (impossible.contains(leader)) continue;
    const auto why = judge.verdict_together(specs);
    if (!why) continue;
    for (const JobSpec* spec : specs) tell(*spec, *why, false);
  }
  std::vector<ImpossibleJobs> groups;
  for (auto& [why, group] : by_reason) groups.push_back(std::move(group));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.first_line < b.first_line; });
  return groups;
}

std::uint64_t count_jobs_of_later_layouts(LoadedSite& site) {
  if (!AllLayouts(*site.cluster).list_more()) return 0;
  JobJudge as_it_begins(*site.cluster, changes_accounts(site), changed_partitions(site.commands));
  std::vector<const JobSpec*> lacking;
  for (const JobSpec& spec : site.trace.jobs.specs()) {
    if (as_it_begins.verdict(spec)) lacking.push_back(&spec);
  }
  const AllLayouts all(*site.cluster);
  JobJudge judge(*site.cluster, changes_accounts(site), changed_partitions(site.commands));
  std::uint64_t jobs = 0;
  for (const JobSpec* spec : lacking) jobs += judge.verdict(*spec) ? 0 : tasks_of(*spec);
  return jobs;
}

}  // namespace rehearse
