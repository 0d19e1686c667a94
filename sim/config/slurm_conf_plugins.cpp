// sim/config/slurm_conf_plugins.cpp — plugins that decide no schedule, by name: slurmctld stops at
// one that it does not find (formats.md §6.7).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

/// A key that names plugins: `kind/name`, or `name` alone where Slurm adds the kind.
struct PluginKey {
  std::string_view key, kind;
  bool adds_kind = false;
  std::string_view names;  ///< of all releases
};

constexpr std::array<PluginKey, 16> kPluginKeys = {{
    {"AcctGatherEnergyType", "acct_gather_energy", true,
     "cray_aries,gpu,ibmaem,ipmi,none,pm_counters,rapl,xcc"},
    {"AcctGatherFilesystemType", "acct_gather_filesystem", false, "lustre,none"},
    {"AcctGatherInterconnectType", "acct_gather_interconnect", true, "none,ofed,sysfs"},
    {"AcctGatherProfileType", "acct_gather_profile", false, "hdf5,influxdb,none"},
    {"AuthAltTypes", "auth", false, "jwt,munge,none,slurm"},
    {"AuthType", "auth", false, "munge,none,slurm"},
    {"BurstBufferType", "burst_buffer", true, "datawarp,lua"},
    {"CredType", "cred", false, "munge,none,slurm"},
    {"ExtSensorsType", "ext_sensors", false, "none,rrd"},
    {"JobAcctGatherType", "jobacct_gather", false, "cgroup,linux,none"},
    {"JobSubmitPlugins", "job_submit", true,
     "all_partitions,cray_aries,defaults,logging,lua,partition,pbs,require_timelimit,throttle"},
    {"MCSPlugin", "mcs", false, "account,group,label,none,user"},
    {"NodeFeaturesPlugins", "node_features", true, "helpers,knl_cray,knl_generic"},
    {"PowerPlugin", "power", true, "cray_aries,none"},
    {"PrEpPlugins", "prep", true, "script"},
    {"SwitchType", "switch", false, "cray_aries,hpe_slingshot,none,nvidia_imex"},
}};

/// What may stand as a value of the key.
std::vector<std::string> values_of(const PluginKey& key) {
  std::vector<std::string> values;
  for (const std::string_view name : split_list(key.names)) {
    values.push_back(fmt::format("{}/{}", key.kind, name));
  }
  if (!key.adds_kind) return values;
  for (const std::string_view name : split_list(key.names)) values.emplace_back(name);
  return values;
}

/// What to write instead.
std::string hint_for(std::string_view word, const PluginKey& key,
                     std::span<const std::string_view> known) {
  const std::vector<std::string_view> names = split_list(key.names);
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    return fmt::format("write {}/{}", key.kind, word);
  }
  if (word.ends_with("none")) return "remove the key";
  const std::string near = did_you_mean(word, known);
  return near.empty() ? fmt::format("Slurm has {}/{}", key.kind, key.names) : near;
}

/// Names of files: small letters and capitals differ.
void tell_unknown_plugins(const FieldReader& reader, const ConfPair& pair, const PluginKey& key) {
  const std::vector<std::string> values = values_of(key);
  const std::vector<std::string_view> known(values.begin(), values.end());
  for (const std::string_view word : split_list(pair.value)) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    reader.warning(pair,
                   fmt::format("{} is no plugin of Slurm; slurmctld stops at it, unless the site "
                               "has one of its own",
                               shown(word)),
                   hint_for(word, key, known));
  }
}

/// mcs/group is told by MCSParameters which groups it is of, which stand for no plugin.
void check_mcs(const ConfReading& in, const FieldReader& reader) {
  const ConfPair* plugin = in.globals.own("MCSPlugin");
  const ConfPair* parameters = in.globals.own("MCSParameters");
  if (plugin != nullptr && plugin->value == "mcs/group" && parameters == nullptr) {
    reader.error(*plugin, "mcs/group has no MCSParameters; slurmctld stops at it",
                 "write for example MCSParameters=ondemand,select:students|staff");
  }
  if (plugin == nullptr && parameters != nullptr) {
    reader.error(*parameters, "there is no MCSPlugin; slurmctld stops at it",
                 "write for example MCSPlugin=mcs/account, or remove the key");
  }
}

}  // namespace

void read_plugin_names(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  for (const PluginKey& key : kPluginKeys) {
    const ConfPair* pair = in.globals.own(key.key);
    if (pair != nullptr) tell_unknown_plugins(reader, *pair, key);
  }
  check_mcs(in, reader);
}

}  // namespace rehearse
