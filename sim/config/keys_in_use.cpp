// sim/config/keys_in_use.cpp — which keys a configuration sets, and what becomes of each.
#include <algorithm>
#include <iterator>
#include <set>

#include "sim/config/lint.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// Keys that would be ignored and may change results, with the values that mean nothing.
struct OffValue {
  std::string_view key, value;
};
constexpr OffValue kOffValues[] = {
    {"InactiveLimit", "0"},         {"InactiveLimit", "INFINITE"},
    {"InactiveLimit", "UNLIMITED"}, {"MCSPlugin", "mcs/none"},
    {"MaxTasksPerNode", "512"},     {"SlurmdParameters", "config_overrides"},
    {"TrackWCKey", "no"},
};

}  // namespace

bool is_off(std::string_view key, std::string_view value) {
  return std::any_of(std::begin(kOffValues), std::end(kOffValues), [&](const OffValue& off) {
    const bool same = equals_ignoring_case(value, off.value);
    return key == off.key && (same || (off.value == "no" && parse_conf_bool(value) == false));
  });
}

namespace {

class Uses {
 public:
  void add(KeyScope scope, std::string_view name, const SourcePosition& where,
           std::string_view value) {
    add(scope, name, where);
    if (uses_.empty() || !equals_ignoring_case(uses_.back().name, name)) return;
    if (is_off(uses_.back().name, value)) uses_.back().effect = KeyEffect::Harmless;
  }

  void add(KeyScope scope, std::string_view name, const SourcePosition& where) {
    const KnownKey* known = find_known_key(scope, name);
    if (known == nullptr || !seen_.insert({scope, known->name}).second) return;
    uses_.push_back(
        {scope, std::string(known->name), known->effect, std::string(known->meaning), where});
  }

  std::vector<KeyUse> sorted() {
    std::stable_sort(uses_.begin(), uses_.end(),
                     [](const KeyUse& a, const KeyUse& b) { return a.scope < b.scope; });
    return std::move(uses_);
  }

 private:
  std::set<std::pair<KeyScope, std::string_view>> seen_;
  std::vector<KeyUse> uses_;
};

void add_words(Uses& uses, const SlurmConf& conf) {
  const auto raw = conf.raw.find("SchedulerParameters");
  if (raw == conf.raw.end()) return;
  for (std::string_view item : split_list(raw->second.text)) {
    item.remove_prefix(std::min(item.find_first_not_of('='), item.size()));
    uses.add(KeyScope::SchedulerWord, trimmed(item.substr(0, item.find('='))), raw->second.where);
  }
}

}  // namespace

std::vector<KeyUse> keys_in_use(const SlurmConf& conf) {
  Uses uses;
  for (const auto& [name, value] : conf.raw) {
    uses.add(KeyScope::Global, name, value.where, value.text);
  }
  for (const auto& [name, where] : conf.node_keys) uses.add(KeyScope::Node, name, where);
  for (const auto& [name, where] : conf.partition_keys) uses.add(KeyScope::Partition, name, where);
  add_words(uses, conf);
  return uses.sorted();
}

}  // namespace rehearse
