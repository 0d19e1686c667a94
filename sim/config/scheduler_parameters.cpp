// sim/config/scheduler_parameters.cpp — the words of SchedulerParameters=, found as Slurm finds
// them: by substring, the first of a repeated word, numbers by atoi, defaults for what is out of
// range. What Slurm does in silence is told as a warning here.
#include "sim/config/scheduler_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/config/lint.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kIntMax = std::numeric_limits<std::int32_t>::max();

struct Bounds {
  std::int64_t least = 0, most = kIntMax;
};

/// atoi: a sign and digits; the rest is `garbage`.
std::int64_t leading_integer(std::string_view text, std::string_view& garbage) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  std::int64_t value = 0;
  while (!text.empty() && is_digit(text.front())) {
    value = std::min(value * 10 + (text.front() - '0'), kIntMax + 1);
    text.remove_prefix(1);
  }
  garbage = text;
  return negative ? -value : value;
}

class Words {
 public:
  Words(std::string_view text, const SourcePosition& where, Diagnostics& found)
      : text_(text), where_(where), found_(found) {}

  [[nodiscard]] bool has(std::string_view word) const {
    return contains_ignoring_case(text_, word);
  }

  /// What follows the first `word=`; none: not there.
  [[nodiscard]] std::optional<std::string_view> value(std::string_view word) const {
    const std::string pattern = std::string(word) + "=";
    const std::size_t at = find_ignoring_case(text_, pattern);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text_.substr(at + pattern.size());
    return rest.substr(0, rest.find(','));
  }

  /// None: not there, or out of range (then the default holds, and that is told).
  std::optional<std::int64_t> number(std::string_view word, Bounds bounds,
                                     std::optional<std::int64_t> special = std::nullopt) {
    const std::optional<std::string_view> text = value(word);
    if (!text) return std::nullopt;
    std::string_view garbage;
    const std::int64_t number = leading_integer(trimmed(*text), garbage);
    if (!garbage.empty()) {
      warn(fmt::format("{}={}: only the number at the front is read ({})", word, shortened(*text),
                       number),
           "remove what follows it");
    }
    if (special && number == *special) return number;
    if (number >= bounds.least && number <= bounds.most) return number;
    warn(fmt::format("{}={} is out of range; Slurm uses the default", word, shortened(*text)),
         fmt::format("from {} to {}{}", bounds.least, bounds.most,
                     special ? fmt::format(", or {}", *special) : ""));
    return std::nullopt;
  }

  void read(std::string_view word, std::uint32_t& value, Bounds bounds = {}) {
    if (const auto given = number(word, bounds)) value = static_cast<std::uint32_t>(*given);
  }
  template <typename Span>
  void read_span(std::string_view word, Span& value, Bounds bounds = {}) {
    if (const auto given = number(word, bounds)) value = Span{*given};
  }

  void warn(const std::string& what, std::string hint = {}) {
    found_.warning(where_, "SchedulerParameters: " + what, std::move(hint));
  }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  const SourcePosition& where_;
  Diagnostics& found_;
};

void read_backfill(Words& in, SchedulerParameters& out) {
  if (const auto interval = in.number("bf_interval", {1, 10800}, -1)) {
    out.bf_interval.reset();
    if (*interval != -1) out.bf_interval = Seconds{*interval};
  }
  out.bf_max_time = out.bf_interval.value_or(out.bf_max_time);
  in.read_span("bf_max_time", out.bf_max_time, {1, 3600});
  in.read_span("bf_window", out.bf_window, {1, 43200});
  in.read_span("bf_resolution", out.bf_resolution, {1, 3600});
  in.read("max_job_bf", out.bf_max_job_test, {1, 1000000});  // its name in older releases
  in.read("bf_max_job_test", out.bf_max_job_test, {1, 1000000});
  in.read("bf_max_job_start", out.bf_max_job_start, {0, 10000});
  in.read("bf_max_job_part", out.bf_max_job_part);
  in.read("bf_max_job_user", out.bf_max_job_user);
  in.read("bf_max_job_user_part", out.bf_max_job_user_part);
  in.read("bf_max_job_assoc", out.bf_max_job_assoc);
  if (out.bf_max_job_assoc > 0 && out.bf_max_job_user > 0) {
    in.warn("bf_max_job_assoc is set, so bf_max_job_user is ignored", "remove one of the two");
    out.bf_max_job_user = 0;
  }
  in.read("bf_max_job_array_resv", out.bf_max_job_array_resv, {0, 1000});
  out.bf_node_space_size = std::max(out.bf_max_job_test, 2U);
  in.read("bf_node_space_size", out.bf_node_space_size, {2, 2000000});
  in.read("bf_job_part_count_reserve", out.bf_job_part_count_reserve, {0, 100000});
  in.read_span("bf_min_age_reserve", out.bf_min_age_reserve, {0, 2592000});
  in.read("bf_min_prio_reserve", out.bf_min_prio_reserve, {1, kIntMax});
  in.read_span("bf_window_linear", out.bf_window_linear);
  in.read_span("bf_yield_interval", out.bf_yield_interval, {1, 10000000});
  in.read_span("bf_yield_sleep", out.bf_yield_sleep, {1, 10000000});
  out.bf_continue = in.has("bf_continue");
  out.bf_busy_nodes = in.has("bf_busy_nodes");
  out.bf_licenses = in.has("bf_licenses");
  out.bf_one_resv_per_job = in.has("bf_one_resv_per_job");
  out.bf_running_job_reserve = out.bf_licenses || in.has("bf_running_job_reserve");
  out.bf_hetjob_immediate = in.has("bf_hetjob_immediate");
  using enum SchedulerParameters::HetjobPrio;
  if (const auto prio = in.value("bf_hetjob_prio")) {
    const auto is = [&](std::string_view word) { return equals_ignoring_case(*prio, word); };
    out.bf_hetjob_prio = is("min") ? Min : is("avg") ? Avg : is("max") ? Max : None;
    if (out.bf_hetjob_prio == None) {
      in.warn(fmt::format("bf_hetjob_prio={} is none of its values", shortened(*prio)),
              "min, avg or max");
    }
  }
  // Slurm sets it so.
  if (out.bf_hetjob_immediate && out.bf_hetjob_prio == None) out.bf_hetjob_prio = Min;
}

void read_main_loop(Words& in, SchedulerParameters& out, Seconds message_timeout) {
  in.read("default_queue_depth", out.default_queue_depth);
  in.read("partition_job_depth", out.partition_job_depth);
  if (const auto interval = in.number("sched_interval", {1, kIntMax}, -1)) {
    out.sched_interval.reset();
    if (*interval != -1) out.sched_interval = Seconds{*interval};
  }
  in.read_span("sched_min_interval", out.sched_min_interval);
  in.read("sched_max_job_start", out.sched_max_job_start);
  // Default min(max(MessageTimeout/2, 1), 2); more than half of MessageTimeout is refused.
  const std::int64_t half = std::max<std::int64_t>(message_timeout.count() / 2, 1);
  out.max_sched_time = Seconds{std::min<std::int64_t>(half, 2)};
  in.read_span("max_sched_time", out.max_sched_time, {1, half});
  in.read_span("batch_sched_delay", out.batch_sched_delay);
  in.read_span("build_queue_timeout", out.build_queue_timeout);
  in.read("max_rpc_cnt", out.max_rpc_cnt, {0, 1000});
  if (!in.value("max_rpc_cnt")) in.read("max_rpc_count", out.max_rpc_cnt, {0, 1000});
  out.assoc_limit_stop = in.has("assoc_limit_stop");
  out.reduce_completing_frag = in.has("reduce_completing_frag");
  out.pack_serial_at_end = in.has("pack_serial_at_end");
  out.spec_cores_first = in.has("spec_cores_first");
  out.whole_hetjob = in.has("whole_hetjob") || in.has("whole_pack");
  out.ignore_numa = in.has("Ignore_NUMA");
  in.read_span("max_switch_wait", out.max_switch_wait);
  if (const auto tasks = in.number("max_array_tasks", {1, 4000001})) {
    out.max_array_tasks = static_cast<std::uint32_t>(*tasks);
  }
  in.read("correspond_after_task_cnt", out.correspond_after_task_cnt, {10, kIntMax});
  out.permit_job_expansion = in.has("permit_job_expansion");
  if (const auto text = in.value("delay_boot")) {
    const std::optional<Seconds> delay = parse_time_string(*text);
    if (!delay || *delay == Seconds{kUnlimited}) {
      in.warn(fmt::format("delay_boot={} is not a time; Slurm ignores it", shortened(*text)));
    } else {
      out.delay_boot = *delay;
    }
  }
}

void read_deferral(Words& in, SchedulerParameters& out, SlurmVersion version) {
  if (!has(version, Change::DeferBatchIsAWord)) {
    out.defer = in.has("defer");  // the substring makes `defer_batch` mean `defer`
    return;
  }
  for (const std::string_view word : split_list(in.text())) {
    out.defer |= equals_ignoring_case(word, "defer");
    out.defer_batch |= equals_ignoring_case(word, "defer_batch");
  }
}

/// Words with a number or a text behind `=`; the others are flags.
bool takes_value(std::string_view word) {
  constexpr std::string_view kFlags[] = {"Ignore_NUMA",
                                         "allow_zero_lic",
                                         "assoc_limit_stop",
                                         "bf_busy_nodes",
                                         "bf_continue",
                                         "bf_hetjob_immediate",
                                         "bf_licenses",
                                         "bf_one_resv_per_job",
                                         "bf_running_job_reserve",
                                         "defer",
                                         "defer_batch",
                                         "disable_hetjob_steps",
                                         "disable_job_shrink",
                                         "enable_hetjob_steps",
                                         "enable_user_top",
                                         "ignore_prefer_validation",
                                         "no_backup_scheduling",
                                         "no_env_cache",
                                         "nohold_on_prolog_fail",
                                         "pack_serial_at_end",
                                         "permit_job_expansion",
                                         "preempt_strict_order",
                                         "preempt_youngest_first",
                                         "reduce_completing_frag",
                                         "requeue_setup_env_fail",
                                         "salloc_wait_nodes",
                                         "sbatch_wait_nodes",
                                         "spec_cores_first",
                                         "whole_hetjob",
                                         "bf_ignore_newly_avail_nodes",
                                         "extra_constraints",
                                         "time_min_as_soft_limit",
                                         "bf_allow_magnetic_slot",
                                         "bf_topopt_enable",
                                         "enable_job_state_cache",
                                         "ignore_constraint_validation",
                                         "requeue_on_resume_failure"};
  return std::none_of(std::begin(kFlags), std::end(kFlags),
                      [&](std::string_view flag) { return equals_ignoring_case(flag, word); });
}

/// These moved to a key of their own before the first release that is known here.
bool is_of_dependencies(std::string_view word) {
  constexpr std::string_view kWords[] = {"disable_remote_singleton", "kill_invalid_depend",
                                         "max_depend_depth"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view each) { return equals_ignoring_case(each, word); });
}

constexpr std::size_t kMostComplaints = 20;

void check_words(Words& in, SlurmVersion version) {
  const Release release = release_of(version);
  std::size_t unknown = 0;
  for (std::string_view item : split_list(in.text())) {
    const std::size_t before = item.find_first_not_of('=');
    if (before != 0 && before != std::string_view::npos) {
      in.warn(fmt::format("{} begins with =; Slurm finds the word all the same", shown(item)),
              "remove it");
      item.remove_prefix(before);
    }
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view word = trimmed(item.substr(0, equals));
    if (word.empty() && equals == item.size()) continue;  // a comma too many
    const KnownKey* known = find_known_key(KeyScope::SchedulerWord, word);
    if (known != nullptr && !known->fatal.empty()) {
      in.warn(fmt::format("{} was renamed before 22.05, whose slurmctld stops at it; it is taken "
                          "for its new name",
                          known->name),
              std::string(known->fatal));
    } else if (known == nullptr || release < known->since || release >= known->until) {
      if (++unknown > kMostComplaints) continue;
      KeyTrouble trouble = check_key(KeyScope::SchedulerWord, word, release);
      if (is_of_dependencies(word))
        trouble.hint = fmt::format("write DependencyParameters={}", word);
      const bool defers =
          !has(version, Change::DeferBatchIsAWord) && contains_ignoring_case(word, "defer");
      in.warn(fmt::format("{} is no word of {}; Slurm {}", shown(word), release_text(release),
                          defers ? "takes it for 'defer'" : "ignores it in silence"),
              std::move(trouble.hint));
    } else if (!takes_value(word)) {
      const std::optional<bool> value =
          equals < item.size() ? parse_conf_bool(item.substr(equals + 1)) : true;
      if (value == false) {
        in.warn(fmt::format("{} turns the flag on: Slurm looks for the word only", shown(item)),
                "remove the word to turn it off");
      }
    } else if (equals == item.size()) {
      in.warn(fmt::format("{} has no value; Slurm ignores it", known->name),
              fmt::format("write {}=NUMBER", known->name));
    }
  }
}

}  // namespace

SchedulerParameters parse_scheduler_parameters(std::string_view text, const SourcePosition& where,
                                               Seconds message_timeout, Diagnostics& found,
                                               SlurmVersion version) {
  Words in(text, where, found);
  SchedulerParameters out;
  read_backfill(in, out);
  read_main_loop(in, out, message_timeout);
  read_deferral(in, out, version);
  check_words(in, version);
  return out;
}

}  // namespace rehearse
