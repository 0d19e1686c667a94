// sim/study/parameter_check.cpp — a few values of each parameter stand for all.
#include "sim/study/parameter_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/point_options.hpp"

namespace rehearse {
namespace {

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

}  // namespace

void tell_replayed(const StudyConf& study, const LoadedSite& site, Diagnostics& found) {
  for (const std::string& word : replayed_words(site)) {
    for (std::size_t i = 0; i < study.parameters.size(); ++i) {
      const StudyParameter& one = study.parameters[i];
      if (target_of(one) != ParameterTarget::Set) continue;
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

void check_parameters(const StudyConf& study, const LoadedSite& site) {
  Diagnostics found;
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const StudyParameter& parameter = study.parameters[i];
    std::vector<Diagnostic> first;
    bool usable = false;
    const std::vector<std::string> values = samples_of(study, i);
    for (const std::string& value : values) {
      if (usable) break;
      LoadOptions options = options_of(study);
      try {
        apply(study, parameter, value, options);
        if (target_of(parameter) == ParameterTarget::Jobs)
          options.jobs.reset();  // read by its points
        if (target_of(parameter) == ParameterTarget::Growth) options.growth = 1;  // so are these
        Diagnostics ignored;
        (void)load_site(study.site, options, ignored, {&site});
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

}  // namespace rehearse
