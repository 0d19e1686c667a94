// sim/study/study_conf.cpp — the keys of a study, read in one place, and what must hold of them.
#include "sim/study/study_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/output/kpi/kpi.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kMostSamples = 1000000;
constexpr std::uint64_t kMostReplications = 10000;
constexpr std::uint64_t kMostWorkers = 100000;
constexpr double kLeastGrowth = 0.01, kMostGrowth = 100;
constexpr std::array<std::string_view, 6> kDesigns{"grid", "random",  "sobol",
                                                   "list", "outside", "tune"};
constexpr std::array<std::string_view, 8> kScopes{"all",  "partition", "account", "qos",
                                                  "size", "class",     "reason",  "state"};

void read_design(ConfigNode& node, StudyConf& study) {
  std::string design(to_text(study.design));
  node.read("design", design);
  const auto known = std::find(kDesigns.begin(), kDesigns.end(), design);
  if (known == kDesigns.end()) {
    const std::string hint = did_you_mean(design, kDesigns);
    node.fail("design", fmt::format("'{}' is no design", shortened(design)),
              hint.empty() ? "grid, random, sobol, list, outside or tune" : hint);
  } else {
    study.design = static_cast<StudyDesign>(known - kDesigns.begin());
  }
  node.read("samples", study.samples, {1, kMostSamples});
  node.read("replications", study.replications, {1, kMostReplications});
  node.read("seed", study.seed);
  const bool is_tuned = study.design == StudyDesign::Tune;
  const bool samples =
      study.design == StudyDesign::Random || study.design == StudyDesign::Sobol || is_tuned;
  if (samples && !node.has("samples")) {
    node.fail("samples", "is not given", "how many points the design has: samples: 64");
  }
  if (!samples && node.has("samples")) {
    node.fail("samples", fmt::format("a {} has no samples", design),
              "it is for random and sobol designs, and for tune");
  }
  if (!is_tuned && node.has("tune")) {
    node.fail("tune", fmt::format("a {} is not tuned", design), "design: tune");
  }
}

void read_slurm(ConfigNode node, StudySlurm& slurm) {
  node.read("partition", slurm.partition);
  node.read("account", slurm.account);
  node.read("qos", slurm.qos);
  node.read("time", slurm.time);
  node.read("memory", slurm.memory);
  node.read("cpus", slurm.cpus, {1, 1024});
  node.read("workers", slurm.workers, {1, kMostWorkers});
  node.read("throttle", slurm.throttle, {0, kMostWorkers});
  node.read("options", slurm.options);
  node.finish();
}

void read_parameter_keys(ConfigNode& node, StudyParameter& parameter) {
  node.read("change", parameter.change);
  node.read("name", parameter.name);
  node.read("form", parameter.form);
  node.read("values", parameter.values);
  std::string scale = parameter.is_log ? "log" : "linear";
  double least = 0;
  double most = 0;
  node.read("least", least);
  node.read("most", most);
  node.read("whole", parameter.is_whole);
  node.read("scale", scale);
  node.read("steps", parameter.steps, {2, kMostSamples});
  if (node.has("least")) parameter.least = least;
  if (node.has("most")) parameter.most = most;
  if (scale != "log" && scale != "linear") {
    node.fail("scale", fmt::format("'{}' is no scale", shortened(scale)), "linear or log");
  }
  parameter.is_log = scale == "log";
  node.finish();
}

void check_range(ConfigNode& node, const StudyParameter& parameter, StudyDesign design) {
  if (parameter.least.has_value() != parameter.most.has_value()) {
    node.fail(parameter.least ? "most" : "least", "is not given", "a range has least and most");
    return;
  }
  if (!parameter.is_range()) return;
  if (!parameter.values.empty()) {
    node.fail("values", "stand beside a range", "give either values, or least and most");
  }
  if (*parameter.least > *parameter.most) node.fail("least", "is more than most");
  if (parameter.is_log && *parameter.least <= 0) {
    node.fail("least", "must be more than 0 on a log scale");
  }
  const auto check_whole = [&](const char* key, double value) {
    constexpr double kMostWhole = 9007199254740992.0;  // 2^53: from here on doubles leave some out
    if (std::trunc(value) != value) {
      node.fail(key, "a range of whole numbers has whole ends", "or say whole: false");
    } else if (std::abs(value) > kMostWhole) {
      node.fail(key, "is beyond 2^53, from where on not every whole number is one of its own");
    }
  };
  if (parameter.is_whole) {
    check_whole("least", *parameter.least);
    check_whole("most", *parameter.most);
  }
  if (design == StudyDesign::Grid && parameter.steps == 0) {
    node.fail("steps", "is not given", "how many values of the range the grid has, ends included");
  }
}

void read_parameter(ConfigNode& node, StudyParameter& parameter, StudyDesign design) {
  parameter.where = node.where("change");
  read_parameter_keys(node, parameter);
  if (parameter.change.empty()) {
    node.fail("change", "is not given",
              "PriorityWeightAge, PartitionName=gpu:MaxTime, QOS=high:Priority, jobs, span, "
              "growth, seed …");
  }
  if (parameter.name.empty()) parameter.name = parameter.change;
  if (parameter.form.empty()) parameter.form = "{}";
  if (parameter.form.find("{}") == std::string::npos) {
    node.fail("form", fmt::format("'{}' has no place for the value", shortened(parameter.form)),
              "as in form: \"gres/gpu={}\"");
  }
  check_range(node, parameter, design);
  const bool named_elsewhere = design == StudyDesign::List || design == StudyDesign::Outside;
  if (!parameter.is_range() && parameter.values.empty() && !named_elsewhere) {
    node.fail("values", "is not given", "values: [1, 2, 3], or a range: least and most");
  }
  if (design == StudyDesign::List && (parameter.is_range() || !parameter.values.empty())) {
    node.fail("values", "a list of points has no values of its own", "they stand in points:");
  }
}

void read_points(ConfigNode& node, StudyConf& study) {
  std::vector<ConfigNode> rows = node.children("points");
  for (ConfigNode& row : rows) {
    std::vector<std::string> values;
    for (const StudyParameter& parameter : study.parameters) {
      std::string value;
      row.read(parameter.name, value);
      if (!row.has(parameter.name)) row.fail(parameter.name, "is not given");
      values.push_back(std::move(value));
    }
    row.finish();
    study.points.push_back(std::move(values));
  }
  if (study.design == StudyDesign::List && rows.empty()) {
    node.fail("points", "is not given", "a list of maps, the value of every parameter by its name");
  }
  if (study.design != StudyDesign::List && !rows.empty()) {
    node.fail("points", "are for a list", "design: list");
  }
}

void read_objective(ConfigNode& node, StudyObjective& objective) {
  std::string least;
  std::string most;
  node.read("least", least);
  node.read("most", most);
  node.finish();
  if (least.empty() == most.empty()) {
    node.fail("least", "an objective is one figure", "least: wait_mean, or most: throughput");
    return;
  }
  objective.most = least.empty();
  const std::string& text = objective.most ? most : least;
  const char* const key = objective.most ? "most" : "least";
  if (!split_objective(text, objective)) {
    node.fail(key, fmt::format("'{}' is no figure of a group", shortened(text)),
              "as in partition/gpu/wait_p95; or account, qos, size, reason, state");
  } else if (find_kpi_definition(objective.kpi) == nullptr) {
    std::vector<std::string_view> names;
    for (const KpiDefinition& each : kpi_definitions()) names.push_back(each.name);
    const std::string hint = did_you_mean(objective.kpi, names);
    node.fail(key, fmt::format("'{}' is no figure of merit", shortened(objective.kpi)),
              hint.empty() ? "rehearse run SITE --json prints their names" : hint);
  }
}

void check_together(ConfigNode& node, const StudyConf& study) {
  std::set<std::string> names{"point", "design", "replication", "seed", "status", "error", "file"};
  if (study.design == StudyDesign::Tune) names.emplace(kWeekName);
  for (const StudyObjective& objective : study.objectives) {
    if (!names.insert(objective.name()).second) {
      node.fail("objectives", fmt::format("{} is named twice", objective.name()));
    }
  }
  for (const StudyParameter& parameter : study.parameters) {
    if (!names.insert(parameter.name).second && !parameter.name.empty() &&
        !(parameter.name == "seed" && parameter.change == "seed")) {
      node.fail("parameters", fmt::format("the name '{}' is taken", shortened(parameter.name)),
                "give one of them another name:");
    }
    if (parameter.change == "seed" && study.replications > 1) {
      node.fail("replications", "the seed is a parameter: replications have no seeds of their own");
    }
  }
  if (study.parameters.empty() && study.replications == 1) {
    node.fail("parameters", "nothing is varied", "a study has parameters, or replications");
  }
  if (study.objectives.empty()) {
    node.fail("objectives", "is not given", "for example objectives: [{least: wait_mean}]");
  }
}

void read_keys(ConfigNode& node, StudyConf& study) {
  node.read("site", study.site_text);
  node.read("set", study.set);
  node.read("jobs", study.jobs);
  node.read("from", study.from);
  node.read("to", study.to);
  node.read("resample_users", study.resample_users);
  node.read("growth", study.growth, {kLeastGrowth, kMostGrowth});
  read_design(node, study);
  for (ConfigNode& each : node.children("parameters")) {
    read_parameter(each, study.parameters.emplace_back(), study.design);
  }
  read_points(node, study);
  for (ConfigNode& each : node.children("objectives")) {
    read_objective(each, study.objectives.emplace_back());
  }
  node.read("results", study.results);
  read_slurm(node.child("slurm"), study.slurm);
  read_tune(node.child("tune"), study.tune);
}

}  // namespace

std::string_view to_text(StudyDesign design) {
  return kDesigns[static_cast<std::size_t>(design)];
}

bool split_objective(const std::string& text, StudyObjective& objective) {
  const std::size_t first = text.find('/');
  const std::size_t last = text.rfind('/');
  objective.kpi = last == std::string::npos ? text : text.substr(last + 1);
  if (first == std::string::npos) return true;
  if (first == last) return false;
  objective.scope = text.substr(0, first);
  objective.group = text.substr(first + 1, last - first - 1);
  return objective.scope != "all" &&
         std::find(kScopes.begin(), kScopes.end(), objective.scope) != kScopes.end();
}

std::string StudyObjective::name() const {
  return scope == "all" ? kpi : fmt::format("{}/{}/{}", scope, group, kpi);
}

std::filesystem::path StudyConf::beside(const std::string& path) const {
  return (file.parent_path() / path).lexically_normal();
}

StudyConf parse_study(std::string_view text, const std::filesystem::path& file,
                      Diagnostics& found) {
  StudyConf study;
  study.file = file;
  const ConfigValue value = parse_yaml(text, file.string(), found);
  ConfigNode node(value, "", found);
  read_keys(node, study);
  node.finish();
  if (study.site_text.empty()) {
    found.error(node.where("site"), "a study must name its site", "site: ../mysite");
  }
  study.site = study.beside(study.site_text);
  if (!study.jobs.empty()) study.jobs = study.beside(study.jobs).string();
  check_together(node, study);
  return study;
}

StudyConf read_study(const std::filesystem::path& file) {
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed)) {
    throw InputError({file.string(), 0, 0}, "is a folder: a study is a .yaml that names its site",
                     "see configs/studies; of a site itself: rehearse run, compare --set-b, tune "
                     "--objective");
  }
  Diagnostics found;
  const auto text = text::read_file(file, found);
  StudyConf study;
  if (text) study = parse_study(*text, file, found);
  found.throw_if_errors();
  return study;
}

std::vector<ConfigKey> study_keys() {
  std::vector<ConfigKey> keys;
  Diagnostics none;
  const ConfigValue empty;
  StudyConf study;
  ConfigNode node(empty, "", none, &keys);
  read_keys(node, study);
  StudyParameter parameter;
  ConfigNode one(empty, "parameters[]", none, &keys);
  read_parameter_keys(one, parameter);
  StudyObjective objective;
  ConfigNode figure(empty, "objectives[]", none, &keys);
  read_objective(figure, objective);
  return keys;
}

}  // namespace rehearse
