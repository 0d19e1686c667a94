// sim/study/comparison/condition_answer.cpp — does a condition hold?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>

#include "sim/config/suggest.hpp"
#include "sim/output/kpi/kpi.hpp"
#include "sim/study/comparison/condition.hpp"
#include "sim/study/comparison/condition_value.hpp"

namespace rehearse {
namespace {

bool is_gpu_word(PairScope scope, std::string_view name) {
  return scope == PairScope::Size && (name == kWithGpus || name == kWithoutGpus);
}

bool is_selected(const JobPairs& pairs, const JobPair& pair,
                 const std::pair<PairScope, std::string>& one) {
  const std::string& name = pairs.names.text(pair.of(one.first));
  if (!is_gpu_word(one.first, one.second)) return name == one.second;
  return (name == size_class_text(0)) == (one.second == kWithoutGpus);
}

/// Some names of a scope that jobs bear, for a hint.
std::string hint_of(const JobPairs& pairs, PairScope scope, const std::string& name) {
  std::set<std::string_view> borne;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    borne.insert(pairs.names.text(pairs.at(i).of(scope)));
  }
  if (borne.contains(name)) return {};
  borne.erase("");
  const std::vector<std::string_view> names(borne.begin(), borne.end());
  std::string meant = did_you_mean(name, names);
  if (!meant.empty()) return meant;
  constexpr std::size_t kNamed = 8;
  return fmt::format("there are {}{}",
                     fmt::join(std::span(names).first(std::min(names.size(), kNamed)), ", "),
                     names.size() > kNamed ? " ..." : "");
}

/// No job is selected: which name is it that nobody bears?
[[noreturn]] void refuse(const JobPairs& pairs, const FigureQuery& query) {
  for (const auto& [scope, name] : query.where) {
    if (is_gpu_word(scope, name)) continue;
    std::string hint = hint_of(pairs, scope, name);
    if (hint.empty()) continue;
    throw ConditionError{query.column, fmt::format("no job is of {} {}", to_text(scope), name),
                         std::move(hint)};
  }
  throw ConditionError{query.column, fmt::format("no job is of {}", to_text(query)), ""};
}

/// The figures of a comparison, as a condition asks for them.
class ComparedFigures {
 public:
  explicit ComparedFigures(const Compared& compared) : compared_(compared) {}

  double number(const ConditionNode& node) {
    const Figure found = figure(node.query);
    return node.op == ConditionOp::FigureA ? found.a : found.b;
  }
  bool judged(const ConditionNode& node) {
    const Figure found = figure(node.query);
    return node.op == ConditionOp::Worse ? found.is_worse() : found.is_better();
  }

  ConditionAnswer answer;

 private:
  Figure figure(const FigureQuery& query) {
    const Figure found = measured(query);
    const std::string name = to_text(query);
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
    for (const Figure& each : compared_.measure_some(select_pairs(value.pairs, query))) {
      if (each.info == query.info) return each;
    }
    return {};
  }

  const Compared& compared_;
};

}  // namespace

std::string to_text(const FigureQuery& query) {
  std::string where;
  for (const auto& [scope, value] : query.where) {
    where += where.empty() ? "" : ",";
    where += is_gpu_word(scope, value) ? value : fmt::format("{}={}", to_text(scope), value);
  }
  return where.empty() ? std::string(query.info->name)
                       : fmt::format("{}({})", query.info->name, where);
}

std::vector<std::size_t> select_pairs(const JobPairs& pairs, const FigureQuery& query) {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (std::all_of(query.where.begin(), query.where.end(),
                    [&](const auto& one) { return is_selected(pairs, pairs.at(i), one); })) {
      which.push_back(i);
    }
  }
  if (which.empty()) refuse(pairs, query);
  return which;
}

ConditionAnswer evaluate(const ConditionNode& condition, const Compared& compared) {
  ComparedFigures figures(compared);
  const bool holds = holds_with(condition, figures);
  const Comparison& value = compared.value();
  for (const auto& [side, left_out] :
       {std::pair{PairSide::A, &value.left_out_a}, {PairSide::B, &value.left_out_b}}) {
    if (left_out->is_much()) {
      figures.answer.notes.push_back(left_out_words(side, *left_out) +
                                     ": figures of waits are of the rest");
    }
  }
  figures.answer.holds = holds;
  return std::move(figures.answer);
}

}  // namespace rehearse
