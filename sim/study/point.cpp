// sim/study/point.cpp — from values to a site, to a run, to figures.
#include "sim/study/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/config/text_scan.hpp"
#include "sim/output/result_file.hpp"
#include "sim/study/shell_word.hpp"

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

enum class Target : std::uint8_t { Set, Jobs, Span, Growth, Seed };
Target target_of(const StudyParameter& parameter) {
  if (parameter.change == "jobs") return Target::Jobs;
  if (parameter.change == "span") return Target::Span;
  if (parameter.change == "growth") return Target::Growth;
  return parameter.change == "seed" ? Target::Seed : Target::Set;
}

void apply(const StudyConf& study, const StudyParameter& parameter, const std::string& value,
           LoadOptions& options) {
  if (value == kAsItIs) return;
  const std::string text = written(parameter, value);
  switch (target_of(parameter)) {
    case Target::Set:
      options.set.push_back(fmt::format("{}={}", parameter.change, text));
      break;
    case Target::Jobs:
      options.jobs = study.beside(text);
      break;
    case Target::Span: {
      const std::size_t slash = text.find('/');
      if (slash == std::string::npos) {
        throw InputError(parameter.where, fmt::format("span: '{}' is not FROM/TO", text),
                         "as in 2025-03-03/2025-03-10; either may be missing");
      }
      options.from = text.substr(0, slash);
      options.to = text.substr(slash + 1);
      break;
    }
    case Target::Growth: {
      const auto growth = text::parse_real(text);
      if (!growth || *growth < 0.01 || *growth > 100) {
        throw InputError(parameter.where,
                         fmt::format("growth: '{}' is not a number of 0.01 .. 100", text));
      }
      options.growth = *growth;
      break;
    }
    case Target::Seed: {
      const auto seed = text::parse_decimal(text);
      if (!seed) {
        throw InputError(parameter.where, fmt::format("seed: '{}' is not a whole number", text));
      }
      options.seed = *seed;
    }
  }
}

/// A few values that stand for all: enough to tell a wrong key from a wrong value.
std::vector<std::string> samples_of(const StudyConf& study, std::size_t parameter) {
  const StudyParameter& one = study.parameters[parameter];
  if (one.is_range()) return {value_at(one, 0.0), value_at(one, 0.5)};
  if (!one.values.empty()) return one.values;
  std::vector<std::string> values;
  for (const auto& point : study.points) values.push_back(point[parameter]);
  return values;
}

/// True if the change `SchedulerParameters+=bf_interval=30` sets that word.
bool sets_word(std::string_view change, std::string_view word) {
  const auto is_of_a_word = [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); };
  for (std::size_t at = change.find(word); at != change.npos; at = change.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_of_a_word(change[at - 1]);
    if (begins && (end == change.size() || !is_of_a_word(change[end]))) return true;
  }
  return false;
}

/// A parameter of the loops' times does nothing where a recording tells when they ran.
void tell_replayed(const StudyConf& study, const LoadedSite& site, Diagnostics& found) {
  for (const std::string& word : replayed_words(site)) {
    for (std::size_t i = 0; i < study.parameters.size(); ++i) {
      const StudyParameter& one = study.parameters[i];
      if (target_of(one) != Target::Set) continue;
      const std::vector<std::string> values = samples_of(study, i);
      const bool sets = std::any_of(values.begin(), values.end(), [&](const std::string& value) {
        return value != kAsItIs && sets_word(one.change + "=" + written(one, value), word);
      });
      if (!sets) continue;
      found.warning(one.where,
                    fmt::format("{}: {} cannot act: the loops of a recording are replayed, and run "
                                "when the recorded ones did",
                                one.name, word),
                    "rename its meta.json and slurmctld.log to let the simulated ones keep their "
                    "own time");
    }
  }
}

}  // namespace

std::string_view to_text(PointStatus status) {
  return kStatus[static_cast<std::size_t>(status)];
}

PointRunner::PointRunner(const StudyConf& study, const ProgramVersion& program,
                         std::filesystem::path beside, Diagnostics& found)
    : study_(study), program_(program), beside_(std::move(beside)) {
  readers_.push_back(load_site(study.site, base_options(), found));
  if (!readers_.front()->has_jobs) {
    throw InputError({study.site.string(), 0, 0}, "there are no jobs to run",
                     "put sacct.txt into the folder, or name a file in the study: jobs: FILE");
  }
  tell_replayed(study, *readers_.front(), found);
}

LoadOptions PointRunner::base_options() const {
  LoadOptions options;
  options.set = study_.set;
  if (!study_.jobs.empty()) options.jobs = study_.jobs;
  options.from = study_.from;
  options.to = study_.to;
  options.resample_users = study_.resample_users;
  options.growth = study_.growth;
  options.seed = study_.seed;
  return options;
}

LoadOptions PointRunner::options_of(const StudyPoint& point) const {
  LoadOptions options = base_options();
  options.seed = point.seed;
  for (std::size_t i = 0; i < study_.parameters.size(); ++i) {
    apply(study_, study_.parameters[i], point.values[i], options);
  }
  return options;
}

std::string PointRunner::command_of(const StudyPoint& point) const {
  LoadOptions options;
  try {
    options = options_of(point);
  } catch (const InputError&) {
    return {};  // no command line would take it
  }
  std::string text = "rehearse run " + shell_word(study_.site.string());
  for (const std::string& change : options.set) text += " --set " + shell_word(change);
  if (options.jobs) text += " --jobs " + shell_word(options.jobs->string());
  if (!options.from.empty()) text += " --from " + shell_word(options.from);
  if (!options.to.empty()) text += " --to " + shell_word(options.to);
  if (options.resample_users) text += " --resample-users";
  if (options.growth < 1 || options.growth > 1) text += fmt::format(" --growth {}", options.growth);
  return text + fmt::format(" --seed {}", *options.seed);
}

void PointRunner::check_parameters() const {
  Diagnostics found;
  for (std::size_t i = 0; i < study_.parameters.size(); ++i) {
    const StudyParameter& parameter = study_.parameters[i];
    std::vector<Diagnostic> first;
    bool usable = false;
    const std::vector<std::string> values = samples_of(study_, i);
    for (const std::string& value : values) {
      if (usable) break;
      LoadOptions options = base_options();
      try {
        apply(study_, parameter, value, options);
        if (target_of(parameter) == Target::Jobs) options.jobs.reset();  // read by its points
        if (target_of(parameter) == Target::Growth) options.growth = 1;  // so are these
        Diagnostics ignored;
        (void)load_site(study_.site, options, ignored, {readers_.front().get()});
        usable = true;
      } catch (const InputError& error) {
        if (first.empty()) first = error.findings();
      }
    }
    if (usable || values.empty()) continue;
    for (const Diagnostic& finding : first) {
      if (finding.severity != Severity::Error) continue;
      found.error(parameter.where, fmt::format("{}: {}", parameter.name, finding.what),
                  finding.hint);
    }
  }
  found.throw_if_errors();
}

std::vector<InputFile> PointRunner::inputs() const {
  const LoadOptions options = base_options();
  std::vector<InputFile> inputs = provenance_of(*readers_.front(), options, program_, {}).inputs;
  for (const StudyParameter& parameter : study_.parameters) {
    if (target_of(parameter) != Target::Jobs) continue;
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
                                     const LoadOptions& options, const Simulation& done) {
  PointOutcome outcome;
  outcome.point = point.number;
  outcome.status = PointStatus::Complete;
  outcome.schedule_fingerprint = done.result.loops.schedule_fingerprint;
  outcome.event_fingerprint = done.result.loops.event_fingerprint;
  const Kpis kpis = compute_kpis(done.result);
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
    const Provenance made = provenance_of(site, options, program_, command_of(point));
    const std::lock_guard lock(file_lock_);
    std::filesystem::create_directories(folder);
    write_result(beside_ / outcome.file, done.result, kpis, made);
  }
  return outcome;
}

std::optional<PointOutcome> PointRunner::run(const StudyPoint& point,
                                             const std::atomic<bool>* interrupted) {
  PointOutcome failed;
  failed.point = point.number;
  failed.status = PointStatus::Failed;
  try {
    const LoadOptions options = options_of(point);
    const std::unique_ptr<LoadedSite> site = load(options);
    const Simulation done = simulate(*site, {}, interrupted);
    if (done.status != RunStatus::Complete) return std::nullopt;
    return outcome_of(point, *site, options, done);
  } catch (const InputError& error) {
    failed.error = errors_of(error);
  }
  return failed;
}

}  // namespace rehearse
