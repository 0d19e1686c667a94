// sim/study/design.cpp — points by product, by chance, by Sobol's sequence, or as they are listed.
//
// Sobol: Joe and Kuo's direction numbers (Boost's), each coordinate shifted by XOR with a random
// word of the study's seed, which keeps the sequence's balance.
#include "sim/study/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <utility>

#include "sim/core/rng.hpp"

namespace rehearse {
namespace {

constexpr double kOfWord = 1.0 / 9007199254740992.0;  // 2^-53: the upper 53 bits of a word

double unit_of(std::uint64_t word) {
  return static_cast<double>(word >> 11U) * kOfWord;
}

std::string number_text(double value, bool is_whole) {
  // Six digits: exp and log may differ between machines in the last bits.
  return is_whole ? fmt::format("{}", std::llround(value)) : fmt::format("{:.6g}", value);
}

/// Value i of n of a grid, both ends included.
std::string step_value(const StudyParameter& parameter, std::uint64_t i) {
  const double part = static_cast<double>(i) / static_cast<double>(parameter.steps - 1);
  const double least = *parameter.least;
  const double most = *parameter.most;
  const double value =
      parameter.is_log ? least * std::pow(most / least, part) : least + part * (most - least);
  return number_text(value, parameter.is_whole);
}

std::vector<std::string> grid_values(const StudyParameter& parameter) {
  if (!parameter.is_range()) return parameter.values;
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i < parameter.steps; ++i) {
    std::string value = step_value(parameter, i);
    if (values.empty() || values.back() != value) values.push_back(std::move(value));
  }
  return values;
}

void refuse_too_many(const StudyConf& study, double points) {
  if (points <= static_cast<double>(kMostPoints)) return;
  throw InputError(
      {study.file.string(), 0, 0},
      fmt::format("the study has {:.0f} points, at most {} can be", points, kMostPoints),
      "fewer values, samples or replications; design: sobol covers a space with few");
}

using Choices = std::vector<std::vector<std::string>>;

Choices grid(const StudyConf& study) {
  Choices values;
  double points = static_cast<double>(study.replications);
  for (const StudyParameter& parameter : study.parameters) {
    values.push_back(grid_values(parameter));
    points *= static_cast<double>(values.back().size());
  }
  refuse_too_many(study, points);
  Choices chosen{{}};
  for (const auto& list : values) {  // the last parameter changes fastest
    Choices longer;
    for (const auto& head : chosen) {
      for (const std::string& value : list) {
        longer.push_back(head);
        longer.back().push_back(value);
      }
    }
    chosen = std::move(longer);
  }
  return chosen;
}

Choices random(const StudyConf& study) {
  Choices chosen(study.samples);
  for (std::size_t p = 0; p < study.parameters.size(); ++p) {
    // A stream each: a parameter more leaves the others' values as they were.
    Rng rng(study.seed, "study/random/" + study.parameters[p].name);
    for (auto& values : chosen) values.push_back(value_at(study.parameters[p], rng.uniform()));
  }
  return chosen;
}

Choices sobol(const StudyConf& study) {
  Choices chosen;
  for (const auto& places : sobol_places(study.parameters, study.seed, study.samples)) {
    auto& values = chosen.emplace_back();
    for (std::size_t p = 0; p < places.size(); ++p) {
      values.push_back(value_at(study.parameters[p], places[p]));
    }
  }
  return chosen;
}

Choices choices_of(const StudyConf& study) {
  switch (study.design) {
    case StudyDesign::Grid:
      return grid(study);
    case StudyDesign::Random:
      return random(study);
    case StudyDesign::Sobol:
      return sobol(study);
    case StudyDesign::List:
      return study.points;
    case StudyDesign::Outside:
    case StudyDesign::Tune:
      break;
  }
  return {};
}

}  // namespace

std::vector<std::vector<double>> sobol_places(const std::vector<StudyParameter>& parameters,
                                              std::uint64_t seed, std::size_t count) {
  std::vector<std::vector<double>> all(count);
  if (parameters.empty()) return all;
  boost::random::sobol sequence(parameters.size());
  std::vector<std::uint64_t> shifts;
  for (const StudyParameter& parameter : parameters) {
    shifts.push_back(Rng(seed, "study/sobol/" + parameter.name).next());
  }
  bool is_first = true;  // Boost leaves the sequence's first point, zero, out
  for (auto& places : all) {
    for (const std::uint64_t shift : shifts) {
      const std::uint64_t word = is_first ? 0 : sequence();
      places.push_back(unit_of(word ^ shift));
    }
    is_first = false;
  }
  return all;
}

std::string value_at(const StudyParameter& parameter, double u) {
  if (!parameter.is_range()) {
    const auto count = static_cast<double>(parameter.values.size());
    const auto index = static_cast<std::size_t>(u * count);
    return parameter.values[std::min(index, parameter.values.size() - 1)];
  }
  // Of whole numbers each has an equal part of the range.
  const double room = parameter.is_whole ? 1.0 : 0.0;
  const double least = *parameter.least;
  const double end = *parameter.most + room;
  const double value =
      parameter.is_log ? least * std::pow(end / least, u) : least + u * (end - least);
  if (!parameter.is_whole) return number_text(value, false);
  return number_text(std::min(std::floor(value), *parameter.most), true);
}

std::string written(const StudyParameter& parameter, const std::string& value) {
  std::string text = parameter.form;
  const std::size_t at = text.find("{}");
  return text.replace(at, 2, value);
}

std::vector<StudyPoint> replicate(const StudyConf& study, const std::vector<std::string>& values,
                                  std::uint32_t design, std::uint32_t number) {
  std::vector<StudyPoint> points;
  for (std::uint64_t r = 0; r < study.replications; ++r) {
    StudyPoint point;
    point.number = number + static_cast<std::uint32_t>(r);
    point.design = design;
    point.replication = static_cast<std::uint32_t>(r);
    point.seed = study.seed + r;
    point.values = values;
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<StudyPoint> points_of(const StudyConf& study) {
  const Choices choices = choices_of(study);
  refuse_too_many(study,
                  static_cast<double>(choices.size()) * static_cast<double>(study.replications));
  std::vector<StudyPoint> points;
  std::uint32_t design = 0;
  for (const auto& values : choices) {
    for (StudyPoint& point :
         replicate(study, values, design, static_cast<std::uint32_t>(points.size()))) {
      points.push_back(std::move(point));
    }
    ++design;
  }
  return points;
}

}  // namespace rehearse
