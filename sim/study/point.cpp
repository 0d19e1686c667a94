// sim/study/point.cpp — a point's site, with jobs that are read once for all, its run and figures.
#include "sim/study/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/config/text_scan.hpp"
#include "sim/output/result_file.hpp"
#include "sim/study/parameter_check.hpp"
#include "sim/study/simulate.hpp"

namespace rehearse {
namespace {

constexpr std::array<std::string_view, 3> kStatus{"waiting", "complete", "failed"};
constexpr std::size_t kErrorsKept = 5;
/// Replications of all designs have the same few seeds, and so the same users drawn.
constexpr std::size_t kDrawsKept = 8;

/// The errors as `run` prints them; of very many the first few.
std::string errors_of(const InputError& error) {
  std::string text;
  std::size_t count = 0;
  for (const Diagnostic& finding : error.findings()) {
    if (finding.severity != Severity::Error || ++count > kErrorsKept) continue;
    text += fmt::format("{}{}", text.empty() ? "" : "\n", to_text(finding));
  }
  if (count > kErrorsKept) text += fmt::format("\nand {} more errors", count - kErrorsKept);
  return text;
}

}  // namespace

std::string_view to_text(PointStatus status) {
  return kStatus[static_cast<std::size_t>(status)];
}

PointRunner::PointRunner(const StudyConf& study, const ProgramVersion& program,
                         std::filesystem::path beside, Diagnostics& found)
    : study_(study), program_(program), beside_(std::move(beside)) {
  readers_.push_back(load_site(study.site, options_of(study), found));
  if (!readers_.front()->has_jobs) {
    throw InputError({study.site.string(), 0, 0}, "there are no jobs to run",
                     "put sacct.txt into the folder, or name a file in the study: jobs: FILE");
  }
  tell_replayed(study, *readers_.front(), found);
}

std::vector<InputFile> PointRunner::inputs() const {
  const LoadOptions options = options_of(study_);
  std::vector<InputFile> inputs = provenance_of(*readers_.front(), options, program_, {}).inputs;
  for (const StudyParameter& parameter : study_.parameters) {
    if (target_of(parameter) != ParameterTarget::Jobs) continue;
    for (const std::string& value : parameter.values) {
      const std::string name = written(parameter, value);
      Diagnostics ignored;  // its points tell that it is not there
      inputs.push_back(make_input("jobs of " + parameter.name, name,
                                  text::read_file(study_.beside(name), ignored).value_or("")));
    }
  }
  return inputs;
}

std::vector<const LoadedSite*> PointRunner::readers() {
  const std::lock_guard lock(readers_lock_);
  std::vector<const LoadedSite*> all;
  for (const auto& reader : readers_) all.push_back(reader.get());
  return all;
}

std::unique_ptr<LoadedSite> PointRunner::load(const LoadOptions& options) {
  Diagnostics ignored;  // warnings are the base's, told once
  auto site = load_site(study_.site, options, ignored, readers());
  if (site->jobs_of != nullptr || !site->has_jobs) return site;
  // Jobs that nobody has read yet: this one keeps them for all, and a second one runs.
  const LoadedSite* const reader = site.get();
  {
    const std::lock_guard lock(readers_lock_);
    const auto draws = std::count_if(readers_.begin(), readers_.end(), [](const auto& each) {
      return !each->user_change.is_neutral();
    });
    // Who is drawn differs by the seed: to keep every draw would fill the memory.
    if (!site->user_change.is_neutral() && static_cast<std::size_t>(draws) >= kDrawsKept) {
      return site;
    }
    readers_.push_back(std::move(site));
  }
  return load_site(study_.site, options, ignored, {reader});
}

PointOutcome PointRunner::outcome_of(const StudyPoint& point, const LoadedSite& site,
                                     const LoadOptions& options, const Result& result) {
  PointOutcome outcome;
  outcome.point = point.number;
  outcome.status = PointStatus::Complete;
  outcome.schedule_fingerprint = result.loops.schedule_fingerprint;
  outcome.event_fingerprint = result.loops.event_fingerprint;
  const Kpis kpis = compute_kpis(result);
  for (const Kpi& kpi : kpis.values) {
    if (kpi.scope == "all") outcome.kpis.emplace_back(kpi.name, kpi.value);
  }
  for (const StudyObjective& objective : study_.objectives) {
    if (objective.scope == "all") continue;
    const Kpi* kpi = kpis.find(objective.scope, objective.group, objective.kpi);
    outcome.kpis.emplace_back(
        objective.name(), kpi != nullptr ? kpi->value : std::numeric_limits<double>::quiet_NaN());
  }
  if (!study_.results.empty()) {
    const std::filesystem::path folder = beside_ / study_.results;
    outcome.file = fmt::format("{}/{:06}.h5", study_.results, point.number);
    const Provenance made = provenance_of(site, options, program_, command_of(study_, point));
    const std::lock_guard lock(file_lock_);
    std::filesystem::create_directories(folder);
    write_result(beside_ / outcome.file, result, kpis, made);
  }
  return outcome;
}

std::optional<PointOutcome> PointRunner::run(const StudyPoint& point,
                                             const std::atomic<bool>* interrupted) {
  PointOutcome failed;
  failed.point = point.number;
  failed.status = PointStatus::Failed;
  try {
    const LoadOptions options = options_of(study_, point);
    const std::unique_ptr<LoadedSite> site = load(options);
    const Simulation done = simulate(*site, {}, interrupted);
    if (done.status != RunStatus::Complete) return std::nullopt;
    return outcome_of(point, *site, options, done.result);
  } catch (const InputError& error) {
    failed.error = errors_of(error);
  }
  return failed;
}

}  // namespace rehearse
