// sim/study/outside.cpp — questions in, points to run, answers out.
#include "sim/study/outside.hpp"

#include <fmt/format.h>
#include <sys/select.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// A number or text of JSON as it would stand in a study.
std::optional<std::string> text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  constexpr double kWholeUpTo = 1e15;
  if (number == std::floor(number) && std::abs(number) < kWholeUpTo) {
    return fmt::format("{:.0f}", number);
  }
  return fmt::format("{}", number);
}

/// Why the parameter cannot have this value; empty: it can.
std::string misfit(const StudyParameter& parameter, const std::string& value) {
  if (!parameter.is_range()) {
    const auto& values = parameter.values;
    if (values.empty() || std::find(values.begin(), values.end(), value) != values.end()) return {};
    return fmt::format("{}: '{}' is none of its values", parameter.name, value);
  }
  const auto number = text::parse_real(value);
  if (!number) return fmt::format("{}: '{}' is not a number", parameter.name, value);
  if (*number < *parameter.least || *number > *parameter.most) {
    return fmt::format("{}: {} is not in {} .. {}", parameter.name, value, *parameter.least,
                       *parameter.most);
  }
  if (parameter.is_whole && *number != std::floor(*number)) {
    return fmt::format("{}: {} is not a whole number", parameter.name, value);
  }
  return {};
}

}  // namespace

std::optional<std::string> QuestionLines::next() {
  constexpr suseconds_t kLook = 100000;  // [us] between looks at the interruption
  while (true) {
    const std::size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    if (ended_) return std::nullopt;
    if (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) {
      return std::nullopt;
    }
    fd_set set;
    FD_ZERO(&set);
    FD_SET(descriptor_, &set);
    timeval wait{0, kLook};
    if (::select(descriptor_ + 1, &set, nullptr, nullptr, &wait) <= 0) continue;
    std::array<char, 65536> bytes{};
    const ssize_t got = ::read(descriptor_, bytes.data(), bytes.size());
    if (got > 0) {
      buffer_.append(bytes.data(), static_cast<std::size_t>(got));
    } else if (got == 0) {
      ended_ = true;
      if (!buffer_.empty()) buffer_ += '\n';
    }
  }
}

OutsidePoints::OutsidePoints(PointRunner& runner, StudyRegistry& registry, QuestionLines& lines,
                             Tell tell)
    : runner_(runner), registry_(registry), lines_(lines), tell_(std::move(tell)) {}

void OutsidePoints::introduce() const {
  Json parameters = Json::array();
  for (const StudyParameter& each : runner_.study().parameters) {
    Json one{{"name", each.name}};
    if (each.is_range()) {
      one["least"] = *each.least;
      one["most"] = *each.most;
      one["whole"] = each.is_whole;
      one["scale"] = each.is_log ? "log" : "linear";
    } else if (!each.values.empty()) {
      one["values"] = each.values;
    }
    parameters.push_back(std::move(one));
  }
  Json objectives = Json::array();
  for (const StudyObjective& each : runner_.study().objectives) {
    objectives.push_back({{"name", each.name()}, {"goal", each.most ? "most" : "least"}});
  }
  tell_(line_of({{"parameters", std::move(parameters)}, {"objectives", std::move(objectives)}}));
}

void OutsidePoints::refuse(const std::string& name, const std::string& wrong) const {
  tell_(line_of({{"tell", Json::parse(name)}, {"status", "failed"}, {"error", wrong}}));
}

std::optional<std::vector<std::string>> OutsidePoints::values_of(const std::string& json,
                                                                 std::string& wrong) const {
  const Json asked = Json::parse(json);
  std::vector<std::string> values;
  const auto& parameters = runner_.study().parameters;
  for (const StudyParameter& parameter : parameters) {
    const auto text =
        asked.contains(parameter.name) ? text_of(asked[parameter.name]) : std::nullopt;
    if (!text) {
      wrong = fmt::format("parameters has no number or text for '{}'", parameter.name);
      return std::nullopt;
    }
    wrong = misfit(parameter, *text);
    if (!wrong.empty()) return std::nullopt;
    values.push_back(*text);
  }
  for (const auto& [name, ignored] : asked.items()) {
    if (std::any_of(parameters.begin(), parameters.end(),
                    [&wanted = name](const StudyParameter& each) { return each.name == wanted; })) {
      continue;
    }
    wrong = fmt::format("the study has no parameter '{}'", name);
    return std::nullopt;
  }
  return values;
}

void OutsidePoints::ask(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  const std::string name = json.is_object() && json.contains("ask") ? json["ask"].dump() : "null";
  if (!json.is_object() || !json.contains("parameters") || !json["parameters"].is_object()) {
    return refuse(name, "a question is {\"ask\": 1, \"parameters\": {\"NAME\": VALUE}}");
  }
  std::string wrong;
  const auto values = values_of(json["parameters"].dump(), wrong);
  if (!values) return refuse(name, wrong);
  const std::vector<StudyPoint> points = registry_.points_with(runner_, *values);
  const std::uint32_t design = points.front().design;
  const bool in_flight = questions_.contains(design);
  Question& question = questions_[design];
  question.names.push_back(name);
  if (in_flight) return;
  for (const StudyPoint& point : points) {
    question.points.push_back(point.number);
    if (registry_.outcome(point.number)) continue;
    ++question.open;
    design_of_[point.number] = design;
    waiting_.push_back(point);
  }
  if (question.open == 0) answer(design);
}

std::optional<StudyPoint> OutsidePoints::next() {
  while (true) {
    {
      const std::lock_guard lock(lock_);
      if (!waiting_.empty()) {
        StudyPoint point = std::move(waiting_.front());
        waiting_.pop_front();
        return point;
      }
    }
    const auto line = lines_.next();
    if (!line) return std::nullopt;
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::lock_guard lock(lock_);
    ask(*line);
  }
}

void OutsidePoints::keep(const PointOutcome& outcome) {
  const std::lock_guard lock(lock_);
  (void)registry_.record(outcome);
  const auto at = design_of_.find(outcome.point);
  if (at == design_of_.end()) return;
  const std::uint32_t design = at->second;
  design_of_.erase(at);
  if (--questions_[design].open == 0) answer(design);
}

void OutsidePoints::answer(std::uint32_t design) {
  const Question question = std::move(questions_[design]);
  questions_.erase(design);
  std::map<std::string, std::pair<double, std::size_t>> sums;
  std::string error;
  for (const std::uint32_t point : question.points) {
    const auto outcome = registry_.outcome(point);
    if (!outcome) continue;
    if (outcome->status == PointStatus::Failed) error = outcome->error;
    for (const auto& [name, value] : outcome->kpis) {
      if (std::isnan(value)) continue;
      sums[name].first += value;
      ++sums[name].second;
    }
  }
  Json told{{"tell", nullptr}, {"design", design}};
  told["status"] = to_text(error.empty() ? PointStatus::Complete : PointStatus::Failed);
  if (error.empty()) {
    Json& objectives = told["objectives"] = Json::object();
    for (const StudyObjective& each : runner_.study().objectives) {
      const auto sum = sums.find(each.name());
      objectives[each.name()] =
          sum == sums.end() ? Json(nullptr)
                            : Json(sum->second.first / static_cast<double>(sum->second.second));
    }
  } else {
    told["error"] = error;
  }
  for (const std::string& name : question.names) {
    told["tell"] = Json::parse(name);
    tell_(line_of(told));
  }
}

}  // namespace rehearse
