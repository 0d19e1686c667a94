// sim/study/load_site.cpp — a site folder as inputs, jobs, admin commands and a built cluster.
#include "sim/study/load_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/failure/failure_process.hpp"
#include "models/runtime/device_figures.hpp"
#include "sim/config/cgroup_conf.hpp"
#include "sim/config/reservation_words.hpp"
#include "sim/config/sdiag_table.hpp"
#include "sim/config/site_changes.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/controller/command_text.hpp"
#include "sim/sched/orders/registry.hpp"
#include "sim/sched/partition_access.hpp"
#include "sim/sched/preempt/quotas.hpp"
#include "sim/sched/priority/usage.hpp"
#include "sim/sched/reservations/creation.hpp"
#include "sim/study/idle_settings.hpp"
#include "sim/study/later_partitions.hpp"
#include "sim/study/shared_inputs.hpp"
#include "sim/study/site_users.hpp"
#include "sim/study/site_warnings.hpp"
#include "sim/study/snapshot_files.hpp"
#include "sim/study/trace_gaps.hpp"
#include "sim/study/trace_limits.hpp"
#include "sim/study/trace_log.hpp"
#include "workloads/input.hpp"

namespace rehearse {
namespace {

/// The instants at which a recording's backfill cycles began (meta.json, milliseconds). A replay
/// that is held against the recording keeps them, so that it is judged by its decisions and not by
/// the phase of a clock; without the file the simulated thread keeps its own time.
std::vector<Time> recorded_cycles(const nlohmann::json& meta, const TimeZone& zone) {
  std::vector<Time> instants;
  if (!meta.is_object() || !meta.contains("backfill_began") || !meta["backfill_began"].is_array()) {
    return instants;
  }
  for (const auto& item : meta["backfill_began"]) {
    if (!item.is_string()) continue;
    if (const auto at = zone.read_instant(item.get<std::string>())) instants.push_back(*at);
  }
  std::sort(instants.begin(), instants.end());
  return instants;
}

/// What the loops of the real controller took, where site.yaml wants it.
void read_costs(LoadedSite& loaded, Diagnostics& found) {
  SiteConf::Controller& controller = loaded.inputs.site.controller;
  if (!controller.costs_from_sdiag) return;
  const std::filesystem::path path = loaded.folder.root / "sdiag.txt";
  const LoopTimes times = read_sdiag(path, found);
  controller.main_cost_per_pass = times.main_per_pass;
  controller.main_cost_per_record = times.main_per_record;
  controller.backfill_cost_per_cycle = times.backfill_per_cycle;
  controller.backfill_cost_per_try = times.backfill_per_try;
  found.note({path.string(), 0, 0},
             fmt::format("the loops take time: {} us a pass and {} us a record of the main "
                         "scheduler, {} us a cycle and {} us a try of backfill",
                         times.main_per_pass.count(), times.main_per_record.count(),
                         times.backfill_per_cycle.count(), times.backfill_per_try.count()),
             "controller.costs_from_sdiag: false in site.yaml lets them take none");
}

/// When the controller started: site.yaml, else what `record` leaves in a recording.
void read_start(LoadedSite& loaded, Diagnostics& found) {
  SiteConf::Controller& controller = loaded.inputs.site.controller;
  const std::filesystem::path meta = loaded.folder.root / "meta.json";
  SourcePosition where{loaded.folder.site_yaml.value_or(meta).string(), 0, 0};
  std::string text = controller.started;
  loaded.log = find_controller_log(loaded.folder.root, loaded.zone);
  const bool logged = loaded.log && loaded.log->loops_began;
  if (std::filesystem::exists(meta)) {
    const auto json =
        nlohmann::json::parse(text::read_file(meta, found).value_or("{}"), nullptr, false);
    if (!json.is_object()) {
      found.error({meta.string(), 0, 0}, "is no JSON object, as rehearse record writes it",
                  "without it the site is no recording: remove it");
    }
    loaded.backfill_began = recorded_cycles(json, loaded.zone);
    if (json.is_object() && json.contains("rate") && json["rate"].is_number() &&
        controller.completion_latency == Duration{0}) {
      // A node daemon answers in 4 ms of machine time, in 22 where it has to kill (medians of the
      // 8,577 clean-ups in the logs of 44 recordings), and a pass comes to its first start in
      // 0.1 ms, of which a recording's clock makes `rate` times as much.
      const double rate = std::clamp(json["rate"].get<double>(), 1.0, 1000.0);
      controller.completion_latency = Duration{static_cast<std::int64_t>(rate * 4000.0)};
      controller.kill_latency = Duration{static_cast<std::int64_t>(rate * 18000.0)};
      if (controller.main_cost_per_pass == Duration{0}) {
        controller.main_cost_per_pass = Duration{static_cast<std::int64_t>(rate * 100.0)};
      }
    }
    if (!loaded.backfill_began.empty()) {
      found.note({meta.string(), 0, 0},
                 fmt::format("a recording: {} backfill cycles begin when the recorded ones did",
                             loaded.backfill_began.size()),
                 "rename meta.json to let the simulated thread keep its own time");
    }
    // Its threads begin a minute behind it where it waits for its database.
    for (const char* key : {"loops_began", "controller_start"}) {
      if (text.empty() && !logged && json.is_object() && json.contains(key) &&
          json[key].is_string()) {
        text = json[key].get<std::string>();
      }
    }
  }
  if (text.empty()) {
    if (logged) controller.started_at = whole_second(*loaded.log->loops_began);
    return;
  }
  controller.started_at = loaded.zone.read(text);
  if (!controller.started_at) {
    found.error(std::move(where), fmt::format("controller start: '{}' is not a time", text),
                "write 2025-03-01T12:00:00, in the site's zone or with Z");
  }
}

void read_configuration(const std::filesystem::path& site, const LoadOptions& options,
                        const std::vector<const LoadedSite*>& readers, LoadedSite& loaded,
                        Diagnostics& found) {
  loaded.folder = open_site(site, found);
  found.throw_if_errors();  // without a folder there is nothing else to tell
  std::vector<std::string> changes = loaded.folder.set;
  changes.insert(changes.end(), options.set.begin(), options.set.end());

  SiteInputs& inputs = loaded.inputs;
  inputs.site = loaded.folder.conf;
  const SiteChanges split = split_changes(changes, found);
  loaded.changes = split.others;
  change_site_keys(split, inputs.site, found);
  if (options.seed) inputs.site.seed = *options.seed;
  std::vector<std::string> of_conf = split.slurm_conf;
  std::ranges::move(slurm_conf_of(inputs.site.policy), std::back_inserter(of_conf));
  inputs.slurm_conf =
      read_slurm_conf(loaded.folder.slurm_conf, of_conf, found, inputs.site.slurm_version);
  inputs.gres_conf = read_gres_conf(loaded.folder.gres_conf, found);
  const bool wants_topology = inputs.slurm_conf.topology_plugin == TopologyPlugin::Tree;
  if (wants_topology || std::filesystem::exists(loaded.folder.topology_conf)) {
    inputs.topology = read_topology_conf(loaded.folder.topology_conf, found);
    if (wants_topology && inputs.topology.empty() && !found.has_errors()) {
      inputs.slurm_conf.topology_plugin = TopologyPlugin::None;
      found.warning({loaded.folder.topology_conf.string(), 0, 0},
                    "no switch is named, though slurm.conf has TopologyPlugin=topology/tree: nodes "
                    "are chosen without a topology, as slurmctld does then",
                    "name them: SwitchName=leaf1 Nodes=n[01-16]; or TopologyPlugin=topology/none");
    }
  }
  inputs.cgroup = read_cgroup_conf(loaded.folder.cgroup_conf, found);
  inputs.accounting = read_accounting(loaded.folder.root, found, inputs.site.slurm_version);
  take_named_qos(inputs.accounting, inputs.slurm_conf, found);
  change_accounting(split, inputs.accounting, found);
  change_nodes(split, inputs.slurm_conf, inputs.gres_conf, inputs.topology, inputs.site, found);
  add_later_partitions(loaded.folder, inputs);
  if (auto zone = TimeZone::find(inputs.site.time_zone)) {
    loaded.zone = std::move(*zone);
  } else {
    found.error({loaded.folder.site_yaml.value_or(site).string(), 0, 0},
                fmt::format("time_zone: '{}' is not a time zone", inputs.site.time_zone),
                "write an IANA name: Europe/Oslo, America/New_York, UTC");
  }
  read_costs(loaded, found);
  read_start(loaded, found);
  note_unknown_groups(inputs, found);
  tell_configuration(loaded, found);
  take_catalogue_or_read(readers, loaded, found);
  found.throw_if_errors();
}

/// A bound of --from or --to.
std::optional<SlurmTime> bound(const LoadedSite& loaded, std::string_view option,
                               const std::string& text, Diagnostics& found) {
  if (text.empty()) return std::nullopt;
  const auto at = loaded.zone.read(text);
  if (!at) {
    found.error({std::string(option), 0, 0}, fmt::format("'{}' is not a time", text),
                "write 2025-03-01T12:00:00 (in the site's zone) or 2025-03-01T12:00:00Z");
  }
  return at;
}

/// A bare date is its midnight.
std::string with_time(const std::string& text) {
  constexpr std::size_t kDateLength = 10;
  return text.size() == kDateLength ? text + "T00:00:00" : text;
}

/// How the rows are to be read, but for what takes more than a look to know.
void choose_jobs(const LoadOptions& options, LoadedSite& loaded, Diagnostics& found) {
  loaded.jobs_path = options.jobs ? options.jobs : loaded.folder.jobs;
  if (!options.reads_jobs) loaded.jobs_path.reset();
  loaded.has_jobs = loaded.jobs_path.has_value();
  if (!loaded.has_jobs) return;
  loaded.sacct.time_zone = loaded.inputs.site.time_zone;
  loaded.sacct.zone_is_assumed = !loaded.inputs.site.names_zone;
  loaded.sacct.cluster = loaded.inputs.slurm_conf.cluster_name;
  loaded.sacct.from = bound(loaded, "--from", with_time(options.from), found);
  loaded.sacct.to = bound(loaded, "--to", with_time(options.to), found);
  if (loaded.sacct.from && loaded.sacct.to && *loaded.sacct.to <= *loaded.sacct.from) {
    found.error({"--to", 0, 0}, fmt::format("'{}' is not after --from", options.to),
                "jobs from --from on and before --to are taken");
  }
  if (!options.start_from.empty()) loaded.arrivals_from = std::exchange(loaded.sacct.from, {});
  loaded.user_change = {options.resample_users, options.growth, loaded.inputs.site.seed};
  if (loaded.user_change.is_neutral()) loaded.user_change = {};
}

std::set<std::string, std::less<>> operators_of(const SiteInputs& inputs) {
  std::set<std::string, std::less<>> users;
  for (const AssociationConf& each : inputs.accounting.associations) {
    if (each.is_operator) users.insert(each.user);
  }
  const auto own = inputs.slurm_conf.raw.find("SlurmUser");
  if (own != inputs.slurm_conf.raw.end()) users.insert(own->second.text);
  return users;
}

/// Names of those that stand as the run begins, and that admins make in its course.
std::set<std::string, std::less<>> reservations_of(const std::vector<ReservationWords>& standing,
                                                   const std::vector<AdminCommand>& commands) {
  constexpr std::string_view kName = "reservationname=";
  std::set<std::string, std::less<>> names;
  for (const AdminCommand& command : commands) {
    for (const std::string& word : split_words(command.command)) {
      if (starts_with_ignoring_case(word, kName)) names.insert(word.substr(kName.size()));
    }
  }
  for (const ReservationWords& words : standing) names.insert(words.name);
  names.erase("");
  return names;
}

void read_jobs(const std::vector<AdminCommand>& commands,
               const std::vector<ReservationWords>& standing, LoadedSite& loaded,
               Diagnostics& found) {
  if (!loaded.has_jobs || loaded.jobs_of != nullptr) return;
  SacctOptions& how = loaded.sacct;
  if (loaded.folder.runtimes) how.runtimes = read_runtimes(*loaded.folder.runtimes, found);
  how.cpus_of_node = [&loaded, cpus = cpus_by_name(loaded.inputs.slurm_conf)](
                         std::string_view name) -> std::optional<std::uint32_t> {
    const auto at = cpus.find(name);
    const auto answer = at == cpus.end() ? std::nullopt : std::optional(at->second);
    loaded.cpus_asked.emplace(name, answer);
    return answer;
  };
  how.acted_on = jobs_acted_on(commands);
  how.cancels_are_told = std::ranges::any_of(
      commands, [](const AdminCommand& each) { return each.command.starts_with("scancel "); });
  how.reservations = reservations_of(standing, commands);
  how.updated = updated_words(commands);
  how.operators = operators_of(loaded.inputs);
  const bool leave_out = loaded.inputs.site.leave_out_unusable_rows;
  if (leave_out) how.unusable_rows = UnusableRows::AreLeftOut;
  loaded.trace =
      read_sacct(InputStream(*loaded.jobs_path), how, loaded.names, loaded.requests, found);
  if (!leave_out && loaded.trace.report[Explained::Unusable].count > 0) {
    found.note(
        {loaded.trace.report.source, 0, 0},
        "such rows are to be mended in the file, or left out: leave_out_unusable_rows: true in "
        "site.yaml");
  }
  if ((how.from || how.to) && loaded.trace.report.jobs == 0 && loaded.trace.report.rows_read > 0) {
    found.error({loaded.trace.report.source, 0, 0},
                "no job was submitted from --from on, before --to",
                "rehearse check SITE tells when its jobs were submitted");
  }
  if (loaded.log) take_submissions(*loaded.log, loaded, found);
}

/// A run from the middle of a trace begins with an empty cluster, unless it is told otherwise.
void tell_left_out(const LoadedSite& loaded, const LoadOptions& options, Diagnostics& found) {
  const RunContext context = context_of(loaded);
  if (context.running_before + context.pending_before == 0) return;
  const std::string from = with_time(options.from);
  found.note({"--from", 0, 0},
             fmt::format("a run from {} on begins with an empty cluster: {} jobs of the trace run "
                         "then, and {} pend; the first waits are too short",
                         from, context.running_before, context.pending_before),
             fmt::format("--start-from {} begins with them", from));
}

/// reservations.txt: what stood when the run begins.
void add_reservations(const std::vector<ReservationWords>& standing, LoadedSite& loaded,
                      Diagnostics& found) {
  for (const ReservationWords& words : standing) {
    auto made = recorded_reservation(words, *loaded.cluster, loaded.names, found);
    if (made) loaded.cluster->reservations.add(std::move(*made));
  }
}

/// The GPUs that change while the cluster runs, with all the devices that they may become.
void plan_mig(LoadedSite& loaded, Diagnostics& found) {
  std::vector<MigLine> events;
  for (const AdminCommandAt& command : loaded.commands) {
    if (const auto* cut = std::get_if<CutGpus>(&command.action)) events.push_back(cut->line);
  }
  Cluster& cluster = *loaded.cluster;
  loaded.mig_plan = MigPlan(cluster, loaded.gpus, loaded.mig, events, found);
  if (loaded.mig_plan.is_static() || found.error_count() > 0) return;
  loaded.mig_plan.equip(cluster);
  for (const Node& node : cluster.nodes) {
    const NodeGres* gpus = gpus_of(node, cluster.names);
    if (gpus == nullptr || gpus->devices.size() <= kMaxCores) continue;
    found.error(cluster.inputs.site.gpu.mig.policy_where,
                fmt::format("mig: {} may become {} devices, at most {} can be simulated",
                            cluster.names.text(node.name), gpus->devices.size(), kMaxCores),
                "let fewer profiles be cut: mig.profiles");
    return;
  }
  Diagnostics told;  // by the inventory of the devices that Gres= has
  loaded.gpus = GpuInventory(cluster, *loaded.gpu_catalogue, told);
}

/// What was recorded of nodes joins what admins typed, in order of time.
void add_outages(LoadedSite& loaded, Diagnostics& found) {
  if (!loaded.folder.node_events) return;
  const std::vector<JobSpec>& specs = loaded.jobs().specs();
  if (specs.empty()) return;
  TimeSpan span{whole_second(specs.front().submit), whole_second(specs.back().submit)};
  for (const JobSpec& spec : specs)
    span.to = std::max(span.to, spec.recorded_end.value_or(span.to));
  const auto rows = read_node_events(*loaded.folder.node_events, found);
  auto more = replay_outages(rows, span, *loaded.cluster, loaded.names, found);
  std::vector<AdminCommandAt>& all = loaded.commands;
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::stable_sort(all.begin(), all.end(),
                   [](const AdminCommandAt& a, const AdminCommandAt& b) { return a.at < b.at; });
}

}  // namespace

std::unique_ptr<LoadedSite> load_site(const std::filesystem::path& site, const LoadOptions& options,
                                      Diagnostics& found,
                                      const std::vector<const LoadedSite*>& readers) {
  auto loaded = std::make_unique<LoadedSite>();
  read_configuration(site, options, readers, *loaded, found);
  if (options.start_from == kSnapshotWord) use_snapshot(loaded->folder);
  choose_jobs(options, *loaded, found);
  for (const LoadedSite* reader : readers) {
    if (loaded->jobs_of == nullptr && reads_the_same(*loaded, *reader)) {
      take_jobs_of(*reader, *loaded);
    }
  }
  draw_site_users(*loaded, found);
  loaded->cluster =
      std::make_unique<Cluster>(loaded->inputs, loaded->names, loaded->requests, found);
  check_order(loaded->inputs.site.policy, found);
  check_quotas(*loaded->cluster, found);
  loaded->gpus = GpuInventory(*loaded->cluster, *loaded->gpu_catalogue, found);
  loaded->mig = GpuLayouts(*loaded->cluster, loaded->gpus, found);
  tell_idle_settings(*loaded, found);
  found.throw_if_errors();
  if (loaded->folder.usage) {
    load_usage(loaded->cluster->accounts, read_usage(*loaded->folder.usage, found), loaded->names,
               found);
  }
  std::vector<AdminCommand> commands;
  if (loaded->folder.events) commands = read_admin_events(*loaded->folder.events, found);
  std::vector<ReservationWords> standing;
  if (loaded->folder.reservations) {
    standing = read_reservations(*loaded->folder.reservations, loaded->zone, found);
  }
  read_jobs(commands, standing, *loaded, found);
  settle_trace_limits(*loaded, found);
  tell_trace_gaps(*loaded, found);
  tell_left_out(*loaded, options, found);
  take_drawn_users(*loaded, found);
  add_reservations(standing, *loaded, found);
  loaded->commands = understand_commands(commands, *loaded->cluster, loaded->names, found);
  tell_unknown_targets(commands, *loaded, found);
  if (loaded->log) {
    (void)sharpen(loaded->commands, loaded->log->reservations);
    (void)sharpen(loaded->commands, loaded->cluster->nodes, loaded->names,
                  loaded->log->node_updates);
    (void)sharpen(loaded->commands, loaded->log->commands);
  }
  plan_mig(*loaded, found);
  add_outages(*loaded, found);
  check_failure_rules(*loaded->cluster, found);
  check_performance(*loaded->cluster, *loaded->gpu_catalogue, loaded->gpus, found);
  tell_unknown_reservations(*loaded, found);
  tell_unknown_qos(*loaded, found);
  if (!options.start_from.empty()) begin_at(*loaded, options.start_from, found);
  found.throw_if_errors();
  return loaded;
}

}  // namespace rehearse
