// sim/study/point_options.cpp — what each kind of parameter changes about how a site is loaded.
#include "sim/study/point_options.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "sim/config/text_scan.hpp"
#include "sim/study/shell_word.hpp"

namespace rehearse {

ParameterTarget target_of(const StudyParameter& parameter) {
  if (parameter.change == "jobs") return ParameterTarget::Jobs;
  if (parameter.change == "span") return ParameterTarget::Span;
  if (parameter.change == "growth") return ParameterTarget::Growth;
  return parameter.change == "seed" ? ParameterTarget::Seed : ParameterTarget::Set;
}

void apply(const StudyConf& study, const StudyParameter& parameter, const std::string& value,
           LoadOptions& options) {
  if (value == kAsItIs) return;
  const std::string text = written(parameter, value);
  switch (target_of(parameter)) {
    case ParameterTarget::Set:
      options.set.push_back(fmt::format("{}={}", parameter.change, text));
      break;
    case ParameterTarget::Jobs:
      options.jobs = study.beside(text);
      break;
    case ParameterTarget::Span: {
      const std::size_t slash = text.find('/');
      if (slash == std::string::npos) {
        throw InputError(parameter.where, fmt::format("span: '{}' is not FROM/TO", text),
                         "as in 2025-03-03/2025-03-10; either may be missing");
      }
      options.from = text.substr(0, slash);
      options.to = text.substr(slash + 1);
      break;
    }
    case ParameterTarget::Growth: {
      const auto growth = text::parse_real(text);
      if (!growth || *growth < 0.01 || *growth > 100) {
        throw InputError(parameter.where,
                         fmt::format("growth: '{}' is not a number of 0.01 .. 100", text));
      }
      options.growth = *growth;
      break;
    }
    case ParameterTarget::Seed: {
      const auto seed = text::parse_decimal(text);
      if (!seed) {
        throw InputError(parameter.where, fmt::format("seed: '{}' is not a whole number", text));
      }
      options.seed = *seed;
    }
  }
}

LoadOptions options_of(const StudyConf& study) {
  LoadOptions options;
  options.set = study.set;
  if (!study.jobs.empty()) options.jobs = study.jobs;
  options.from = study.from;
  options.to = study.to;
  options.resample_users = study.resample_users;
  options.growth = study.growth;
  options.seed = study.seed;
  return options;
}

LoadOptions options_of(const StudyConf& study, const StudyPoint& point) {
  LoadOptions options = options_of(study);
  options.seed = point.seed;
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    apply(study, study.parameters[i], point.values[i], options);
  }
  return options;
}

std::string command_of(const StudyConf& study, const StudyPoint& point) {
  LoadOptions options;
  try {
    options = options_of(study, point);
  } catch (const InputError&) {
    return {};  // no command line would take it
  }
  std::string text = "rehearse run " + shell_word(study.site.string());
  for (const std::string& change : options.set) text += " --set " + shell_word(change);
  if (options.jobs) text += " --jobs " + shell_word(options.jobs->string());
  if (!options.from.empty()) text += " --from " + shell_word(options.from);
  if (!options.to.empty()) text += " --to " + shell_word(options.to);
  if (options.resample_users) text += " --resample-users";
  if (options.growth < 1 || options.growth > 1) text += fmt::format(" --growth {}", options.growth);
  return text + fmt::format(" --seed {}", *options.seed);
}

}  // namespace rehearse
