// sim/output/result_reader.cpp — a result file back into columns: what `show`, `info`, `compare`
// read.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

#include "sim/config/text_scan.hpp"
#include "sim/core/error.hpp"
#include "sim/output/code_check.hpp"
#include "sim/output/gpu_result_columns.hpp"
#include "sim/output/hdf5.hpp"
#include "sim/output/result_columns.hpp"
#include "sim/output/result_file.hpp"
#include "sim/output/result_tables.hpp"
#include "sim/output/seal.hpp"
#include "sim/output/trial.hpp"

namespace rehearse {
namespace {

/// Reads the columns of one group; all must have as many rows as the first, and their codes must
/// stand for something.
class ColumnReader {
 public:
  ColumnReader(const hdf5::Reader& file, const Result& result, std::string file_name,
               std::string group)
      : file_(file), result_(result), file_name_(std::move(file_name)), group_(std::move(group)) {}

  template <typename T>
  void operator()(const ColumnInfo& info, std::vector<T>& values) {
    const std::string path = fmt::format("{}/{}", group_, info.name);
    // A file from before they were kept.
    if ((info.name == "lends_cores" || info.name == "priority_recorded") && !has(info.name)) {
      values.assign(rows_, 0);
      return;
    }
    file_.column(path, values);
    if (rows_ == kUnknown) rows_ = values.size();
    if (values.size() != rows_) {
      throw InputError({file_name_, 0, 0},
                       fmt::format("{} has {} rows, its group has {}", path, values.size(), rows_));
    }
    if (const auto row = first_unknown_code(result_, info, values)) {
      throw InputError(
          {file_name_, 0, 0},
          fmt::format("row {} of {} is {}, which stands for nothing", *row, path, values[*row]),
          "another program has written in the file: make the result again");
    }
  }

 private:
  [[nodiscard]] bool has(std::string_view column) const {
    const std::vector<std::string> columns = file_.links(group_);
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  }

  static constexpr std::size_t kUnknown = SIZE_MAX;
  const hdf5::Reader& file_;
  const Result& result_;
  std::string file_name_, group_;
  std::size_t rows_ = kUnknown;
};

std::uint64_t fingerprint(const std::string& hex) {
  std::uint64_t value = 0;
  std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  return value;
}

void read_root(const hdf5::Reader& file, const std::string& name, ResultFile& into) {
  if (file.text_attribute("/", "tool") != "rehearse") {
    throw InputError({name, 0, 0}, "not a result of rehearse");
  }
  const std::int64_t format = file.int_attribute("/", "format");
  if (format != kResultFormat) {
    throw InputError(
        {name, 0, 0}, fmt::format("result format {}, this program reads {}", format, kResultFormat),
        "read it with the version that wrote it: " + file.text_attribute("/", "version"));
  }
  Result& result = into.result;
  result.complete = file.text_attribute("/", "status") == "complete";
  result.begin = file.int_attribute("/", "simulated_begin");
  result.end = file.int_attribute("/", "simulated_end");
  result.loops.event_fingerprint = fingerprint(file.text_attribute("/", "event_fingerprint"));
  result.loops.schedule_fingerprint = fingerprint(file.text_attribute("/", "schedule_fingerprint"));
  result.cluster.cluster_name = file.text_attribute("/", "cluster_name");
  result.cluster.time_zone = file.text_attribute("/", "time_zone");
  result.cluster.slurm_version = file.text_attribute("/", "slurm_version");
  PriorityFacts& priority = result.cluster.priority;
  priority.multifactor = file.int_attribute("/", "priority_multifactor") != 0;
  priority.fair_tree = file.int_attribute("/", "priority_fair_tree") != 0;
  priority.max_age_s = file.int_attribute("/", "priority_max_age_s");
  priority.max_priority_job_factor =
      static_cast<std::uint32_t>(file.int_attribute("/", "priority_max_job_factor"));
  priority.weight_tres = file.text_attribute("/", "priority_weight_tres");
  const std::vector<std::int64_t> weights = file.ints_attribute("/", "priority_weights");
  const std::array<std::uint32_t*, 6> members{&priority.weight_age,       &priority.weight_assoc,
                                              &priority.weight_fairshare, &priority.weight_job_size,
                                              &priority.weight_partition, &priority.weight_qos};
  for (std::size_t i = 0; i < members.size() && i < weights.size(); ++i) {
    *members[i] = static_cast<std::uint32_t>(weights[i]);
  }
}

/// What views need beside priorities; a file from before these were kept has none of them.
void read_controller_facts(const hdf5::Reader& file, ClusterFacts& cluster) {
  if (file.has_attribute("/", "min_job_age_s")) {
    cluster.min_job_age_s = file.int_attribute("/", "min_job_age_s");
  }
  if (file.has_attribute("/", "priority_accrue_always")) {
    cluster.priority.accrue_always = file.int_attribute("/", "priority_accrue_always") != 0;
  }
  if (file.has_attribute("/", "priority_calculate_running")) {
    cluster.priority.calculate_running = file.int_attribute("/", "priority_calculate_running") != 0;
  }
  if (file.has_attribute("/", "priority_tick_s")) {
    cluster.priority.tick_s = file.int_attribute("/", "priority_tick_s");
  }
  if (file.has_attribute("/", "priority_incr_only")) {
    cluster.priority.incr_only = file.int_attribute("/", "priority_incr_only") != 0;
  }
  if (!file.has_attribute("/", "tres")) return;
  const std::string tres = file.text_attribute("/", "tres");
  for (const text::Piece& name : text::split_at(tres, ',')) {
    if (!name.text.empty()) cluster.tres.emplace_back(name.text);
  }
}

void read_provenance(const hdf5::Reader& file, Provenance& from) {
  from.version = file.text_attribute("/", "version");
  from.commit = file.text_attribute("/", "commit");
  from.command_line = file.text_attribute("/", "command_line");
  from.slurm_version = file.text_attribute("/", "slurm_version");
  from.configuration = file.text_attribute("/", "configuration");
  from.seeds = file.uint_attributes("/", "seed_");
  const auto names = file.texts("/inputs/name");
  const auto roles = file.texts("/inputs/role");
  const auto sums = file.texts("/inputs/sha256");
  const auto texts = file.texts("/inputs/text");
  std::vector<std::uint64_t> sizes;
  file.column("/inputs/bytes", sizes);
  for (std::size_t i = 0; i < names.size(); ++i) {
    from.inputs.push_back({roles[i], names[i], sums[i], sizes[i], texts[i]});
  }
}

void read_series(const hdf5::Reader& file, SeriesGrid& grid) {
  grid.period_s = file.int_attribute("/series", "period_s");
  file.column("/series/time", grid.time);
  for (const std::string& name : file.links("/series")) {
    if (name == "time") continue;
    const std::string path = "/series/" + name;
    Series one;
    one.name = name;
    one.units = file.text_attribute(path, "units");
    one.long_name = file.text_attribute(path, "long_name");
    one.integral = file.uint_attribute(path, "integral");
    file.column(path, one.mean);
    grid.series.push_back(std::move(one));
  }
}

void read_gpus(const hdf5::Reader& file, const std::string& name, Result& result) {
  GpuRecord& gpu = result.gpu;
  gpu.kept = true;
  gpu.knows_models = file.int_attribute("/gpu_nodes", "knows_models") != 0;
  gpu.has_mig = file.int_attribute("/gpu_nodes", "has_mig") != 0;
  if (file.has_attribute("/gpu_nodes", "instances")) {
    gpu.instances = file.int_attribute("/gpu_nodes", "instances");
  }
  gpu.knows_watts = file.int_attribute("/gpu_nodes", "knows_watts") != 0;
  const auto price = [&](const char* key) {
    return text::parse_real(file.text_attribute("/gpu_nodes", key)).value_or(0);
  };
  gpu.price_gpu_hour = price("price_gpu_hour");
  gpu.price_kwh = price("price_kwh");
  gpu.currency = file.text_attribute("/gpu_nodes", "currency");
  for_each_gpu_node_column(gpu.nodes, ColumnReader(file, result, name, "/gpu_nodes"));
  for_each_gpu_run_column(gpu.runs, ColumnReader(file, result, name, "/gpu_runs"));
  for_each_gpu_sample_column(gpu.samples, ColumnReader(file, result, name, "/gpu_free"));
}

ResultFile read_all(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  const std::string name = path.string();
  ResultFile into;
  read_root(file, name, into);
  read_controller_facts(file, into.result.cluster);
  Result& result = into.result;
  for_each_name_pool(result.names, [&](const char* pool_name, NamePool& pool) {
    // Code 0 is the empty text, in the file as in a new pool; each text stands there once.
    for (const std::string& text : file.texts(std::string("/names/") + pool_name)) {
      pool.intern(text);
    }
  });
  read_nodes(file.table("/nodes"), result.cluster);
  read_partitions(file.table("/partitions"), result.cluster);
  read_qos(file.table("/qos"), result.cluster);
  read_accounts(file.table("/accounts"), result.cluster);
  for_each_run_column(result.runs, ColumnReader(file, result, name, "/jobs"));
  const std::vector<std::string> columns = file.links("/jobs");
  if (std::find(columns.begin(), columns.end(), "priority_recorded") == columns.end()) {
    result.runs.priority_recorded = result.runs.priority;
  }
  for_each_wait_column(result.waits, ColumnReader(file, result, name, "/waits"));
  for_each_holding_column(result.holdings, ColumnReader(file, result, name, "/holdings"));
  for_each_suspension_column(result.suspensions, ColumnReader(file, result, name, "/suspensions"));
  const std::vector<std::string> groups = file.links("/");
  const auto has = [&](const char* group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  };
  result.completing.kept = has("completing");
  if (result.completing.kept) {
    for_each_completing_column<ColumnInfo>(result.completing,
                                           ColumnReader(file, result, name, "/completing"));
  }
  result.loops_by_hour.kept = has("loops");
  if (result.loops_by_hour.kept) {
    for_each_loop_column<ColumnInfo>(result.loops_by_hour,
                                     ColumnReader(file, result, name, "/loops"));
  }
  result.plans.kept = std::find(groups.begin(), groups.end(), "plans") != groups.end();
  if (result.plans.kept)
    for_each_plan_column(result.plans, ColumnReader(file, result, name, "/plans"));
  result.speeds.kept = std::find(groups.begin(), groups.end(), "speeds") != groups.end();
  if (result.speeds.kept) {
    for_each_speed_column<ColumnInfo>(result.speeds, ColumnReader(file, result, name, "/speeds"));
  }
  result.feedback.kept = std::find(groups.begin(), groups.end(), "feedback") != groups.end();
  if (result.feedback.kept) {
    for_each_feedback_column(result.feedback, ColumnReader(file, result, name, "/feedback"));
    result.feedback.held_back = file.uint_attribute("/feedback", "held_back");
  }
  for_each_event_column(result.node_events, ColumnReader(file, result, name, "/events"));
  for_each_rejection_column(result.rejections, ColumnReader(file, result, name, "/rejections"));
  for_each_fair_share_column(result.fair_share, ColumnReader(file, result, name, "/fair_share"));
  if (has("former_shares")) {
    for_each_former_share_column<ColumnInfo>(result.former_shares,
                                             ColumnReader(file, result, name, "/former_shares"));
  }
  if (has("former_settings")) {
    for_each_former_setting_column<ColumnInfo>(
        result.former_settings, ColumnReader(file, result, name, "/former_settings"));
  }
  if (has("priority_parts")) {
    for_each_parts_column<ColumnInfo>(result.priority_parts,
                                      ColumnReader(file, result, name, "/priority_parts"));
  }
  if (std::find(groups.begin(), groups.end(), "gpu_nodes") != groups.end()) {
    read_gpus(file, name, result);
    if (std::find(groups.begin(), groups.end(), "gpu_recuts") != groups.end()) {
      for_each_gpu_recut_column(result.gpu.recuts, ColumnReader(file, result, name, "/gpu_recuts"));
    }
  }
  read_series(file, result.series);
  read_loops(file.table("/kpi/loops"), result.loops);
  read_kpis(file.table("/kpi/summary"), file.table("/kpi/groups"), into.kpis);
  read_provenance(file, into.provenance);
  return into;
}

}  // namespace

ResultFile read_result(const std::filesystem::path& path) {
  seal::require_stored(path);
  if (!seal::is_on(path) && is_hdf5(path)) {
    // Whole ones take a second for 50 MB or more.
    std::error_code ignored;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, ignored));
    const std::chrono::seconds most_cpu{20 + size / 1'000'000};
    const std::string failure = how_it_fails(most_cpu, [&] { (void)read_all(path); });
    if (!failure.empty()) {
      throw InputError({path.string(), 0, 0},
                       fmt::format("the file is damaged: libhdf5 fails on it ({})", failure),
                       "copy it again from where it was made, or make it again");
    }
  }
  return read_all(path);
}

bool is_hdf5(const std::filesystem::path& path) {
  constexpr std::array<char, 8> kSignature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;  // a pipe may never say a word
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> head{};
  return file.read(head.data(), head.size()) && head == kSignature;
}

}  // namespace rehearse
