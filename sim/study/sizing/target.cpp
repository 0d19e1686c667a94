// sim/study/sizing/target.cpp — figures once by the run, once by each draw.
#include "sim/study/sizing/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/study/comparison/condition_value.hpp"

namespace rehearse {
namespace {

void collect(const ConditionNode& node, SizeTarget& target) {
  switch (node.op) {
    case ConditionOp::FigureA:
    case ConditionOp::BareA:
      throw ConditionError{node.column, "there is no side a: a target speaks of one run",
                           "write a number: p95_wait < 1h"};
    case ConditionOp::BareB:
      throw ConditionError{node.column, "there is no side b: a target speaks of one run",
                           "name the figure: p95_wait < 1h"};
    case ConditionOp::Worse:
    case ConditionOp::IsBetter:
      throw ConditionError{node.column, "worse and better hold two runs against each other",
                           "write a number: p95_wait < 1h"};
    case ConditionOp::FigureB: {
      const std::string text = to_text(node.query);
      const bool is_known =
          std::any_of(target.figures.begin(), target.figures.end(),
                      [&](const FigureQuery& each) { return to_text(each) == text; });
      if (!is_known) target.figures.push_back(node.query);
      break;
    }
    default:
      break;
  }
  for (const ConditionNode& part : node.parts) collect(part, target);
}

/// A figure, with what each draw gives; no draws: the same in all of them.
struct Measured {
  std::string text;
  double value = 0;
  const std::vector<double>* drawn = nullptr;
};

/// The figures of the run itself, or of one draw.
class FiguresOf {
 public:
  FiguresOf(const std::vector<Measured>& all, std::optional<std::size_t> draw)
      : all_(all), draw_(draw) {}

  [[nodiscard]] double number(const ConditionNode& node) const {
    const std::string text = to_text(node.query);
    const auto at = std::find_if(all_.begin(), all_.end(),
                                 [&](const Measured& each) { return each.text == text; });
    return draw_ && at->drawn != nullptr ? (*at->drawn)[*draw_] : at->value;
  }
  [[nodiscard]] static bool judged(const ConditionNode& /*node*/) { return false; }

 private:
  const std::vector<Measured>& all_;
  std::optional<std::size_t> draw_;
};

std::optional<std::size_t> row_of(const FigureInfo* info) {
  for (std::size_t i = 0; i < pair_figures().size(); ++i) {
    if (&pair_figures()[i] == info) return i;
  }
  return std::nullopt;
}

/// Of the selected jobs, those that never started: their number, and whose they are.
void count_stuck(const JobPairs& pairs, const std::vector<std::size_t>& which,
                 std::vector<bool>& seen, std::vector<bool>& users, std::size_t& jobs) {
  for (const std::size_t at : which) {
    if (seen[at] || pairs.pairs[at].b.has_started()) continue;
    seen[at] = true;
    users[pairs.pairs[at].user] = true;
    ++jobs;
  }
}

bool is_drawn(const std::vector<bool>& users, std::span<const std::uint16_t> weights) {
  for (std::size_t user = 0; user < users.size(); ++user) {
    if (users[user] && weights[user] > 0) return true;
  }
  return false;
}

}  // namespace

SizeTarget read_target(std::string_view text) {
  SizeTarget target;
  target.text = text;
  target.condition = parse_condition(text);
  collect(target.condition, target);
  if (target.figures.empty()) {
    throw ConditionError{1, "no figure is asked for", "for example p95_wait(partition=gpu) < 1h"};
  }
  return target;
}

TargetAnswer measure_target(const SizeTarget& target, const MeasureContext& context,
                            const Kpis& kpis) {
  const JobPairs& pairs = *context.pairs;
  TargetAnswer answer;
  std::vector<std::vector<DrawnFigure>> tables;  // one a figure: what draws point to stays here
  tables.reserve(target.figures.size());
  std::vector<Measured> measured;
  std::vector<bool> seen(pairs.pairs.size());
  std::vector<bool> stuck(pairs.users.size());
  bool can_be_drawn = false;
  bool has_too_few = false;
  for (const FigureQuery& query : target.figures) {
    const std::vector<std::size_t> which = select_pairs(pairs, query);
    count_stuck(pairs, which, seen, stuck, answer.cannot_run);
    const auto row = row_of(query.info);
    if (!row) {
      measured.push_back({to_text(query), kpis.overall(query.info->name), nullptr});
      answer.figures.push_back({measured.back().value, std::nullopt, 0});
      continue;
    }
    tables.push_back({draw_figures(context, which)[*row]});
    const DrawnFigure& figure = tables.back().front();
    measured.push_back({to_text(query), figure.b, &figure.drawn_b});
    const auto interval = judge(tables.back(), *context.options).front().b;
    answer.figures.push_back(
        {figure.b, within_capacity(*query.info, interval, figure.b), figure.users});
    (figure.drawn_b.empty() ? has_too_few : can_be_drawn) = true;
  }
  FiguresOf run(measured, std::nullopt);
  answer.holds = answer.cannot_run == 0 && holds_with(target.condition, run);
  if (!can_be_drawn || has_too_few) return answer;
  std::size_t held = 0;
  for (std::size_t draw = 0; draw < context.draws->size(); ++draw) {
    FiguresOf drawn(measured, draw);
    if (is_drawn(stuck, context.draws->weights(draw))) continue;
    if (holds_with(target.condition, drawn)) ++held;
  }
  answer.share = static_cast<double>(held) / static_cast<double>(context.draws->size());
  return answer;
}

}  // namespace rehearse
