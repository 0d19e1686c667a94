// sim/config/slurm_conf_preemption.cpp — who may preempt whom and how, and which combinations
// slurmctld refuses (preemption.md §1; formats.md §6.4).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {

PreemptModes parse_preempt_mode(const FieldReader& in, const ConfPair& pair) {
  PreemptModes modes;
  int chosen = 0;
  for (const std::string_view word : split_list(pair.value)) {
    const auto is = [&](std::string_view name) { return equals_ignoring_case(word, name); };
    if (is("GANG")) {
      modes.gang = true;
    } else if (is("WITHIN")) {
      modes.within = true;
    } else if (is("PRIORITY")) {
      modes.priority = true;
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

void read_type(ConfReading& in, const FieldReader& reader) {
  const ConfPair* pair = in.globals.own("PreemptType");
  if (pair == nullptr) return;
  const auto is = [&](std::string_view word) { return equals_ignoring_case(pair->value, word); };
  if (is("preempt/qos")) {
    in.conf.preempt_type = PreemptType::Qos;
  } else if (is("preempt/partition_prio")) {
    in.conf.preempt_type = PreemptType::PartitionPrio;
  } else if (!is("preempt/none")) {
    reader.error(*pair,
                 fmt::format("{} is not simulated, or no plugin of Slurm", shown(pair->value)),
                 "preempt/none, preempt/qos, preempt/partition_prio");
  }
}

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

/// The words of one of the two keys, found as Slurm finds them: by substring, the first of a
/// repeated one, digits at the front.
class PreemptWords {
 public:
  PreemptWords(const FieldReader& in, const ConfPair& pair, std::string_view prefix)
      : in_(in), pair_(pair), prefix_(prefix) {}

  [[nodiscard]] bool has(std::string_view word) const {
    return contains_ignoring_case(pair_.value, std::string(prefix_) + std::string(word));
  }
  std::optional<std::uint32_t> number(std::string_view word) const {
    const std::string pattern = std::string(prefix_) + std::string(word) + "=";
    const std::size_t at = find_ignoring_case(pair_.value, pattern);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view text = std::string_view(pair_.value).substr(at + pattern.size());
    std::uint64_t value = 0;
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits]) && value <= kMost) {
      value = value * 10 + static_cast<std::uint64_t>(text[digits++] - '0');
    }
    if (digits == 0 || value > kMost) {
      in_.warning(pair_, fmt::format("{}{} is no number of at most {}; Slurm uses the default",
                                     pattern, shortened(text.substr(0, text.find(','))), kMost));
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(value);
  }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  const FieldReader& in_;
  const ConfPair& pair_;
  std::string_view prefix_;
};

/// The order of victims by the words of one key.
void read_order(const PreemptWords& words, PreemptParameters& out) {
  out.youngest_first = out.youngest_first || words.has("youngest_first");
  out.strict_order = out.strict_order || words.has("strict_order");
  if (const auto count = words.number("reorder_count")) out.reorder_count = *count;
}

/// Words of SchedulerParameters with a prefix; from 23.02 on of PreemptParameters too, without, and
/// that key's count comes first (preemption.md §1).
void read_parameters(ConfReading& in, const FieldReader& reader) {
  PreemptParameters& out = in.conf.preempt_parameters;
  if (const ConfPair* pair = in.globals.own("SchedulerParameters")) {
    read_order(PreemptWords(reader, *pair, "preempt_"), out);
  }
  if (const ConfPair* pair = in.globals.own("SlurmctldParameters")) {
    out.send_user_signal = PreemptWords(reader, *pair, "preempt_").has("send_user_signal");
  }
  if (!has(in.version, Change::PreemptParametersKey)) return;
  const ConfPair* pair = in.globals.own("PreemptParameters");
  if (pair == nullptr) return;
  const PreemptWords words(reader, *pair, "");
  read_order(words, out);
  out.min_exempt_priority = words.number("min_exempt_priority");
  out.reclaim_licenses = words.has("reclaim_licenses");
  out.send_user_signal = out.send_user_signal || words.has("send_user_signal");
  constexpr std::array<std::string_view, 7> kWords = {
      "min_exempt_priority", "reclaim_licenses",   "reorder_count", "send_user_signal",
      "strict_order",        "suspend_grace_time", "youngest_first"};
  tell_unknown_words(reader, *pair, kWords);
}

}  // namespace

void read_preemption(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  SlurmConf& conf = in.conf;
  read_type(in, reader);
  const std::size_t errors = in.found.error_count();
  if (const ConfPair* mode = in.globals.own("PreemptMode")) {
    const PreemptModes modes = parse_preempt_mode(reader, *mode);
    conf.preempt_mode = modes.mode;
    conf.preempt_gang = modes.gang;
    conf.preempt_within = modes.within;
    conf.preempt_priority = modes.priority;
    if (modes.priority && !has(in.version, Change::PreemptModePriority)) {
      reader.error(*mode, "PRIORITY came with 25.05", "remove it, or set slurm_version");
    }
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
  read_parameters(in, reader);
  const Seconds usual = conf.scheduler_time_slice;
  reader.read_seconds("SchedulerTimeSlice", conf.scheduler_time_slice, {.most = 65533});
  if (conf.scheduler_time_slice < Seconds{5}) {
    reader.warning(*in.globals.own("SchedulerTimeSlice"),
                   fmt::format("less than 5 seconds; {} are used", usual.count()));
    conf.scheduler_time_slice = usual;
  }
}

}  // namespace rehearse
