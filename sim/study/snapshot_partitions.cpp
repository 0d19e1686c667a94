// sim/study/snapshot_partitions.cpp — each value read as slurm.conf's reader takes it, and
// compared.
#include "sim/study/snapshot_partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/slurm_conf_again.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/study/snapshot_files.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

template <auto Member>
bool same(const PartitionConf& a, const PartitionConf& b) {
  return a.*Member == b.*Member;
}

/// Lists of names, in whatever order.
template <auto Member>
bool same_names(const PartitionConf& a, const PartitionConf& b) {
  std::vector<std::string> left = a.*Member, right = b.*Member;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  return left == right;
}

struct ComparedKey {
  std::string_view key;
  bool (*same)(const PartitionConf& a, const PartitionConf& b);
};
constexpr std::array<ComparedKey, 19> kCompared{
    {{"State", same<&PartitionConf::state>},
     {"MaxTime", same<&PartitionConf::max_time>},
     {"DefaultTime", same<&PartitionConf::default_time>},
     {"MinNodes", same<&PartitionConf::min_nodes>},
     {"MaxNodes", same<&PartitionConf::max_nodes>},
     {"MaxCPUsPerNode", same<&PartitionConf::max_cpus_per_node>},
     {"Nodes", same_names<&PartitionConf::nodes>},
     {"PriorityTier", same<&PartitionConf::priority_tier>},
     {"PriorityJobFactor", same<&PartitionConf::priority_job_factor>},
     {"AllowAccounts", same_names<&PartitionConf::allow_accounts>},
     {"DenyAccounts", same_names<&PartitionConf::deny_accounts>},
     {"AllowQos", same_names<&PartitionConf::allow_qos>},
     {"DenyQos", same_names<&PartitionConf::deny_qos>},
     {"AllowGroups", same_names<&PartitionConf::allow_groups>},
     {"GraceTime", same<&PartitionConf::grace_time>},
     {"LLN", same<&PartitionConf::lln>},
     {"ExclusiveUser", same<&PartitionConf::exclusive_user>},
     {"ReqResv", same<&PartitionConf::req_resv>},
     {"RootOnly", same<&PartitionConf::root_only>}}};

const PartitionConf* find(const SlurmConf& conf, std::string_view name) {
  const auto at = std::find_if(conf.partitions.begin(), conf.partitions.end(),
                               [&](const PartitionConf& each) { return each.name == name; });
  return at != conf.partitions.end() ? &*at : nullptr;
}

/// A value of the record.
struct Reading {
  const ComparedKey* key;
  std::string_view value;
};

class PartitionRecord {
 public:
  PartitionRecord(const SlurmConf& conf, SlurmVersion version, const PartitionConf& ours,
                  std::string_view record)
      : conf_(conf), version_(version), ours_(ours) {
    for (const ComparedKey& each : kCompared) {
      const std::string_view value = record_value(record, each.key);
      if (value.empty() || value == "NONE" || value == "N/A" || value == "(null)") continue;
      told_.push_back({&each, value});
    }
  }

  /// `MaxTime=00:10:00`, of each key that differs.
  [[nodiscard]] std::vector<std::string> changed() const {
    std::vector<std::string> all;
    if (compare(told_, all)) return all;
    all.clear();  // one of them is no value of slurm.conf: each by itself
    for (const Reading& each : told_) (void)compare({each}, all);
    return all;
  }

 private:
  [[nodiscard]] bool compare(const std::vector<Reading>& told,
                             std::vector<std::string>& all) const {
    std::vector<std::string> changes;
    for (const Reading& each : told) {
      changes.push_back(
          fmt::format("PartitionName={}:{}={}", ours_.name, each.key->key, each.value));
    }
    Diagnostics wrong;
    const SlurmConf theirs = read_again(conf_, changes, version_, wrong);
    const PartitionConf* const then = wrong.has_errors() ? nullptr : find(theirs, ours_.name);
    if (then == nullptr) return false;
    for (const Reading& each : told) {
      if (!each.key->same(ours_, *then)) {
        all.push_back(fmt::format("{}={}", each.key->key, each.value));
      }
    }
    return true;
  }

  const SlurmConf& conf_;
  SlurmVersion version_;
  const PartitionConf& ours_;
  std::vector<Reading> told_;
};

}  // namespace

void tell_changed_partitions(const LoadedSite& site, Diagnostics& found) {
  const fs::path path = site.folder.root / "snapshot" / "partitions.txt";
  if (!fs::is_regular_file(path)) return;
  const auto text = text::read_file(path, found);
  if (!text) return;
  const SlurmVersion version = site.inputs.site.slurm_version;
  Diagnostics told_before;
  const SlurmConf conf = read_again(site.inputs.slurm_conf, {}, version, told_before);
  const std::vector<std::string_view> lines = text::lines_of(*text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PartitionConf* const ours = find(conf, record_value(lines[i], "PartitionName"));
    if (ours == nullptr) continue;
    const auto changed = PartitionRecord(conf, version, *ours, lines[i]).changed();
    if (changed.empty()) continue;
    found.warning(
        {path.string(), static_cast<std::uint32_t>(i + 1), 1},
        fmt::format(
            "partition {} had {}, which slurm.conf does not say: the run goes by slurm.conf",
            ours->name, fmt::join(changed, ", ")),
        fmt::format("did scontrol change it, add to events.csv: TIME,scontrol update "
                    "PartitionName={} {}",
                    ours->name, fmt::join(changed, " ")));
  }
}

}  // namespace rehearse
