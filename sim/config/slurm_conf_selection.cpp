// sim/config/slurm_conf_selection.cpp — plugins of selection and topology, and which combinations
// slurmctld refuses (formats.md §6.1, §6.4, §9; gres.md §1.1).
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

template <typename Value>
struct Choice {
  std::string_view word;
  Value value;
};

/// Sets `value` to the choice that `key` names, or tells which there are.
template <typename Value, std::size_t N>
void read_choice(const FieldReader& in, std::string_view key, const Choice<Value> (&choices)[N],
                 Value& value) {
  const ConfPair* pair = in.record().own(key);
  if (pair == nullptr) return;
  std::string words;
  for (const Choice<Value>& choice : choices) {
    if (equals_ignoring_case(pair->value, choice.word)) {
      value = choice.value;
      return;
    }
    words += (words.empty() ? "" : ", ") + std::string(choice.word);
  }
  in.error(*pair, fmt::format("{} is not simulated, or no plugin of Slurm", shown(pair->value)),
           words);
}

void read_plugins(ConfReading& in, const FieldReader& reader) {
  SlurmConf& conf = in.conf;
  constexpr Choice<SchedulerType> kSchedulers[] = {{"sched/backfill", SchedulerType::Backfill},
                                                   {"sched/builtin", SchedulerType::Builtin}};
  read_choice(reader, "SchedulerType", kSchedulers, conf.scheduler_type);
  if (has(in.version, Change::ConsTresByDefault)) conf.select_type = SelectType::ConsTres;
  constexpr Choice<SelectType> kSelects[] = {{"select/cons_tres", SelectType::ConsTres},
                                             {"select/cons_res", SelectType::ConsRes},
                                             {"select/linear", SelectType::Linear}};
  read_choice(reader, "SelectType", kSelects, conf.select_type);
  if (has(in.version, Change::ConsResIsGone) && conf.select_type == SelectType::ConsRes) {
    reader.error(*in.globals.own("SelectType"), "select/cons_res was removed in 23.11",
                 "write select/cons_tres");
  }
  constexpr Choice<TopologyPlugin> kTopologies[] = {{"topology/none", TopologyPlugin::None},
                                                    {"topology/tree", TopologyPlugin::Tree},
                                                    {"topology/block", TopologyPlugin::Block},
                                                    {"topology/default", TopologyPlugin::None},
                                                    {"topology/flat", TopologyPlugin::None}};
  read_choice(reader, "TopologyPlugin", kTopologies, conf.topology_plugin);
  const ConfPair* topology = in.globals.own("TopologyPlugin");
  if (topology != nullptr && !has(in.version, Change::TopologyOfBlocks) &&
      (conf.topology_plugin == TopologyPlugin::Block ||
       equals_ignoring_case(topology->value, "topology/default"))) {
    reader.error(*topology, fmt::format("{} came with 23.11", shown(topology->value)),
                 "topology/none or topology/tree");
  } else if (topology != nullptr && !has(in.version, Change::FlatTopology) &&
             equals_ignoring_case(topology->value, "topology/flat")) {
    reader.error(*topology, "'topology/flat' came with 25.05", "topology/none or topology/tree");
  }
}

/// One word of SelectTypeParameters; false: unknown.
bool select_word(std::string_view word, SlurmVersion version, SelectTypeParameters& chosen,
                 int& units) {
  const auto is = [&](std::string_view name) { return equals_ignoring_case(word, name); };
  constexpr Choice<ConsumableUnit> kUnits[] = {{"CR_CPU", ConsumableUnit::Cpu},
                                               {"CR_Core", ConsumableUnit::Core},
                                               {"CR_Socket", ConsumableUnit::Socket}};
  for (const auto& [name, unit] : kUnits) {
    const bool memory = is(std::string(name) + "_Memory");
    if (!memory && !is(name)) continue;
    chosen.unit = unit;
    chosen.memory |= memory;
    ++units;
    return true;
  }
  const auto flag = [&](std::string_view name, bool& value) { return is(name) && (value = true); };
  const bool knows_gres_flags = has(version, Change::GresSiteFlags);
  return flag("CR_Memory", chosen.memory) ||
         flag("CR_ONE_TASK_PER_CORE", chosen.one_task_per_core) ||
         flag("CR_CORE_DEFAULT_DIST_BLOCK", chosen.core_default_dist_block) ||
         flag("CR_LLN", chosen.lln) || flag("CR_PACK_NODES", chosen.pack_nodes) ||
         (knows_gres_flags &&
          (flag("ENFORCE_BINDING_GRES", chosen.enforce_binding_gres) ||
           flag("MULTIPLE_SHARING_GRES_PJ", chosen.multiple_sharing_gres_pj) ||
           flag("ONE_TASK_PER_SHARING_GRES", chosen.one_task_per_sharing_gres) ||
           flag("LL_SHARED_GRES", chosen.ll_shared_gres)));
}

void read_select_parameters(ConfReading& in, const FieldReader& reader) {
  SelectTypeParameters& chosen = in.conf.select_type_parameters;
  const bool linear = in.conf.select_type == SelectType::Linear;
  const ConfPair* pair = in.globals.own("SelectTypeParameters");
  if (pair == nullptr) {
    if (!linear) chosen = {.unit = ConsumableUnit::Core, .memory = true};
    return;
  }
  constexpr std::string_view kWords[] = {"CR_CPU",
                                         "CR_CPU_Memory",
                                         "CR_Core",
                                         "CR_Core_Memory",
                                         "CR_Socket",
                                         "CR_Socket_Memory",
                                         "CR_Memory",
                                         "CR_ONE_TASK_PER_CORE",
                                         "CR_CORE_DEFAULT_DIST_BLOCK",
                                         "CR_LLN",
                                         "CR_PACK_NODES"};
  int units = 0;
  for (const std::string_view word : split_list(pair->value)) {
    if (select_word(word, in.version, chosen, units)) continue;
    std::string hint = did_you_mean(word, kWords);
    SelectTypeParameters later;
    if (select_word(word, {23, 11}, later, units)) hint = "it came with 23.11";
    reader.error(*pair, fmt::format("{} is not known to {}", shown(word), to_text(in.version)),
                 std::move(hint));
  }
  if (chosen.enforce_binding_gres || chosen.multiple_sharing_gres_pj ||
      chosen.one_task_per_sharing_gres || chosen.ll_shared_gres) {
    reader.warning(*pair, "the GRES flags of 23.11 are accepted, but not simulated",
                   "give --gres-flags=enforce-binding to jobs where it matters");
  }
  if (units > 1) reader.error(*pair, "CR_CPU, CR_Core and CR_Socket exclude each other");
  if (!linear && units == 0) {
    reader.error(*pair, "select/cons_res and select/cons_tres need CR_CPU, CR_Core or CR_Socket",
                 chosen.memory ? "CR_Memory alone is for select/linear; write CR_Core_Memory"
                               : "write CR_Core_Memory");
  }
  if (linear && units > 0) {
    reader.warning(
        *pair,
        "select/linear gives whole nodes: CR_CPU, CR_Core and CR_Socket do not go with it, and "
        "slurmctld stops at it",
        "write SelectType=select/cons_tres to share nodes");
    chosen.unit = ConsumableUnit::None;
  }
}

/// gres.md §1.1: duplicates go, mps and shard move behind gpu, and both need gpu and cons_tres.
void read_gres_types(ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("GresTypes");
  if (pair == nullptr) return;
  std::vector<std::string> shared;
  std::vector<std::string>& types = in.conf.gres_types;
  bool has_gpu = false;
  for (const std::string_view name : split_list(pair->value)) {
    std::vector<std::string>& list = name == "mps" || name == "shard" ? shared : types;
    has_gpu |= name == "gpu";
    if (std::find(list.begin(), list.end(), name) != list.end()) {
      reader.warning(*pair, fmt::format("{} is listed twice", shown(name)));
      continue;
    }
    list.emplace_back(name);
  }
  if (shared.empty()) return;
  if (!has_gpu) {
    reader.error(*pair, fmt::format("{} needs gpu, which is not listed", shared.front()),
                 fmt::format("write GresTypes=gpu,{}", fmt::join(shared, ",")));
  } else if (in.conf.select_type != SelectType::ConsTres) {
    reader.error(*pair, fmt::format("{} needs SelectType=select/cons_tres", shared.front()));
  }
  const auto gpu = std::find(types.begin(), types.end(), "gpu");
  types.insert(gpu == types.end() ? gpu : std::next(gpu), shared.begin(), shared.end());
}

}  // namespace

void read_selection(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  read_plugins(in, reader);
  read_select_parameters(in, reader);
  read_gres_types(in, reader);
}

}  // namespace rehearse
