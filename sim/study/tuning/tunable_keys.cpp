// sim/study/tuning/tunable_keys.cpp — the one table of keys with a range of their own.
#include "sim/study/tuning/tunable_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/units.hpp"
#include "sim/study/design.hpp"

namespace rehearse {
namespace {

enum class KeyKind : std::uint8_t { Weight, Days, YesNo, Word };

/// A key that is known here, and its range.
struct TunableKey {
  std::string_view name;
  KeyKind kind = KeyKind::Weight;
  double least = 0, most = 0;  ///< of days and words; of weights by the site
  bool is_log = true;
};

constexpr std::array kKeys{
    TunableKey{"PriorityWeightAge"},
    TunableKey{"PriorityWeightFairshare"},
    TunableKey{"PriorityWeightJobSize"},
    TunableKey{"PriorityWeightPartition"},
    TunableKey{"PriorityWeightQOS"},
    TunableKey{"PriorityWeightAssoc"},
    TunableKey{"PriorityFavorSmall", KeyKind::YesNo},
    TunableKey{"PriorityMaxAge", KeyKind::Days, 1, 28},
    TunableKey{"PriorityDecayHalfLife", KeyKind::Days, 1, 28},
    TunableKey{"bf_max_job_test", KeyKind::Word, 50, 5000},
    TunableKey{"bf_max_job_user", KeyKind::Word, 5, 500},
    TunableKey{"bf_max_job_part", KeyKind::Word, 10, 1000},
    TunableKey{"bf_window", KeyKind::Word, 1440, 20160},
    TunableKey{"bf_job_part_count_reserve", KeyKind::Word, 0, 50, false},
};
constexpr double kLeastTop = 1e5, kBelowTop = 1e4, kMostTop = 1e9;

std::uint32_t largest_weight(const PriorityConf& priority) {
  return std::max({priority.weight_age, priority.weight_assoc, priority.weight_fairshare,
                   priority.weight_job_size, priority.weight_partition, priority.weight_qos});
}

/// Ten times the largest of today, as a power of ten: any of them may come to dominate.
double top_weight(const PriorityConf& priority) {
  double top = kLeastTop;
  while (top < kMostTop && top < double{10} * largest_weight(priority)) top *= 10;
  return top;
}

bool has_several_factors(const SlurmConf& conf) {
  return std::any_of(conf.partitions.begin(), conf.partitions.end(), [&](const PartitionConf& one) {
    return one.priority_job_factor != conf.partitions.front().priority_job_factor;
  });
}

bool has_several_priorities(const std::vector<QosConf>& all) {
  return std::any_of(all.begin(), all.end(),
                     [&](const QosConf& one) { return one.priority != all.front().priority; });
}

/// True if varying it can change anything at the site.
bool acts(const TunableKey& key, const LoadedSite& today) {
  const SlurmConf& conf = today.inputs.slurm_conf;
  if (key.kind == KeyKind::Word) {
    return key.name == "bf_max_job_test" && conf.scheduler_type == SchedulerType::Backfill;
  }
  if (conf.priority.type != PriorityType::Multifactor) return false;
  if (key.name == "PriorityWeightAssoc") return conf.priority.weight_assoc > 0;
  if (key.name == "PriorityWeightPartition") return has_several_factors(conf);
  if (key.name == "PriorityWeightQOS") return has_several_priorities(today.inputs.accounting.qos);
  return true;
}

const TunableKey* find_key(std::string_view name) {
  const auto at = std::find_if(kKeys.begin(), kKeys.end(), [&](const TunableKey& key) {
    return equals_ignoring_case(key.name, name);
  });
  return at == kKeys.end() ? nullptr : &*at;
}

}  // namespace

StudyParameter parameter_of(std::string_view name, const LoadedSite& today) {
  StudyParameter parameter;
  parameter.where = {fmt::format("--keys {}", name), 0, 0};
  parameter.name = parameter.change = name;
  parameter.form = "{}";
  const TunableKey* const key = find_key(name);
  if (key == nullptr) {
    if (name.starts_with("bf_")) {  // a word of the list
      parameter.change = "SchedulerParameters+";
      parameter.form = fmt::format("{}={{}}", name);
    }
    return parameter;
  }
  parameter.name = parameter.change = key->name;
  parameter.is_log = key->is_log;
  const double top = top_weight(today.inputs.slurm_conf.priority);
  switch (key->kind) {
    case KeyKind::Weight:
      parameter.least = std::max(1.0, top / kBelowTop);
      parameter.most = top;
      break;
    case KeyKind::Days:
      parameter.form = "{}-0";
      parameter.least = key->least;
      parameter.most = key->most;
      break;
    case KeyKind::YesNo:
      parameter.values = {"YES", "NO"};
      break;
    case KeyKind::Word:
      parameter.change = "SchedulerParameters+";
      parameter.form = fmt::format("{}={{}}", key->name);
      parameter.least = key->least;
      parameter.most = key->most;
      break;
  }
  return parameter;
}

std::vector<StudyParameter> keys_that_act(const LoadedSite& today) {
  std::vector<StudyParameter> parameters;
  for (const TunableKey& key : kKeys) {
    if (acts(key, today)) parameters.push_back(parameter_of(key.name, today));
  }
  return parameters;
}

std::vector<std::string_view> tunable_keys() {
  std::vector<std::string_view> names;
  for (const TunableKey& key : kKeys) names.push_back(key.name);
  return names;
}

std::string range_text(const StudyParameter& parameter) {
  const bool is_word = parameter.change.ends_with('+');  // its form would repeat its name
  const auto shown_as = [&](const std::string& value) {
    return is_word ? value : written(parameter, value);
  };
  if (parameter.is_range()) {
    return fmt::format("{} .. {}{}", shown_as(fmt::format("{:.0f}", *parameter.least)),
                       shown_as(fmt::format("{:.0f}", *parameter.most)),
                       parameter.is_log ? ", in equal ratios" : "");
  }
  std::string text;
  for (const std::string& value : parameter.values) {
    text += fmt::format("{}{}", text.empty() ? "" : " or ", shown_as(value));
  }
  return text;
}

std::string tunable_key_names() {
  constexpr std::size_t kWidth = 96;
  std::string text;
  std::size_t begin = 0;  // of the last line
  for (const TunableKey& key : kKeys) {
    if (text.size() + key.name.size() + 1 > begin + kWidth) {
      text += '\n';
      begin = text.size();
    } else if (!text.empty()) {
      text += ' ';
    }
    text += key.name;
  }
  return text;
}

}  // namespace rehearse
