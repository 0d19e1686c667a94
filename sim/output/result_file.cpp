// sim/output/result_file.cpp — the writing side: groups, columns with their meaning, birth
// certificate.
#include "sim/output/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "sim/config/text.hpp"
#include "sim/output/gpu_result_columns.hpp"
#include "sim/output/hdf5.hpp"
#include "sim/output/heat_map.hpp"
#include "sim/output/result_columns.hpp"
#include "sim/output/result_derived.hpp"
#include "sim/output/result_tables.hpp"

namespace rehearse {
namespace {

using hdf5::Attributes;

constexpr const char* kEpoch = "seconds since 1970-01-01 00:00:00";

/// flag_values and flag_meanings of CF: one word a code.
template <typename Text>
void add_flags(Attributes& attributes, std::size_t count, Text text) {
  std::vector<std::int64_t> values;
  std::string meanings;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(static_cast<std::int64_t>(i));
    meanings += fmt::format("{}{}", i == 0 ? "" : " ", text(i));
  }
  attributes.emplace_back("flag_values", values);
  attributes.emplace_back("flag_meanings", meanings);
}

std::string_view started_by_text(std::size_t code) {
  constexpr std::string_view kTexts[] = {"nobody", "submit", "main", "backfill"};
  return kTexts[code];
}

Attributes attributes_of(const ColumnInfo& info) {
  Attributes attributes;
  attributes.emplace_back("long_name", std::string(info.long_name));
  attributes.emplace_back("units",
                          info.kind == ColumnKind::Instant ? kEpoch : std::string(info.units));
  switch (info.kind) {
    case ColumnKind::Plain:
    case ColumnKind::Instant:
      break;
    case ColumnKind::StateCode:
      add_flags(attributes, std::size_t{kStateResizing} + 1,
                [](std::size_t code) { return run_state_text(static_cast<std::uint8_t>(code)); });
      break;
    case ColumnKind::LoopCode:
      add_flags(attributes, 4, started_by_text);
      break;
    case ColumnKind::ReasonCode:
      add_flags(attributes, kReasonCount,
                [](std::size_t code) { return to_text(static_cast<Reason>(code)); });
      break;
    case ColumnKind::NodeFlags:
      attributes.emplace_back("flag_masks",
                              std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256});
      attributes.emplace_back("flag_meanings",
                              std::string("down drain fail no_respond maint powering_up "
                                          "powering_down powered_down future"));
      break;
  }
  if (!info.names.empty()) attributes.emplace_back("names", std::string(info.names));
  return attributes;
}

/// Writes the columns of one group on a dimension of that group's rows.
class ColumnWriter {
 public:
  ColumnWriter(hdf5::Writer& file, std::string group, const std::string& title,
               const std::string& dimension, std::size_t rows)
      : file_(file), group_(std::move(group)), scale_(group_ + "/" + dimension) {
    file_.group(group_, {{"title", title}});
    std::vector<std::uint32_t> numbers(rows);
    for (std::size_t i = 0; i < rows; ++i) numbers[i] = static_cast<std::uint32_t>(i);
    file_.column(scale_, std::span<const std::uint32_t>(numbers), scale_,
                 {{"long_name", "row number"}, {"units", "1"}});
  }

  void operator()(const DerivedColumn& column) {
    const std::string path = fmt::format("{}/{}", group_, column.name);
    std::visit(
        [&](const auto& values) {
          file_.column(path, std::span(values), scale_,
                       {{"long_name", column.long_name}, {"units", column.units}});
        },
        column.values);
    if (column.has_none) file_.fill_value(path);
  }

  template <typename T>
  void operator()(const ColumnInfo& info, const std::vector<T>& values) {
    Attributes attributes = attributes_of(info);
    const std::string path = fmt::format("{}/{}", group_, info.name);
    file_.column(path, std::span<const T>(values), scale_, attributes);
    if (info.kind == ColumnKind::Instant || info.has_none) file_.fill_value(path);
  }

 private:
  hdf5::Writer& file_;
  std::string group_, scale_;
};

/// Whatever is not well-formed UTF-8 byte by byte as \xNN: two texts stay two.
std::string as_utf8(std::string_view text) {
  std::string result;
  for (std::size_t bad = find_invalid_utf8(text); bad != std::string_view::npos;
       bad = find_invalid_utf8(text)) {
    result += text.substr(0, bad);
    result += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[bad]));
    text.remove_prefix(bad + 1);
  }
  result += text;
  return result;
}

void write_names(hdf5::Writer& file, const std::string& name,
                 const std::vector<std::string>& texts) {
  const std::string path = "/names/" + name;
  file.column(path, std::span<const std::string>(texts), path,
              {{"long_name", "texts by code"}, {"units", "1"}});
}

void write_names(hdf5::Writer& file, const Result& result) {
  file.group("/names", {{"title", "texts that the codes of other groups stand for"}});
  for_each_name_pool(result.names, [&](const char* name, const NamePool& pool) {
    std::vector<std::string> texts;
    // sacct prints names as their users typed them; libraries refuse what is no UTF-8.
    for (std::size_t i = 0; i < pool.size(); ++i) {
      texts.push_back(as_utf8(pool.text(id_at<NameId>(i))));
    }
    write_names(file, name, texts);
  });
  const auto names_of = [](const auto& facts) {
    std::vector<std::string> texts;
    for (const auto& each : facts) texts.push_back(each.name);
    return texts;
  };
  write_names(file, "partition", names_of(result.cluster.partitions));
  write_names(file, "qos", names_of(result.cluster.qos));
  write_names(file, "node", names_of(result.cluster.nodes));
}

void write_series(hdf5::Writer& file, const SeriesGrid& grid) {
  file.group("/series", {{"title", "the cluster over time: means over the cells of a grid"},
                         {"period_s", grid.period_s}});
  const std::string scale = "/series/time";
  file.column(scale, std::span<const std::int64_t>(grid.time), scale,
              {{"long_name", "begin of the cell; the last may be shorter"}, {"units", kEpoch}});
  for (const Series& each : grid.series) {
    const bool gpus = each.name.starts_with("gpus_");
    file.column("/series/" + each.name, std::span<const double>(each.mean), scale,
                {{"long_name", each.long_name},
                 {"units", each.units},
                 {"cell_methods", "time: mean"},
                 {"integral", each.integral},
                 {"integral_units", gpus                ? "0.001 s"
                                    : each.units == "1" ? "s"
                                                        : each.units + " s"}});
  }
}

/// What is known of the GPUs; prices as text, to the last digit.
Attributes gpu_attributes(const GpuRecord& gpu) {
  return {{"knows_models", std::int64_t{gpu.knows_models}},
          {"has_mig", std::int64_t{gpu.has_mig}},
          {"instances", gpu.instances},
          {"knows_watts", std::int64_t{gpu.knows_watts}},
          {"price_gpu_hour", fmt::format("{}", gpu.price_gpu_hour)},
          {"price_kwh", fmt::format("{}", gpu.price_kwh)},
          {"currency", gpu.currency}};
}

void write_heat_map(hdf5::Writer& file, const HeatMap& map) {
  file.group("/gpu_heat", {{"title",
                            "how busy the GPUs of nodes were: busy_milli, row by row, a "
                            "value a bin of time"},
                           {"rows", std::uint64_t{map.nodes.size()}},
                           {"bins", std::uint64_t{map.time.size()}},
                           {"bin_s", map.bin_s}});
  const auto column = [&](const char* name, const char* title, const char* units, auto values) {
    const std::string path = std::string("/gpu_heat/") + name;
    file.column(path, values, path, {{"long_name", title}, {"units", units}});
  };
  column("time", "begin of each bin", kEpoch, std::span<const std::int64_t>(map.time));
  column("first_node", "row of /nodes: the first node of each row", "1",
         std::span<const std::uint32_t>(map.first_node));
  column("node_count", "nodes with GPUs of each row", "1",
         std::span<const std::uint32_t>(map.nodes));
  column("busy_milli", "part of the SMs of their GPUs that jobs held, mean over the bin", "0.001",
         std::span<const std::uint16_t>(map.busy_milli));
}

void write_inputs(hdf5::Writer& file, const Provenance& provenance) {
  file.group("/inputs", {{"title", "the files that the run was made of"}});
  std::vector<std::string> roles, names, sums, texts;
  std::vector<std::uint64_t> sizes;
  for (const InputFile& input : provenance.inputs) {
    roles.push_back(input.role);
    names.push_back(input.name);
    sums.push_back(input.sha256);
    texts.push_back(input.text);
    sizes.push_back(input.bytes);
  }
  const std::string scale = "/inputs/name";
  file.column(scale, std::span<const std::string>(names), scale,
              {{"long_name", "file, relative to the site"}, {"units", "1"}});
  file.column("/inputs/role", std::span<const std::string>(roles), scale,
              {{"long_name", "what it was read as"}, {"units", "1"}});
  file.column("/inputs/sha256", std::span<const std::string>(sums), scale,
              {{"long_name", "SHA-256 of its bytes"}, {"units", "1"}});
  file.column("/inputs/bytes", std::span<const std::uint64_t>(sizes), scale,
              {{"long_name", "size"}, {"units", "byte"}});
  file.column("/inputs/text", std::span<const std::string>(texts), scale,
              {{"long_name", "its text; empty where too large to keep"}, {"units", "1"}});
}

std::string input_text(const Provenance& provenance, std::string_view role) {
  for (const InputFile& input : provenance.inputs) {
    if (input.role == role) return input.text;
  }
  return {};
}

Attributes root_attributes(const Result& result, const Provenance& from) {
  Attributes root{
      {"Conventions", "CF-1.8"},
      {"title", "simulated schedule of a Slurm cluster"},
      {"tool", "rehearse"},
      {"format", kResultFormat},
      {"version", from.version},
      {"commit", from.commit},
      {"libraries", "hdf5 " + hdf5::library_version()},
      {"command_line", from.command_line},
      {"slurm_version", from.slurm_version},
      {"status", result.complete ? "complete" : "partial"},
      {"cluster_name", result.cluster.cluster_name},
      {"time_zone", result.cluster.time_zone},
      {"simulated_begin", result.begin},
      {"simulated_end", result.end},
      {"event_fingerprint", fmt::format("{:016x}", result.loops.event_fingerprint)},
      {"schedule_fingerprint", fmt::format("{:016x}", result.loops.schedule_fingerprint)}};
  for (const auto& [purpose, seed] : from.seeds) root.emplace_back("seed_" + purpose, seed);
  std::set<std::string_view> roles;  // the first file of each; /inputs has those it includes too
  for (const InputFile& input : from.inputs) {
    if (roles.insert(input.role).second) root.emplace_back("sha256_" + input.role, input.sha256);
  }
  const PriorityFacts& priority = result.cluster.priority;
  root.emplace_back("priority_multifactor", std::int64_t{priority.multifactor});
  root.emplace_back("priority_fair_tree", std::int64_t{priority.fair_tree});
  root.emplace_back("priority_calculate_running", std::int64_t{priority.calculate_running});
  root.emplace_back("priority_accrue_always", std::int64_t{priority.accrue_always});
  root.emplace_back("priority_incr_only", std::int64_t{priority.incr_only});
  root.emplace_back("priority_max_age_s", priority.max_age_s);
  root.emplace_back("priority_tick_s", priority.tick_s);
  root.emplace_back("priority_max_job_factor", std::int64_t{priority.max_priority_job_factor});
  root.emplace_back("priority_weights",
                    std::vector<std::int64_t>{priority.weight_age, priority.weight_assoc,
                                              priority.weight_fairshare, priority.weight_job_size,
                                              priority.weight_partition, priority.weight_qos});
  root.emplace_back("priority_weight_tres", priority.weight_tres);
  root.emplace_back("tres", fmt::format("{}", fmt::join(result.cluster.tres, ",")));
  root.emplace_back("min_job_age_s", result.cluster.min_job_age_s);
  root.emplace_back("configuration", from.configuration);
  for (const char* role : {"slurm.conf", "gres.conf", "assoc.dump"}) {
    root.emplace_back(role, input_text(from, role));
  }
  return root;
}

void write_configured(hdf5::Writer& file, const ClusterFacts& cluster) {
  file.table("/nodes", nodes_table(cluster), "nodes as configured");
  file.table("/partitions", partitions_table(cluster), "partitions as configured");
  file.table("/qos", qos_table(cluster), "QOS");
  file.table("/accounts", accounts_table(cluster), "accounts and users");
}

void write_kpis(hdf5::Writer& file, const Result& result, const Kpis& kpis) {
  file.group("/kpi", {{"title", "figures of merit"}});
  file.table("/kpi/summary", kpi_summary_table(kpis), "figures of the whole run");
  file.table("/kpi/groups", kpi_groups_table(kpis), "figures by group");
  file.table("/kpi/definitions", kpi_definitions_table(), "what the figures mean");
  file.table("/kpi/loops", loops_table(result.loops), "what the scheduling loops did");
}

/// A group of columns, a row each; `walk` calls its second argument for each column.
template <typename Columns, typename Walk>
void write_rows(hdf5::Writer& file, const char* group, const char* title, const Columns& columns,
                Walk walk) {
  ColumnWriter writer(file, group, title, "row", columns.size());
  walk(columns, writer);
}

void write_jobs(hdf5::Writer& file, const Result& result) {
  write_rows(file, "/jobs", "a row a run, and jobs that never ran", result.runs,
             [&](auto& runs, auto& use) {
               for_each_run_column(runs, use);
               for (const DerivedColumn& column : derived_columns(result)) use(column);
             });
  write_rows(file, "/waits", "why jobs waited, and when", result.waits,
             [](auto& c, auto& use) { for_each_wait_column(c, use); });
  write_rows(file, "/holdings", "what runs held of each node", result.holdings,
             [](auto& c, auto& use) { for_each_holding_column(c, use); });
  write_rows(file, "/suspensions", "when runs stood still", result.suspensions,
             [](auto& c, auto& use) { for_each_suspension_column(c, use); });
  write_rows(file, "/completing", "runs that kept their nodes after their end", result.completing,
             [](auto& c, auto& use) { for_each_completing_column<ColumnInfo>(c, use); });
}

/// What only some runs keep.
void write_kept(hdf5::Writer& file, const Result& result) {
  if (result.plans.kept) {
    write_rows(file, "/plans", "when backfill meant to start jobs", result.plans,
               [](auto& c, auto& use) { for_each_plan_column(c, use); });
  }
  if (result.speeds.kept) {
    write_rows(file, "/speeds", "how the time of runs on GPUs was spent", result.speeds,
               [](auto& c, auto& use) { for_each_speed_column<ColumnInfo>(c, use); });
  }
  if (result.feedback.kept) {
    write_rows(file, "/feedback", "by what each row of /jobs was submitted", result.feedback,
               [](auto& c, auto& use) { for_each_feedback_column(c, use); });
    file.attributes("/feedback", {{"held_back", result.feedback.held_back}});
  }
}

void write_gpus(hdf5::Writer& file, const Result& result) {
  const GpuRecord& gpu = result.gpu;
  write_rows(file, "/gpu_nodes", "the GPUs of each node that has any", gpu.nodes,
             [](auto& c, auto& use) { for_each_gpu_node_column(c, use); });
  file.attributes("/gpu_nodes", gpu_attributes(gpu));
  write_rows(file, "/gpu_runs", "what each row of /jobs held and drew of GPUs", gpu.runs,
             [](auto& c, auto& use) { for_each_gpu_run_column(c, use); });
  write_rows(file, "/gpu_free", "free GPUs and what they are good for", gpu.samples,
             [](auto& c, auto& use) { for_each_gpu_sample_column(c, use); });
  if (gpu.recuts.size() > 0) {
    write_rows(file, "/gpu_recuts", "GPUs cut anew while the cluster ran", gpu.recuts,
               [](auto& c, auto& use) { for_each_gpu_recut_column(c, use); });
  }
  write_heat_map(file, heat_map(result));
}

}  // namespace

std::string_view run_state_text(std::uint8_t state) {
  if (state == kStateResizing) return "RESIZING";
  return state == kStateRequeued ? "REQUEUED" : to_text(static_cast<JobState>(state));
}

void write_result(const std::filesystem::path& path, const Result& result, const Kpis& kpis,
                  const Provenance& provenance) {
  hdf5::Writer file(path);
  file.attributes("/", root_attributes(result, provenance));
  write_kpis(file, result, kpis);
  write_configured(file, result.cluster);
  write_names(file, result);
  write_jobs(file, result);
  write_rows(file, "/loops", "what the scheduling loops had done, hour by hour",
             result.loops_by_hour,
             [](auto& c, auto& use) { for_each_loop_column<ColumnInfo>(c, use); });
  write_kept(file, result);
  write_rows(file, "/events", "changes of nodes", result.node_events,
             [](auto& c, auto& use) { for_each_event_column(c, use); });
  write_rows(file, "/rejections", "submissions that the controller refused", result.rejections,
             [](auto& c, auto& use) { for_each_rejection_column(c, use); });
  write_rows(file, "/fair_share", "fair-share of associations at priority ticks", result.fair_share,
             [](auto& c, auto& use) { for_each_fair_share_column(c, use); });
  if (result.former_shares.size() > 0) {
    write_rows(file, "/former_shares", "shares of associations until they were changed",
               result.former_shares,
               [](auto& c, auto& use) { for_each_former_share_column<ColumnInfo>(c, use); });
  }
  if (result.former_settings.size() > 0) {
    write_rows(file, "/former_settings", "settings of priorities until slurm.conf was read again",
               result.former_settings,
               [](auto& c, auto& use) { for_each_former_setting_column<ColumnInfo>(c, use); });
  }
  if (result.priority_parts.size() > 0) {
    write_rows(file, "/priority_parts",
               "parts of priorities before they changed, and in the other partitions of a list",
               result.priority_parts,
               [](auto& c, auto& use) { for_each_parts_column<ColumnInfo>(c, use); });
  }
  if (result.gpu.kept) write_gpus(file, result);
  write_series(file, result.series);
  write_inputs(file, provenance);
  file.commit();
}

}  // namespace rehearse
