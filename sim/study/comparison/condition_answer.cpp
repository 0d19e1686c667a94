// sim/study/comparison/condition_answer.cpp — does a condition hold?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "sim/config/suggest.hpp"
#include "sim/study/comparison/condition.hpp"

namespace rehearse {
namespace {

std::string text_of(const FigureQuery& query) {
  std::string where;
  for (const auto& [scope, value] : query.where) {
    where += fmt::format("{}{}={}", where.empty() ? "" : ",", to_text(scope), value);
  }
  return where.empty() ? std::string(query.info->name)
                       : fmt::format("{}({})", query.info->name, where);
}

class Evaluation {
 public:
  explicit Evaluation(const Compared& compared) : compared_(compared) {}

  bool truth(const ConditionNode& node) {
    const auto part = [&](std::size_t i) -> const ConditionNode& { return node.parts[i]; };
    switch (node.op) {
      case ConditionOp::Or: {
        const bool left = truth(part(0));  // both sides are measured, so that both are told
        const bool right = truth(part(1));
        return left || right;
      }
      case ConditionOp::And: {
        const bool left = truth(part(0));
        const bool right = truth(part(1));
        return left && right;
      }
      case ConditionOp::Not:
        return !truth(part(0));
      case ConditionOp::Worse:
        return figure(node.query).is_worse();
      case ConditionOp::IsBetter:
        return figure(node.query).is_better();
      default:
        break;
    }
    const double left = number(part(0));
    const double right = number(part(1));
    switch (node.op) {  // with a NaN none of them holds
      case ConditionOp::Less:
        return left < right;
      case ConditionOp::LessOrEqual:
        return left <= right;
      case ConditionOp::Greater:
        return left > right;
      default:
        return left >= right;
    }
  }

  ConditionAnswer answer;

 private:
  double number(const ConditionNode& node) {
    switch (node.op) {
      case ConditionOp::Number:
        return node.number;
      case ConditionOp::FigureA:
        return figure(node.query).a;
      case ConditionOp::FigureB:
        return figure(node.query).b;
      case ConditionOp::Negate:
        return -number(node.parts[0]);
      default:
        break;
    }
    const double left = number(node.parts[0]);
    const double right = number(node.parts[1]);
    switch (node.op) {
      case ConditionOp::Add:
        return left + right;
      case ConditionOp::Subtract:
        return left - right;
      case ConditionOp::Multiply:
        return left * right;
      default:
        return left / right;
    }
  }

  Figure figure(const FigureQuery& query) {
    const Figure found = measured(query);
    const std::string name = text_of(query);
    const std::string line = fmt::format("{}: a {:.6g}, b {:.6g}", name, found.a, found.b);
    if (std::find(answer.figures.begin(), answer.figures.end(), line) == answer.figures.end()) {
      answer.figures.push_back(line);
      if (std::isnan(found.a) || std::isnan(found.b)) {
        answer.notes.push_back(name + " cannot be computed: no such job started on both sides");
      }
    }
    return found;
  }

  Figure measured(const FigureQuery& query) {
    const Comparison& value = compared_.value();
    if (query.where.empty()) {
      for (const Figure& each : value.figures) {
        if (each.info == query.info) return each;
      }
    }
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < value.pairs.pairs.size(); ++i) {
      if (is_selected(value.pairs, value.pairs.pairs[i], query)) which.push_back(i);
    }
    if (which.empty()) refuse(query);
    for (const Figure& each : compared_.measure_some(which)) {
      if (each.info == query.info) return each;
    }
    return {};
  }

  static bool is_selected(const JobPairs& pairs, const JobPair& pair, const FigureQuery& query) {
    return std::all_of(query.where.begin(), query.where.end(), [&](const auto& one) {
      return pairs.names.text(pair.of(one.first)) == one.second;
    });
  }

  /// No job is selected: which name is it that nobody bears?
  [[noreturn]] void refuse(const FigureQuery& query) const {
    for (const auto& [scope, name] : query.where) {
      std::vector<std::string_view> names;
      for (const GroupRow& row : compared_.value().groups[static_cast<std::size_t>(scope)]) {
        names.push_back(row.name);
      }
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      std::string hint = did_you_mean(name, names);
      if (hint.empty()) {
        constexpr std::size_t kNamed = 8;
        hint = fmt::format("there are {}{}",
                           fmt::join(std::span(names).first(std::min(names.size(), kNamed)), ", "),
                           names.size() > kNamed ? " ..." : "");
      }
      throw ConditionError{query.column, fmt::format("no job is of {} {}", to_text(scope), name),
                           std::move(hint)};
    }
    throw ConditionError{query.column, fmt::format("no job is of {}", text_of(query)), ""};
  }

  const Compared& compared_;
};

}  // namespace

ConditionAnswer evaluate(const ConditionNode& condition, const Compared& compared) {
  Evaluation evaluation(compared);
  const bool holds = evaluation.truth(condition);
  evaluation.answer.holds = holds;
  return std::move(evaluation.answer);
}

}  // namespace rehearse
