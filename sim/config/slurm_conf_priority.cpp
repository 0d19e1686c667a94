// sim/config/slurm_conf_priority.cpp — accounting and priority keys (priority.md §1, limits.md
// §1.1).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"

namespace rehearse {
namespace {

// Slurm's 32-bit minutes of UNLIMITED, rounded up as a number of seconds (priority.md §1).
constexpr Seconds kEndless{4294967236};

void read_tres_names(ConfReading& in) {
  in.known_tres.assign(kPermanentTres.begin(), kPermanentTres.end());
  const ConfPair* pair = in.globals.own("AccountingStorageTRES");
  if (pair == nullptr) return;
  for (const std::string_view item : split_list(pair->value)) {
    const std::string name = to_lower(item);
    if (std::find(in.known_tres.begin(), in.known_tres.end(), name) != in.known_tres.end())
      continue;
    const std::string_view type = std::string_view(name).substr(0, name.find('/'));
    constexpr std::string_view kTypes[] = {"gres", "license", "bb", "fs", "ic"};
    const bool is_typed = std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
    if (!is_typed || type.size() + 1 >= name.size()) {
      in.found.error(
          in.at(*pair), fmt::format("AccountingStorageTRES: no TRES is known by {}", shown(item)),
          type.size() == name.size() ? fmt::format("write gres/{}", shortened(item)) : "");
      continue;
    }
    in.known_tres.push_back(name);
    in.conf.accounting_storage_tres.push_back(name);
  }
}

void read_enforce(const FieldReader& in, EnforceConf& enforce) {
  const ConfPair* pair = in.record().own("AccountingStorageEnforce");
  if (pair == nullptr) return;
  for (const std::string_view word : split_list(pair->value)) {
    const auto is = [&](std::string_view name) { return equals_ignoring_case(word, name); };
    const bool all = is("all");
    if (is("associations") || is("1") || all) {
      enforce.associations = true;
    } else if (!is("limits") && !is("2") && !is("safe") && !is("qos") && !is("wckeys") &&
               !is("nojobs") && !is("nosteps") && !is("0") && !is("none")) {
      constexpr std::string_view kWords[] = {"associations", "limits", "safe",    "qos",
                                             "wckeys",       "nojobs", "nosteps", "all"};
      in.error(*pair, fmt::format("{} is not something to enforce", shown(word)),
               did_you_mean(word, kWords));
    }
    enforce.limits |= is("limits") || is("2") || is("safe") || all;  // safe implies limits
    enforce.safe |= is("safe") || all;
    enforce.qos |= is("qos") || all;
    enforce.wckeys |= is("wckeys") || all;
  }
  enforce.associations |= enforce.limits || enforce.qos || enforce.wckeys;
}

void read_accounting(ConfReading& in, const FieldReader& reader) {
  std::string type = "accounting_storage/none";
  reader.read("AccountingStorageType", type);
  // Of older releases: a text file keeps jobs alone, a database of slurmctld's own accounts too.
  for (const auto& [old, now] : {std::pair{"accounting_storage/filetxt", "accounting_storage/none"},
                                 {"accounting_storage/mysql", "accounting_storage/slurmdbd"}}) {
    if (!equals_ignoring_case(type, old)) continue;
    reader.warning(*in.globals.own("AccountingStorageType"),
                   fmt::format("{} was removed before 22.05, whose slurmctld stops at it; it is "
                               "taken for {}",
                               shown(type), now),
                   fmt::format("write {}", now));
    type = now;
  }
  in.conf.has_accounting = equals_ignoring_case(type, "accounting_storage/slurmdbd");
  if (!in.conf.has_accounting && !equals_ignoring_case(type, "accounting_storage/none")) {
    reader.error(*in.globals.own("AccountingStorageType"),
                 fmt::format("{} is not available to slurmctld", shown(type)),
                 "write accounting_storage/slurmdbd, or accounting_storage/none");
  }
  read_enforce(reader, in.conf.enforce);
}

/// Rounded up to minutes, then held in seconds; UNLIMITED is about 136 years.
std::optional<Seconds> whole_minutes(const FieldReader& in, std::string_view key) {
  const std::optional<Minutes> given = in.minutes(key);
  if (!given) return std::nullopt;
  return *given == kUnlimited ? kEndless : Seconds{*given};
}

void read_spans(const FieldReader& in, PriorityConf& priority) {
  priority.max_age = whole_minutes(in, "PriorityMaxAge").value_or(priority.max_age);
  if (const auto period = whole_minutes(in, "PriorityCalcPeriod")) {
    priority.calc_period = *period;
    if (*period < Seconds{60}) {
      in.error(*in.record().own("PriorityCalcPeriod"), "must be at least one minute");
    }
  }
  if (const auto half_life = whole_minutes(in, "PriorityDecayHalfLife")) {
    priority.decay_half_life = *half_life;
    if (*half_life == Seconds{0} && in.record().own("PriorityUsageResetPeriod") == nullptr) {
      in.error(*in.record().own("PriorityDecayHalfLife"),
               "0 (no decay) needs PriorityUsageResetPeriod too",
               "add PriorityUsageResetPeriod=, even if NONE");
    }
  }
  const ConfPair* reset = in.record().own("PriorityUsageResetPeriod");
  if (reset == nullptr) return;
  constexpr std::string_view kPeriods[] = {"NONE",    "NOW",       "DAILY", "WEEKLY",
                                           "MONTHLY", "QUARTERLY", "YEARLY"};
  for (std::size_t i = 0; i < std::size(kPeriods); ++i) {
    if (!equals_ignoring_case(reset->value, kPeriods[i])) continue;
    priority.usage_reset_period = static_cast<UsageResetPeriod>(i);
    return;
  }
  in.error(*reset, fmt::format("{} is not a period", shown(reset->value)),
           "NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY");
}

/// Substring search, as Slurm does: MAX_TRES_GRES of 25.05 turns on MAX_TRES (priority.md §1.1).
void read_flags(const FieldReader& in, PriorityConf& priority) {
  const ConfPair* pair = in.record().own("PriorityFlags");
  if (pair == nullptr) return;
  const auto has = [&](std::string_view flag) { return contains_ignoring_case(pair->value, flag); };
  const bool all = has("NO_NORMAL_ALL");
  priority.accrue_always = has("ACCRUE_ALWAYS");
  priority.small_relative_to_time = has("SMALL_RELATIVE_TO_TIME");
  priority.calculate_running = has("CALCULATE_RUNNING");
  priority.depth_oblivious = has("DEPTH_OBLIVIOUS");
  priority.no_fair_tree = has("NO_FAIR_TREE");
  priority.incr_only = has("INCR_ONLY");
  priority.max_tres = has("MAX_TRES");
  priority.no_normal_assoc = all || has("NO_NORMAL_ASSOC");
  priority.no_normal_part = all || has("NO_NORMAL_PART");
  priority.no_normal_qos = all || has("NO_NORMAL_QOS");
  priority.no_normal_tres = all || has("NO_NORMAL_TRES");
  constexpr std::string_view kFlags[] = {"ACCRUE_ALWAYS",     "SMALL_RELATIVE_TO_TIME",
                                         "CALCULATE_RUNNING", "DEPTH_OBLIVIOUS",
                                         "NO_FAIR_TREE",      "FAIR_TREE",
                                         "INCR_ONLY",         "MAX_TRES",
                                         "MAX_TRES_GRES",     "NO_NORMAL_ALL",
                                         "NO_NORMAL_ASSOC",   "NO_NORMAL_PART",
                                         "NO_NORMAL_QOS",     "NO_NORMAL_TRES"};
  for (const std::string_view word : split_list(pair->value)) {
    const bool known =
        std::any_of(std::begin(kFlags), std::end(kFlags),
                    [&](std::string_view flag) { return contains_ignoring_case(word, flag); });
    if (!known) {
      in.warning(*pair, fmt::format("{} is no flag; Slurm ignores it", shown(word)),
                 did_you_mean(word, kFlags));
    }
  }
}

void read_priority(ConfReading& in, const FieldReader& reader) {
  PriorityConf& priority = in.conf.priority;
  const bool multifactor = has(in.version, Change::MultifactorByDefault);
  std::string type = multifactor ? "priority/multifactor" : "priority/basic";
  reader.read("PriorityType", type);
  if (equals_ignoring_case(type, "priority/multifactor")) {
    priority.type = PriorityType::Multifactor;
  } else if (!equals_ignoring_case(type, "priority/basic")) {
    reader.error(*in.globals.own("PriorityType"), fmt::format("there is no plugin {}", shown(type)),
                 "priority/basic or priority/multifactor");
  }
  reader.read("PriorityWeightAge", priority.weight_age);
  reader.read("PriorityWeightAssoc", priority.weight_assoc);
  reader.read("PriorityWeightFairshare", priority.weight_fairshare);
  reader.read("PriorityWeightJobSize", priority.weight_job_size);
  reader.read("PriorityWeightPartition", priority.weight_partition);
  reader.read("PriorityWeightQOS", priority.weight_qos);
  if (const ConfPair* weights = in.globals.own("PriorityWeightTRES")) {
    priority.weight_tres =
        parse_tres_weights(weights->value, in.known_tres, in.at(*weights), in.found);
  }
  read_spans(reader, priority);
  reader.read("PriorityFavorSmall", priority.favor_small);
  std::uint32_t dampening = priority.fair_share_dampening_factor;
  reader.read("FairShareDampeningFactor", dampening, {.least = 1, .most = 65535});
  priority.fair_share_dampening_factor = static_cast<std::uint16_t>(dampening);
  read_flags(reader, priority);
}

}  // namespace

void read_accounting_and_priority(ConfReading& in) {
  const FieldReader reader = in.reader(in.globals);
  read_tres_names(in);
  read_accounting(in, reader);
  read_priority(in, reader);
}

}  // namespace rehearse
