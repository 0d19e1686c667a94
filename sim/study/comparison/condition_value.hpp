// sim/study/comparison/condition_value.hpp — does a condition hold, whoever gives its figures?
#pragma once

#include "sim/study/comparison/condition.hpp"

namespace rehearse {

/// The number of a sum, product or figure. `figures.number(node)` gives that of a figure.
template <typename Figures>
[[nodiscard]] double number_with(const ConditionNode& node, Figures& figures) {
  if (node.op == ConditionOp::Number) return node.number;
  if (node.op == ConditionOp::FigureA || node.op == ConditionOp::FigureB) {
    return figures.number(node);
  }
  const double left = number_with(node.parts[0], figures);
  if (node.op == ConditionOp::Negate) return -left;
  const double right = number_with(node.parts[1], figures);
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

/// The truth of a condition; both sides of `and` and `or` are asked, so that both are told. With a
/// NaN no comparison holds. `figures.judged(node)` answers worse() and better().
template <typename Figures>
[[nodiscard]] bool holds_with(const ConditionNode& node, Figures& figures) {
  if (node.op == ConditionOp::Worse || node.op == ConditionOp::IsBetter) {
    return figures.judged(node);
  }
  if (node.op == ConditionOp::Not) return !holds_with(node.parts[0], figures);
  if (node.op == ConditionOp::Or || node.op == ConditionOp::And) {
    const bool left = holds_with(node.parts[0], figures);
    const bool right = holds_with(node.parts[1], figures);
    return node.op == ConditionOp::Or ? left || right : left && right;
  }
  const double left = number_with(node.parts[0], figures);
  const double right = number_with(node.parts[1], figures);
  switch (node.op) {
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

}  // namespace rehearse
