// sim/controller/job_update_command.cpp — reading `scontrol update JobId=…`: every key of a job.
#include <algorithm>
#include <array>

#include "sim/cluster/license_text.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/sbatch_args.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/time_words.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/command_text.hpp"

namespace rehearse {
namespace {

/// One KEY=VALUE, and what it changes.
struct UpdateReader {
  CommandText& text;
  const CommandMoment& moment;
  UpdateJobs& update;
  std::string key, value;

  RequestChange& request() {
    if (!update.request) update.request.emplace();
    return *update.request;
  }
  bool refuse(std::string_view what, std::string hint = {}) {
    text.fail(fmt::format("{}: '{}' is not {}", key, shortened(value), what), std::move(hint));
    return false;
  }
  bool number(std::optional<std::uint32_t>& into) {
    into = text::parse_decimal32(value);
    return into.has_value() || refuse("a whole number");
  }
  bool number(std::optional<std::uint16_t>& into) {
    const auto all = text::parse_decimal32(value);
    constexpr std::uint32_t kMost = 0xfffd;  // Slurm's 16-bit numbers; the two above have a meaning
    if (!all || *all > kMost) return refuse("a whole number");
    into = static_cast<std::uint16_t>(*all);
    return true;
  }
  /// `N` or `N-M`; a number alone leaves the maximum as it is.
  bool range(std::optional<std::uint32_t>& least, std::optional<std::uint32_t>& most) {
    const std::size_t dash = value.find('-');
    least = text::parse_decimal32(value.substr(0, dash));
    if (!least || *least == 0) return refuse("a count or a range of counts");
    if (dash == std::string::npos) return true;
    most = text::parse_decimal32(value.substr(dash + 1));
    return (most && *most >= *least) || refuse("a count or a range of counts");
  }
  bool flag(std::optional<bool>& into) {
    into = parse_conf_bool(value);
    return into.has_value() || refuse("yes or no", "0, 1, yes or no");
  }
  bool minutes(std::optional<Minutes>& into, std::string_view from) {
    into = parse_time_minutes(from);
    return into.has_value() || refuse("a time limit", "30, 2:30:00, 1-12, UNLIMITED");
  }
  bool instant(std::optional<SlurmTime>& into) {
    into = read_time_words(value, moment.at, moment.zone);
    return into.has_value() || refuse("a time", "now+2hours, tomorrow, 16:30, 2027-01-15T12:00:00");
  }
  bool name(std::optional<NameId>& into) {
    into = value.empty() ? kNoName : text.names.intern(value);
    return true;
  }
  bool hosts(std::optional<std::vector<NameId>>& into) {
    const HostlistResult list = expand_hostlist(value);
    if (!list.error.empty()) return refuse("a list of nodes", list.error);
    const auto nodes = known_nodes(text, list.hosts);
    if (!nodes) return false;
    into.emplace();
    for (const NodeId node : *nodes) {
      const NameId name = text.cluster.nodes[node].name;
      if (std::find(into->begin(), into->end(), name) == into->end()) into->push_back(name);
    }
    return true;
  }
  bool time_limit() {
    std::string_view from = value;
    if (from.starts_with('+') || from.starts_with('-')) {
      update.limit_sign = from.front() == '+' ? UpdateJobs::Sign::Add : UpdateJobs::Sign::Subtract;
      from.remove_prefix(1);
    }
    return minutes(update.time_limit, from);
  }
  bool memory(MemoryMode mode) {
    const auto mib = parse_memory_mib(value);
    if (!mib) return refuse("a size", "4000, 16G");
    request().memory_mode = mode;
    request().memory_mib = *mib;
    return true;
  }
  bool nice() {
    constexpr std::int64_t kMost = 2147483645;  // NICE_OFFSET - 3
    const bool minus = value.starts_with('-');
    const auto amount = text::parse_decimal32(std::string_view(value).substr(minus ? 1 : 0));
    if (!value.empty() && (!amount || std::int64_t{*amount} > kMost)) {
      return refuse("a nice value", "-1000, 0, 500");
    }
    const std::int64_t given = value.empty() ? 100 : std::int64_t{*amount};  // Slurm: bare Nice
    update.nice = static_cast<std::int32_t>(minus ? -given : given);
    return true;
  }
  bool priority() {
    if (!number(update.priority)) return false;
    constexpr std::uint32_t kNoValue = 0xfffffffe;
    return *update.priority < kNoValue || refuse("a priority", "0 (hold) to 4294967293");
  }
  bool licenses() {
    LicenseList list = parse_licenses(value, text.names);
    if (!list.wrong.empty()) return refuse("a list of licences", "name:count,name");
    request().licenses = std::move(list.licenses);
    request().any_license = list.any;
    return true;
  }
  /// The words of --gres and --gpus and of their relatives, read as sbatch does.
  bool gres(std::string_view option, std::uint64_t GresRequest::*field) {
    const std::string line = fmt::format("sbatch {}={}", option, value);
    Diagnostics found;
    const SbatchArgs args = parse_submit_line(line, text.line.where, found);
    if (found.error_count() > 0) return refuse("a list of GRES", "gpu:2, gpu:a100:1");
    std::vector<GresRequest>& list = request().gres.emplace();
    for (const auto* some : {&args.gres, &args.gpus, &args.gpus_per_task, &args.gpus_per_socket}) {
      for (const GresSpec& spec : *some) {
        GresRequest& one = list.emplace_back();
        one.name = text.names.intern(spec.name);
        one.type = spec.type.empty() ? kNoName : text.names.intern(spec.type);
        one.*field = spec.count;
      }
    }
    return true;
  }
  bool switches() {
    const std::size_t at = value.find('@');
    const std::string whole = value;
    if (at != std::string::npos) {
      const auto wait = parse_time_minutes(std::string_view(whole).substr(at + 1));
      if (!wait) return refuse("switches@time", "1@30");
      request().switches_wait = *wait;
      value = whole.substr(0, at);
    }
    return number(request().switches);
  }

  bool read();
};

using Apply = bool (*)(UpdateReader&);
struct UpdateKey {
  std::string_view name;
  Apply apply;  ///< null: told to people, not to the scheduler
};

bool ignore(UpdateReader&) {
  return true;
}
bool left_out(UpdateReader& reader) {
  reader.text.not_simulated(fmt::format("{}= of a job", reader.key));
  return false;
}

constexpr std::array kKeys = {
    UpdateKey{"TimeLimit", [](UpdateReader& r) { return r.time_limit(); }},
    UpdateKey{"TimeMin", [](UpdateReader& r) { return r.minutes(r.update.time_min, r.value); }},
    UpdateKey{"Priority", [](UpdateReader& r) { return r.priority(); }},
    UpdateKey{"Nice", [](UpdateReader& r) { return r.nice(); }},
    UpdateKey{"Partition", [](UpdateReader& r) { return r.name(r.update.partitions); }},
    UpdateKey{"QOS", [](UpdateReader& r) { return r.name(r.update.qos); }},
    UpdateKey{"Account", [](UpdateReader& r) { return r.name(r.update.account); }},
    UpdateKey{"JobName", [](UpdateReader& r) { return r.name(r.update.name); }},
    UpdateKey{"Name", [](UpdateReader& r) { return r.name(r.update.name); }},
    UpdateKey{"WCKey", [](UpdateReader& r) { return r.name(r.update.wckey); }},
    UpdateKey{"StartTime", [](UpdateReader& r) { return r.instant(r.update.begin); }},
    UpdateKey{"EligibleTime", [](UpdateReader& r) { return r.instant(r.update.begin); }},
    UpdateKey{"Deadline", [](UpdateReader& r) { return r.instant(r.update.deadline); }},
    UpdateKey{"EndTime", [](UpdateReader& r) { return r.instant(r.update.end); }},
    UpdateKey{"NodeList", [](UpdateReader& r) { return r.hosts(r.update.keep_nodes); }},
    UpdateKey{"Dependency",
              [](UpdateReader& r) {
                r.update.dependency = r.value;
                return true;
              }},
    UpdateKey{"Reservation",
              [](UpdateReader& r) {
                r.update.reservation = r.value;
                return true;
              }},
    UpdateKey{"ReservationName",
              [](UpdateReader& r) {
                r.update.reservation = r.value;
                return true;
              }},
    UpdateKey{"ArrayTaskThrottle",
              [](UpdateReader& r) { return r.number(r.update.array_throttle); }},
    UpdateKey{"Requeue", [](UpdateReader& r) { return r.flag(r.update.requeue); }},
    UpdateKey{"ResetAccrueTime",
              [](UpdateReader& r) {
                r.update.reset_accrue_time = true;
                return true;
              }},
    UpdateKey{
        "NumNodes",
        [](UpdateReader& r) { return r.range(r.request().min_nodes, r.request().max_nodes); }},
    UpdateKey{
        "ReqNodes",
        [](UpdateReader& r) { return r.range(r.request().min_nodes, r.request().max_nodes); }},
    UpdateKey{"NumCPUs",
              [](UpdateReader& r) { return r.range(r.request().min_cpus, r.request().max_cpus); }},
    UpdateKey{"ReqCPUs",
              [](UpdateReader& r) { return r.range(r.request().min_cpus, r.request().max_cpus); }},
    UpdateKey{"ReqProcs",
              [](UpdateReader& r) { return r.range(r.request().min_cpus, r.request().max_cpus); }},
    UpdateKey{"NumTasks", [](UpdateReader& r) { return r.number(r.request().num_tasks); }},
    UpdateKey{"CPUsPerTask", [](UpdateReader& r) { return r.number(r.request().cpus_per_task); }},
    UpdateKey{"TasksPerNode",
              [](UpdateReader& r) { return r.number(r.request().ntasks_per_node); }},
    UpdateKey{"MinCPUsNode", [](UpdateReader& r) { return r.number(r.request().pn_min_cpus); }},
    UpdateKey{"MinMemoryNode", [](UpdateReader& r) { return r.memory(MemoryMode::PerNode); }},
    UpdateKey{"MinMemoryCPU", [](UpdateReader& r) { return r.memory(MemoryMode::PerCpu); }},
    UpdateKey{"MinTmpDiskNode",
              [](UpdateReader& r) {
                r.request().tmp_disk_mib = parse_memory_mib(r.value);
                return r.request().tmp_disk_mib.has_value() || r.refuse("a size", "4000, 16G");
              }},
    UpdateKey{"CoreSpec", [](UpdateReader& r) { return r.number(r.request().core_spec); }},
    UpdateKey{"Features", [](UpdateReader& r) { return r.name(r.request().features); }},
    UpdateKey{"Prefer", [](UpdateReader& r) { return r.name(r.request().prefer); }},
    UpdateKey{"ReqNodeList", [](UpdateReader& r) { return r.hosts(r.request().required_nodes); }},
    UpdateKey{"ExcNodeList", [](UpdateReader& r) { return r.hosts(r.request().excluded_nodes); }},
    UpdateKey{"Licenses", [](UpdateReader& r) { return r.licenses(); }},
    UpdateKey{"Gres", [](UpdateReader& r) { return r.gres("--gres", &GresRequest::per_node); }},
    UpdateKey{"TresPerNode",
              [](UpdateReader& r) { return r.gres("--gres", &GresRequest::per_node); }},
    UpdateKey{"TresPerJob",
              [](UpdateReader& r) { return r.gres("--gres", &GresRequest::per_job); }},
    UpdateKey{"TresPerTask",
              [](UpdateReader& r) { return r.gres("--gres", &GresRequest::per_task); }},
    UpdateKey{"TresPerSocket",
              [](UpdateReader& r) { return r.gres("--gres", &GresRequest::per_socket); }},
    UpdateKey{"Contiguous", [](UpdateReader& r) { return r.flag(r.request().contiguous); }},
    UpdateKey{"OverSubscribe", [](UpdateReader& r) { return r.flag(r.request().oversubscribe); }},
    UpdateKey{"Shared", [](UpdateReader& r) { return r.flag(r.request().oversubscribe); }},
    UpdateKey{"Switches", [](UpdateReader& r) { return r.switches(); }},
    UpdateKey{"Comment", ignore},
    UpdateKey{"AdminComment", ignore},
    UpdateKey{"SystemComment", ignore},
    UpdateKey{"Extra", ignore},
    UpdateKey{"MailType", ignore},
    UpdateKey{"MailUser", ignore},
    UpdateKey{"StdErr", ignore},
    UpdateKey{"StdIn", ignore},
    UpdateKey{"StdOut", ignore},
    UpdateKey{"WorkDir", ignore},
    UpdateKey{"UserID", ignore},
    UpdateKey{"BurstBuffer", left_out},
    UpdateKey{"ClusterFeatures", left_out},
    UpdateKey{"Clusters", left_out},
    UpdateKey{"DelayBoot", left_out},
    UpdateKey{"CpusPerTres", left_out},
    UpdateKey{"MemPerTres", left_out},
    UpdateKey{"ReqCores", left_out},
    UpdateKey{"ReqSockets", left_out},
    UpdateKey{"ReqThreads", left_out},
    UpdateKey{"SiteFactor", left_out},
    UpdateKey{"ThreadSpec", left_out},
};

bool UpdateReader::read() {
  const auto known = std::find_if(kKeys.begin(), kKeys.end(), [&](const UpdateKey& each) {
    return equals_ignoring_case(each.name, key);
  });
  if (known != kKeys.end()) {
    key = known->name;
    return known->apply(*this);
  }
  std::vector<std::string_view> names;
  for (const UpdateKey& each : kKeys) names.push_back(each.name);
  text.fail(fmt::format("a job has no '{}' that scontrol could change", shortened(key)),
            did_you_mean(key, names));
  return false;
}

}  // namespace

std::optional<AdminAction> read_job_update(CommandText& text, std::string_view ids,
                                           const CommandMoment& moment) {
  UpdateJobs update;
  auto targets = parse_job_targets(ids);
  if (!targets || targets->empty()) {
    return text.fail(fmt::format("'{}' is not a job id", shortened(ids)),
                     "write 123, 123_4, 123_[1-3,7] or 123+1");
  }
  update.targets = std::move(*targets);
  bool some = false;
  for (std::size_t i = 2; i < text.words.size(); ++i) {
    const std::string& word = text.words[i];
    const bool bare_nice = equals_ignoring_case(word, "Nice");
    const bool bare_reset = equals_ignoring_case(word, "ResetAccrueTime");
    std::size_t equals = word.find('=');
    if (equals == std::string::npos && !bare_nice && !bare_reset) {
      return text.fail(fmt::format("'{}' is not KEY=VALUE", shortened(word)),
                       "values of several words stand in quotes");
    }
    if (equals == std::string::npos) equals = word.size();
    UpdateReader reader{text, moment, update, word.substr(0, equals),
                        equals < word.size() ? word.substr(equals + 1) : std::string()};
    // `TimeLimit+=30` is written so too.
    if (reader.key.ends_with('+') || reader.key.ends_with('-')) {
      reader.value.insert(reader.value.begin(), reader.key.back());
      reader.key.pop_back();
    }
    if (!reader.read()) return std::nullopt;
    some = true;
  }
  if (!some) return text.fail("nothing to change", "TimeLimit=…, Partition=…, Nice=…");
  return update;
}

}  // namespace rehearse
