// sim/config/lint.cpp — looking keys up, and what to tell about one that nobody knows.
#include "sim/config/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/config/known_keys.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// Keys of old examples and blog posts (formats.md §9).
struct FormerKey {
  std::string_view name, hint;
  bool was_ever = true;
};
constexpr FormerKey kFormerKeys[] = {
    {"FaultTolerance", "remove it", false},
    {"FaultTolerancePlugin", "remove it", false},
    {"NodeStateInterval", "remove it; SlurmdTimeout= tells when a silent node is DOWN", false},
    {"OnExit", "remove it; RequeueExit= and RequeueExitHold= act on exit codes", false},
    {"SchedulerPort", "remove it"},
    {"SchedulerRootFilter", "remove it"},
    {"CacheGroups", "remove it; GroupUpdateTime= took its place"},
    {"CheckpointType", "remove it"},
    {"DefaultStorageHost", "remove it; AccountingStorageHost= took its place"},
    {"DefaultStorageLoc", "remove it"},
    {"DefaultStoragePass", "remove it; AccountingStoragePass= took its place"},
    {"DefaultStoragePort", "remove it; AccountingStoragePort= took its place"},
    {"DefaultStorageType", "remove it; AccountingStorageType= took its place"},
    {"DefaultStorageUser", "remove it"},
    {"JobCheckpointDir", "remove it"},
    {"MemLimitEnforce", "remove it; JobAcctGatherParams=OverMemoryKill took its place"},
    {"UseSpecResources", "remove it; AllowSpecResourcesUsage= took its place"},
};

/// A slurm.conf of an older release is read as it is.
KeyTrouble passed_over(std::string_view name, std::string_view hint) {
  return {fmt::format("{} was removed before 22.05, whose slurmctld stops at it; it decides "
                      "nothing here, and is passed over",
                      name),
          std::string(hint), true};
}

std::string_view scope_text(KeyScope scope) {
  switch (scope) {
    case KeyScope::Global:
      return "slurm.conf";
    case KeyScope::Node:
      return "a NodeName line";
    case KeyScope::Partition:
      return "a PartitionName line";
    case KeyScope::SchedulerWord:
      return "SchedulerParameters";
  }
  return "";
}

std::array<std::span<const KnownKey>, 2> tables_of(KeyScope scope) {
  switch (scope) {
    case KeyScope::Global:
      return {scheduling_keys(), daemon_keys()};
    case KeyScope::Node:
      return {node_keys()};
    case KeyScope::Partition:
      return {partition_keys()};
    case KeyScope::SchedulerWord:
      return {scheduler_words()};
  }
  return {};
}

std::string nearest_key(KeyScope scope, std::string_view name, Release release) {
  std::vector<std::string_view> names;
  for (const KnownKey* key : known_keys(scope)) {
    if (key->since <= release && release < key->until) names.push_back(key->name);
  }
  return did_you_mean(name, names);
}

/// A key that is right, but elsewhere.
std::string misplaced_hint(KeyScope scope, std::string_view name) {
  if (scope != KeyScope::Node && find_known_key(KeyScope::Node, name) != nullptr) {
    return fmt::format("{} belongs on a NodeName line", find_known_key(KeyScope::Node, name)->name);
  }
  if (scope != KeyScope::Partition && find_known_key(KeyScope::Partition, name) != nullptr) {
    return fmt::format("{} belongs on a PartitionName line",
                       find_known_key(KeyScope::Partition, name)->name);
  }
  if (scope != KeyScope::SchedulerWord &&
      find_known_key(KeyScope::SchedulerWord, name) != nullptr) {
    return fmt::format("{0} is a word of SchedulerParameters= (--set SchedulerParameters+={0}…)",
                       find_known_key(KeyScope::SchedulerWord, name)->name);
  }
  if (scope != KeyScope::Global && find_known_key(KeyScope::Global, name) != nullptr) {
    return fmt::format("{} is a key of its own: it begins a line",
                       find_known_key(KeyScope::Global, name)->name);
  }
  return {};
}

}  // namespace

std::string_view to_text(KeyEffect effect) {
  switch (effect) {
    case KeyEffect::Simulated:
      return "simulated";
    case KeyEffect::Harmless:
      return "harmless";
    case KeyEffect::IgnoredMayChangeResults:
      return "ignored and may change results";
  }
  return "";
}

Release release_of(SlurmVersion version) {
  return static_cast<Release>(version.major * 100 + version.minor);
}

std::string release_text(Release release) {
  return fmt::format("{}.{:02}", release / 100, release % 100);
}

std::vector<const KnownKey*> known_keys(KeyScope scope) {
  std::vector<const KnownKey*> keys;
  for (const std::span<const KnownKey> table : tables_of(scope)) {
    for (const KnownKey& key : table) keys.push_back(&key);
  }
  return keys;
}

const KnownKey* find_known_key(KeyScope scope, std::string_view name) {
  for (const std::span<const KnownKey> table : tables_of(scope)) {
    for (const KnownKey& key : table) {
      if (key.name.size() == name.size() && equals_ignoring_case(key.name, name)) return &key;
    }
  }
  return nullptr;
}

KeyTrouble check_key(KeyScope scope, std::string_view name, Release release) {
  const KnownKey* key = find_known_key(scope, name);
  if (key != nullptr) {
    if (!key->fatal.empty()) return passed_over(key->name, key->fatal);
    if (release < key->since) {
      return {fmt::format("{} came with {}; {} does not know it", key->name,
                          release_text(key->since), release_text(release)),
              fmt::format("remove it; or, in site.yaml: slurm_version: \"{}\"",
                          release_text(key->since))};
    }
    if (release >= key->until) {
      return {fmt::format("{} was removed in {}", key->name, release_text(key->until)),
              "remove it"};
    }
    return {};
  }
  for (const FormerKey& former : kFormerKeys) {
    if (!equals_ignoring_case(former.name, name)) continue;
    if (former.was_ever) return passed_over(former.name, former.hint);
    return {fmt::format("{}: no release of Slurm has such a key", former.name),
            std::string(former.hint)};
  }
  if (scope == KeyScope::Partition && equals_ignoring_case(name, "Gres")) {
    return {"Gres is not a key of a PartitionName line",
            "GPUs belong to nodes: NodeName=... Gres=gpu:8, and GresTypes=gpu"};
  }
  std::string hint = misplaced_hint(scope, name);
  if (equals_ignoring_case(name, "Include")) hint = "write Include FILE, in the first column";
  if (hint.empty()) hint = nearest_key(scope, name, release);
  return {fmt::format("{} is not a key of {}", shown(name), scope_text(scope)), std::move(hint)};
}

}  // namespace rehearse
