// sim/study/comparison/condition.cpp — from text to a tree: recursive descent, truth and numbers
// kept apart.
#include "sim/study/comparison/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/config/suggest.hpp"
#include "sim/study/comparison/condition_cursor.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kDeepest = 64;

bool is_truth(ConditionOp op) {
  switch (op) {
    case ConditionOp::Or:
    case ConditionOp::And:
    case ConditionOp::Not:
    case ConditionOp::Less:
    case ConditionOp::LessOrEqual:
    case ConditionOp::Greater:
    case ConditionOp::GreaterOrEqual:
    case ConditionOp::Worse:
    case ConditionOp::IsBetter:
      return true;
    default:
      return false;
  }
}

std::string figure_names() {
  std::string names;
  for (const auto& list : {pair_figures(), run_figures()}) {
    for (const FigureInfo& info : list) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
    }
  }
  return names;
}

std::string figure_hint(const std::string& word) {
  std::vector<std::string_view> names{"worse", "better", "and", "or", "not"};
  std::vector<std::string> turned;
  for (const auto& list : {pair_figures(), run_figures()}) {
    for (const FigureInfo& info : list) {
      names.push_back(info.name);
      const std::size_t dash = info.name.rfind('_');
      turned.push_back(fmt::format("{}_{}", info.name.substr(dash + 1), info.name.substr(0, dash)));
    }
  }
  for (const std::string& name : turned) {
    if (find_figure(name) != nullptr) names.push_back(name);
  }
  const std::string meant = did_you_mean(word, names);
  return meant.empty() ? "the figures are " + figure_names() : meant;
}

class Parser : private ConditionCursor {
 public:
  explicit Parser(std::string_view text) : ConditionCursor(text) {}

  ConditionNode whole() {
    ConditionNode node = condition();
    skip();
    if (at_ < text_.size()) {
      fail(fmt::format("'{}' is too much", text_.substr(at_)),
           "a unit stands right behind its number: 2h, 10min, 5%");
    }
    want(node, true);
    return node;
  }

 private:
  static void want(const ConditionNode& node, bool truth) {
    if (is_truth(node.op) == truth) return;
    if (truth) {
      fail_at(node.column, "a number is no condition",
              "compare it with another: mean_wait > 2h, p95_wait > 1.1*a");
    }
    fail_at(node.column, "a condition is no number", "join conditions by and, or, not");
  }

  ConditionNode join(ConditionOp op, std::size_t column, ConditionNode left, ConditionNode right) {
    const bool truth = op == ConditionOp::Or || op == ConditionOp::And;
    want(left, truth);
    want(right, truth);
    ConditionNode node;
    node.op = op;
    node.column = column;
    node.parts.push_back(std::move(left));
    node.parts.push_back(std::move(right));
    return node;
  }

  ConditionNode condition() {
    if (++depth_ > kDeepest) fail("too deeply nested", "");
    ConditionNode node = conjunction();
    while (true) {
      skip();
      const std::size_t column = at_ + 1;
      if (!take("or")) break;
      ConditionNode right = conjunction();
      node = join(ConditionOp::Or, column, std::move(node), std::move(right));
    }
    --depth_;
    return node;
  }

  ConditionNode conjunction() {
    ConditionNode node = negation();
    while (true) {
      skip();
      const std::size_t column = at_ + 1;
      if (!take("and")) return node;
      ConditionNode right = negation();
      node = join(ConditionOp::And, column, std::move(node), std::move(right));
    }
  }

  ConditionNode negation() {
    skip();
    const std::size_t column = at_ + 1;
    if (!take("not")) return comparison();
    ConditionNode part = comparison();
    want(part, true);
    ConditionNode node;
    node.op = ConditionOp::Not;
    node.column = column;
    node.parts.push_back(std::move(part));
    return node;
  }

  ConditionNode comparison() {
    ConditionNode left = sum();
    skip();
    const std::size_t column = at_ + 1;
    ConditionOp op = ConditionOp::Number;
    if (take("<=")) {
      op = ConditionOp::LessOrEqual;
    } else if (take(">=")) {
      op = ConditionOp::GreaterOrEqual;
    } else if (take("==") || take("=") || take("!=")) {
      fail_at(column, "figures are compared by < <= > >=", "equality of measured figures is luck");
    } else if (take("<")) {
      op = ConditionOp::Less;
    } else if (take(">")) {
      op = ConditionOp::Greater;
    } else {
      return left;
    }
    ConditionNode right = sum();
    ConditionNode node = join(op, column, std::move(left), std::move(right));
    bind_sides(node);
    want_one_unit(node.parts[0], node.parts[1]);
    want_one_unit(node.parts[1], node.parts[0]);
    return node;
  }

  /// A number that stands alone against a figure: of a time it has a unit, of another it has none.
  static void want_one_unit(const ConditionNode& figure, const ConditionNode& number) {
    const bool is_figure = figure.op == ConditionOp::FigureA || figure.op == ConditionOp::FigureB;
    if (!is_figure || number.op != ConditionOp::Number || number.number == 0) return;
    const bool is_time = figure.query.info->units == "s";
    if (is_time && !number.is_time) {
      fail_at(number.column, fmt::format("{} is a time", figure.query.info->name),
              "write the unit right behind the number: 30s, 10min, 2h");
    }
    if (!is_time && number.is_time) {
      fail_at(number.column, fmt::format("{} is no time", figure.query.info->name),
              "write a number without s, min, h or d");
    }
  }

  /// A bare `a` or `b` becomes the one figure of its comparison.
  static void collect(const ConditionNode& node, std::vector<const FigureQuery*>& found) {
    if (node.op == ConditionOp::FigureA || node.op == ConditionOp::FigureB) {
      found.push_back(&node.query);
    }
    for (const ConditionNode& part : node.parts) collect(part, found);
  }
  static void bind(ConditionNode& node, const std::vector<const FigureQuery*>& figures) {
    if (node.op == ConditionOp::BareA || node.op == ConditionOp::BareB) {
      const char* const name = node.op == ConditionOp::BareA ? "a" : "b";
      if (figures.size() != 1) {
        fail_at(node.column,
                fmt::format("'{}' stands for the one figure of its comparison; this one has {}",
                            name, figures.size()),
                fmt::format("name the figure: {}.p95_wait", name));
      }
      node.op = node.op == ConditionOp::BareA ? ConditionOp::FigureA : ConditionOp::FigureB;
      node.query = *figures.front();
    }
    for (ConditionNode& part : node.parts) bind(part, figures);
  }
  static void bind_sides(ConditionNode& node) {
    std::vector<const FigureQuery*> found;
    collect(node, found);
    std::vector<FigureQuery> copies;
    for (const FigureQuery* query : found) copies.push_back(*query);
    std::vector<const FigureQuery*> figures;
    for (const FigureQuery& query : copies) figures.push_back(&query);
    bind(node, figures);
  }

  ConditionNode sum() {
    ConditionNode node = product();
    while (true) {
      const char sign = peek();
      if (sign != '+' && sign != '-') return node;
      const std::size_t column = ++at_;
      ConditionNode right = product();
      node = join(sign == '+' ? ConditionOp::Add : ConditionOp::Subtract, column, std::move(node),
                  std::move(right));
    }
  }

  ConditionNode product() {
    ConditionNode node = factor();
    while (true) {
      const char sign = peek();
      if (sign != '*' && sign != '/') return node;
      const std::size_t column = ++at_;
      ConditionNode right = factor();
      node = join(sign == '*' ? ConditionOp::Multiply : ConditionOp::Divide, column,
                  std::move(node), std::move(right));
    }
  }

  ConditionNode factor() {
    if (++depth_ > kDeepest) fail("too deeply nested", "");
    ConditionNode node;
    const char first = peek();
    node.column = at_ + 1;
    if (first == '-') {
      ++at_;
      node.op = ConditionOp::Negate;
      node.parts.push_back(factor());
      want(node.parts.front(), false);
    } else if (first == '(') {
      ++at_;
      node = condition();
      expect(")", "the condition in brackets");
    } else if (is_digit(first) || first == '.') {
      read_number(node);
    } else if (is_letter(first)) {
      read_word(node);
    } else {
      fail(first == '\0' ? "something is missing at the end"
                         : fmt::format("'{}' begins nothing", first),
           "a condition is for example p95_wait(account=physics) > 1.1*a");
    }
    --depth_;
    return node;
  }

  void read_number(ConditionNode& node) {
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), node.number);
    if (error != std::errc()) fail("not a number", "");
    at_ += static_cast<std::size_t>(end - begin);
    struct Unit {
      std::string_view word;
      double factor;
    };
    constexpr Unit kUnits[] = {{"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"s", 1}};
    if (at_ < text_.size() && text_[at_] == '%') {
      ++at_;
      node.number /= 100;
      return;
    }
    if (at_ >= text_.size() || !is_letter(text_[at_])) return;
    for (const Unit& unit : kUnits) {
      if (!take(unit.word)) continue;
      node.number *= unit.factor;
      node.is_time = true;
      return;
    }
    fail("not a unit", "the units are s, min or m, h, d and %");
  }

  void read_word(ConditionNode& node) {
    std::string name = word();
    if (name == "worse" || name == "better") {
      node.op = name == "worse" ? ConditionOp::Worse : ConditionOp::IsBetter;
      expect("(", name);
      skip();
      const std::size_t column = at_ + 1;
      node.query = figure(word(), column);
      expect(")", "the figure");
      return;
    }
    node.op = ConditionOp::FigureB;
    if (name == "a" || name == "b") {
      const bool is_a = name == "a";
      if (at_ >= text_.size() || text_[at_] != '.') {
        node.op = is_a ? ConditionOp::BareA : ConditionOp::BareB;
        return;
      }
      ++at_;
      node.op = is_a ? ConditionOp::FigureA : ConditionOp::FigureB;
      const std::size_t column = at_ + 1;
      node.query = figure(word(), column);
      return;
    }
    node.query = figure(name, node.column);
  }

  FigureQuery figure(const std::string& name, std::size_t column) {
    FigureQuery query;
    query.column = column;
    query.info = find_figure(name);
    if (query.info == nullptr) {
      fail_at(column, fmt::format("there is no figure '{}'", name), figure_hint(name));
    }
    if (peek() != '(') return query;
    ++at_;
    while (peek() != ')') {
      query.where.push_back(selection());
      if (peek() != ')') expect(",", "the selection");
    }
    ++at_;
    const bool is_of_run = std::any_of(run_figures().begin(), run_figures().end(),
                                       [&](const FigureInfo& each) { return &each == query.info; });
    if (is_of_run && !query.where.empty()) {
      fail_at(column, fmt::format("{} is a figure of whole runs", name), "leave out the selection");
    }
    return query;
  }

  std::pair<PairScope, std::string> selection() {
    skip();
    const std::size_t column = at_ + 1;
    const std::string name = word();
    if ((name == kWithGpus || name == kWithoutGpus) && peek() != '=') {
      return {PairScope::Size, name};
    }
    std::optional<PairScope> scope;
    std::vector<std::string_view> names{kWithGpus, kWithoutGpus};
    for (std::size_t i = 0; i < kPairScopeCount; ++i) {
      names.push_back(to_text(static_cast<PairScope>(i)));
      if (names.back() == name) scope = static_cast<PairScope>(i);
    }
    if (!scope) {
      const std::string meant = did_you_mean(name, names);
      fail_at(column, fmt::format("jobs are not selected by '{}'", name),
              meant.empty()
                  ? "by account, partition, qos, size or user, as in p95_wait(partition=x), or by "
                    "gpu or cpu: jobs with GPUs, and those without"
                  : meant);
    }
    expect("=", name);
    return {*scope, value()};
  }

  std::string value() {
    const char quote = peek();
    std::string text;
    if (quote == '"' || quote == '\'') {
      const std::size_t end = text_.find(quote, at_ + 1);
      if (end == std::string_view::npos) fail("the quote is not closed", "");
      text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return text;
    }
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')' && text_[at_] != ' ') {
      text += text_[at_++];
    }
    if (text.empty()) fail("a name is missing", "for example account=physics");
    return text;
  }

  std::size_t depth_ = 0;
};

}  // namespace

ConditionNode parse_condition(std::string_view text) {
  return Parser(text).whole();
}

}  // namespace rehearse
