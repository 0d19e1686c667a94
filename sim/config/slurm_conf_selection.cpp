// sim/config/slurm_conf_selection.cpp — plugins of selection, topology and preemption, and which
// combinations slurmctld refuses (formats.md §6.1, §6.4, §9; gres.md §1.1; preemption.md §1).
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
  if (const ConfPair* param = in.globals.own("TopologyParam")) {
    conf.topo_optional = contains_ignoring_case(param->value, "TopoOptional");
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
    reader.warning(*pair,
                   "select/linear gives whole nodes; CR_CPU, CR_Core and CR_Socket do nothing",
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

PreemptModes parse_preempt_mode(const FieldReader& in, const ConfPair& pair) {
  PreemptModes modes;
  int chosen = 0;
  for (const std::string_view word : split_list(pair.value)) {
    const auto is = [&](std::string_view name) { return equals_ignoring_case(word, name); };
    if (is("GANG")) {
      modes.gang = true;
    } else if (is("WITHIN")) {
      modes.within = true;
    } else if (is("CANCEL") || is("REQUEUE") || is("SUSPEND") || is("on")) {
      ++chosen;
      modes.mode = is("CANCEL")    ? PreemptMode::Cancel
                   : is("REQUEUE") ? PreemptMode::Requeue
                                   : PreemptMode::Suspend;
    } else if (!is("OFF") && !is("cluster")) {
      in.error(pair, fmt::format("{} is no preemption mode", shown(word)),
               is("CHECKPOINT") ? "CHECKPOINT was removed before 22.05; write REQUEUE"
                                : "OFF, CANCEL, REQUEUE or SUSPEND; with GANG or WITHIN");
    }
  }
  if (chosen > 1) in.error(pair, "CANCEL, REQUEUE and SUSPEND exclude each other", "keep one");
  if (modes.gang && modes.within && chosen == 0) {
    in.error(pair, "GANG,WITHIN says how, but not what happens to the victims",
             "add CANCEL, REQUEUE or SUSPEND");
  }
  return modes;
}

namespace {

/// Combinations with which slurmctld does not start (formats.md §6.4).
void check_preemption(ConfReading& in, const FieldReader& reader) {
  const SlurmConf& conf = in.conf;
  const ConfPair* type = in.globals.own("PreemptType");
  const ConfPair* mode = in.globals.own("PreemptMode");
  const bool is_off = conf.preempt_mode == PreemptMode::Off;
  if (conf.preempt_type != PreemptType::None && is_off) {
    reader.error(mode != nullptr ? *mode : *type,
                 fmt::format("{} needs a PreemptMode other than OFF", type->value),
                 "add PreemptMode=REQUEUE, CANCEL, or SUSPEND,GANG");
  }
  if (mode == nullptr) return;
  if (conf.preempt_type == PreemptType::None && !is_off) {
    reader.error(*mode, fmt::format("{} needs a PreemptType", shown(mode->value)),
                 "add PreemptType=preempt/qos or preempt/partition_prio");
  }
  if (conf.preempt_mode == PreemptMode::Suspend && !conf.preempt_gang) {
    reader.error(*mode, "SUSPEND requires GANG too", "write PreemptMode=SUSPEND,GANG");
  }
  if (conf.preempt_within && conf.preempt_type != PreemptType::Qos) {
    reader.error(*mode, "WITHIN needs PreemptType=preempt/qos");
  }
}

void read_preemption(ConfReading& in, const FieldReader& reader) {
  SlurmConf& conf = in.conf;
  constexpr Choice<PreemptType> kTypes[] = {{"preempt/none", PreemptType::None},
                                            {"preempt/qos", PreemptType::Qos},
                                            {"preempt/partition_prio", PreemptType::PartitionPrio}};
  read_choice(reader, "PreemptType", kTypes, conf.preempt_type);
  const std::size_t errors = in.found.error_count();
  if (const ConfPair* mode = in.globals.own("PreemptMode")) {
    const PreemptModes modes = parse_preempt_mode(reader, *mode);
    conf.preempt_mode = modes.mode;
    conf.preempt_gang = modes.gang;
    conf.preempt_within = modes.within;
  }
  if (in.found.error_count() == errors) check_preemption(in, reader);
  if (const ConfPair* exempt = in.globals.own("PreemptExemptTime")) {
    const std::optional<Seconds> span = parse_time_string(exempt->value);
    if (!span) {
      reader.error(*exempt, fmt::format("{} is not a time", shown(exempt->value)),
                   "write for example 00:10:00, or -1 for none");
    } else if (*span != Seconds{kUnlimited}) {
      conf.preempt_exempt_time = span;
    }
  }
  reader.read_seconds("SchedulerTimeSlice", conf.scheduler_time_slice, {.least = 5, .most = 65533});
}

}  // namespace

void read_selection_and_preemption(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  read_plugins(in, reader);
  read_select_parameters(in, reader);
  read_gres_types(in, reader);
  read_preemption(in, reader);
}

}  // namespace rehearse
