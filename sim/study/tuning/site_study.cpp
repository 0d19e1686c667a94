// sim/study/tuning/site_study.cpp — objectives by name, keys as the command line says them.
#include "sim/study/tuning/site_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/output/kpi/kpi.hpp"
#include "sim/study/comparison/figures.hpp"
#include "sim/study/tuning/paste.hpp"
#include "sim/study/tuning/tunable_keys.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kKeysHint =
    "with a range any key of slurm.conf, QOS=…:Key or PartitionName=…:Key can be tuned: "
    "KEY=1..100, KEY=A|B";
constexpr double kRatioOfLog = 100;  ///< a range that is wider is searched in equal ratios

/// `1..100` or `A|B`, instead of what the key has by itself.
void set_range(StudyParameter& parameter, std::string_view key, std::string_view range) {
  parameter.least.reset();
  parameter.most.reset();
  parameter.values.clear();
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos) {
    for (const text::Piece& value : text::split_at(range, '|')) {
      if (value.text.empty()) throw SiteTuningError{fmt::format("{}: a value is empty", key), ""};
      parameter.values.emplace_back(value.text);
    }
    if (parameter.values.size() < 2) {
      throw SiteTuningError{fmt::format("{}={}: one value is nothing to choose from", key, range),
                            "a range, KEY=1..100, or values, KEY=A|B"};
    }
    parameter.form = parameter.form == "{}-0" ? "{}" : parameter.form;  // written as they are
    return;
  }
  const auto least = text::parse_decimal(trimmed(range.substr(0, dots)));
  const auto most = text::parse_decimal(trimmed(range.substr(dots + 2)));
  constexpr std::uint64_t kMostWhole = std::uint64_t{1} << 53U;
  if (!least || !most || *least >= *most || *most > kMostWhole) {
    throw SiteTuningError{fmt::format("{}={}: not a range of whole numbers", key, range),
                          "the least, two dots, the most: KEY=1..100"};
  }
  parameter.least = static_cast<double>(*least);
  parameter.most = static_cast<double>(*most);
  parameter.is_log = *least > 0 && *parameter.most / *parameter.least >= kRatioOfLog;
}

/// Where the range begins. A key of a record has an `=` of its own, QOS=high:Priority=1..100, and
/// values may have any: PreemptExemptTime=00:10:00|01:00:00, PriorityWeightTRES=cpu=1|gres/gpu=2.
std::size_t equals_of(std::string_view text) {
  constexpr std::string_view kRecords[] = {
      "QOS=", "Account=", "Nodes=", "NodeName=", "PartitionName="};
  const bool is_record =
      std::any_of(std::begin(kRecords), std::end(kRecords), [&](std::string_view head) {
        return equals_ignoring_case(text.substr(0, head.size()), head);
      });
  return text.find('=', is_record ? std::min(text.find(':'), text.size()) : 0);
}

StudyParameter chosen_key(std::string_view text, const LoadedSite& today) {
  const std::size_t equals = equals_of(text);
  const std::string_view name = trimmed(text.substr(0, equals));
  StudyParameter parameter = parameter_of(name, today);
  if (equals != std::string_view::npos) {
    set_range(parameter, parameter.name, trimmed(text.substr(equals + 1)));
  } else if (!parameter.is_range() && parameter.values.empty()) {
    const std::string hint = did_you_mean(name, tunable_keys());
    throw SiteTuningError{fmt::format("'{}' has no range of its own", shortened(name)),
                          hint.empty() ? std::string(kKeysHint) : hint};
  }
  if (const std::string why = unpasteable(parameter.change); !why.empty()) {
    throw SiteTuningError{fmt::format("{} {}: it cannot be tuned", name, why),
                          std::string(kKeysHint)};
  }
  const PriorityConf& priority = today.inputs.slurm_conf.priority;
  if (parameter.change.starts_with("Priority") && priority.type != PriorityType::Multifactor) {
    throw SiteTuningError{
        fmt::format("{}: slurm.conf has PriorityType=priority/basic: it cannot act", name),
        "--set PriorityType=priority/multifactor tunes the site as it would be with it"};
  }
  return parameter;
}

/// `most:NAME`, `least:NAME`, or a figure of which it is known which is the better.
StudyObjective objective_of(std::string_view text) {
  StudyObjective objective;
  std::optional<bool> most;
  for (const auto& [word, is_most] : {std::pair{"most:", true}, {"least:", false}}) {
    if (text.starts_with(word)) {
      most = is_most;
      text.remove_prefix(std::string_view(word).size());
    }
  }
  if (!split_objective(std::string(text), objective)) {
    throw SiteTuningError{fmt::format("'{}' is no figure of a group", shortened(text)),
                          "as in partition/gpu/wait_p95; or account, qos, size, class"};
  }
  std::string_view kpi = objective.kpi;
  const FigureInfo* const figure = find_figure(kpi);
  if (kpi == "gpu_utilization" || kpi == "cpu_utilization") {
    kpi = kpi == "gpu_utilization" ? "gpu_utilization_available" : "cpu_utilization_available";
  } else if (figure != nullptr) {
    kpi = figure->name;
  }
  if (find_kpi_definition(kpi) == nullptr) {
    std::vector<std::string_view> names;
    for (const KpiDefinition& each : kpi_definitions()) names.push_back(each.name);
    const std::string hint = did_you_mean(kpi, names);
    throw SiteTuningError{
        fmt::format("'{}' is no figure of merit", shortened(kpi)),
        hint.empty() ? "wait_mean, wait_p95, slowdown_fairness, throughput, gpu_utilization; "
                       "rehearse run SITE --json prints all their names"
                     : hint};
  }
  if (!most && kpi == "slowdown_fairness") most = true;
  if (!most && (kpi.starts_with("wait") || kpi.starts_with("bounded_slowdown"))) most = false;
  if (!most && figure != nullptr && figure->better != Better::Neither) {
    most = figure->better == Better::More;
  }
  if (!most) {
    throw SiteTuningError{fmt::format("{}: is more the better, or less?", kpi),
                          fmt::format("--objective most:{0}, or least:{0}", kpi)};
  }
  objective.kpi = std::string(kpi);
  objective.most = *most;
  return objective;
}

}  // namespace

StudyConf study_of_site(const SiteTuning& asked, const LoadOptions& options,
                        const LoadedSite& today) {
  StudyConf study;
  study.site = asked.site;
  study.site_text = asked.site;
  const auto root = std::filesystem::weakly_canonical(asked.site);
  study.file = root.has_filename() ? root.filename() : root.parent_path().filename();
  study.set = options.set;
  if (options.jobs) study.jobs = options.jobs->string();
  study.from = options.from;
  study.to = options.to;
  study.resample_users = options.resample_users;
  study.growth = options.growth;
  if (options.seed) study.seed = *options.seed;
  study.design = StudyDesign::Tune;
  study.samples = kSiteTuningSamples;
  study.tune.unstarted = kSiteTuningUnstarted;
  for (const std::string& text : asked.objectives) {
    const StudyObjective one = objective_of(text);
    const bool is_known =
        std::any_of(study.objectives.begin(), study.objectives.end(),
                    [&](const StudyObjective& other) { return other.name() == one.name(); });
    if (!is_known) study.objectives.push_back(one);
  }
  for (const std::string& text : asked.keys) {
    study.parameters.push_back(chosen_key(trimmed(text), today));
    const std::string& name = study.parameters.back().name;
    const auto same = [&](const StudyParameter& other) { return other.name == name; };
    if (std::count_if(study.parameters.begin(), study.parameters.end(), same) > 1) {
      throw SiteTuningError{fmt::format("{} is named twice", name), ""};
    }
  }
  if (asked.keys.empty()) study.parameters = keys_that_act(today);
  if (study.parameters.empty()) {
    throw SiteTuningError{
        "slurm.conf has PriorityType=priority/basic and no backfill: none of the "
        "keys that are tried by themselves acts",
        std::string(kKeysHint)};
  }
  return study;
}

}  // namespace rehearse
