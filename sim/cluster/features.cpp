// sim/cluster/features.cpp — parsing and evaluating --constraint.
#include "sim/cluster/features.hpp"

#include <algorithm>
#include <charconv>

namespace rehearse {

/// Recursive descent; a group inside brackets is the one place where `|` means "all alike".
class FeatureExpression::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<std::vector<Term>> parse() {
    std::vector<Term> terms;
    if (!parse_terms(terms, '\0') || at_ != text_.size() || brackets_ > 1) return std::nullopt;
    return terms;
  }

 private:
  bool parse_terms(std::vector<Term>& terms, char close) {
    Operator before = Operator::And;
    for (;;) {
      Term term;
      term.before = before;
      if (!parse_term(term)) return false;
      terms.push_back(std::move(term));
      if (at_ == text_.size()) return close == '\0';
      const char c = text_[at_];
      if (c == close) return true;
      if (c != '&' && c != ',' && c != '|') return false;
      before = c == '|' ? Operator::Or : Operator::And;
      ++at_;
    }
  }

  bool parse_term(Term& term) {
    if (at_ == text_.size()) return false;
    if (text_[at_] == '(' || text_[at_] == '[') {
      const char close = text_[at_] == '(' ? ')' : ']';
      term.exclusive = close == ']';
      if (term.exclusive) ++brackets_;
      ++at_;
      if (++depth_ > 2 || !parse_terms(term.group, close)) return false;
      --depth_;
      ++at_;
    } else {
      const std::size_t begin = at_;
      while (at_ < text_.size() &&
             std::string_view{"&,|()[]*"}.find(text_[at_]) == std::string_view::npos) {
        ++at_;
      }
      if (at_ == begin) return false;
      term.feature = text_.substr(begin, at_ - begin);
    }
    return parse_count(term);
  }

  bool parse_count(Term& term) {
    if (at_ == text_.size() || text_[at_] != '*') return true;
    ++at_;
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, term.count);
    at_ = static_cast<std::size_t>(stop - text_.data());
    return error == std::errc{} && term.count > 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t brackets_ = 0;
  std::uint32_t depth_ = 0;
};

std::optional<FeatureExpression> FeatureExpression::parse(std::string_view text) {
  auto terms = Parser{text}.parse();
  if (!terms) return std::nullopt;
  FeatureExpression expression;
  expression.terms_ = std::move(*terms);
  return expression;
}

NodeSet FeatureExpression::evaluate(const std::vector<Term>& terms, const Lookup& lookup,
                                    std::optional<std::size_t> alternative) {
  NodeSet result;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    NodeSet nodes;
    if (!term.feature.empty()) {
      nodes = lookup(term.feature);
    } else if (term.exclusive && alternative) {
      nodes = lookup(term.group[*alternative].feature);
      if (term.group[*alternative].feature.empty()) {
        nodes = evaluate(term.group[*alternative].group, lookup, std::nullopt);
      }
    } else if (term.exclusive) {  // any of them
      for (const Term& member : term.group) {
        const NodeSet one = evaluate({member}, lookup, std::nullopt);
        nodes = nodes.size() == 0 ? one : nodes | one;
      }
    } else {
      nodes = evaluate(term.group, lookup, std::nullopt);
    }
    if (i == 0) {
      result = std::move(nodes);
    } else if (term.before == Operator::And) {
      result &= nodes;
    } else {
      result |= nodes;
    }
  }
  return result;
}

bool FeatureExpression::has_count(const Term& term) {
  return term.count > 0 || std::any_of(term.group.begin(), term.group.end(),
                                       [](const Term& inner) { return inner.count > 0; });
}

bool FeatureExpression::has_counts() const {
  return std::any_of(terms_.begin(), terms_.end(), has_count);
}

bool FeatureExpression::has_alternatives() const {
  const auto is_counted = [](const Term& term) {
    return term.count > 0 && term.before == Operator::And;
  };
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    return term.exclusive && term.group.size() > 1 &&
           !std::all_of(term.group.begin(), term.group.end(), is_counted);
  });
}

std::vector<std::string_view> FeatureExpression::features() const {
  std::vector<std::string_view> names;
  std::vector<const Term*> left;
  for (const Term& term : terms_) left.push_back(&term);
  while (!left.empty()) {
    const Term& term = *left.back();
    left.pop_back();
    if (!term.feature.empty()) names.push_back(term.feature);
    for (const Term& inner : term.group) left.push_back(&inner);
  }
  return names;
}

NodeSet FeatureExpression::any(const Lookup& lookup) const {
  if (!has_counts()) return evaluate(terms_, lookup, std::nullopt);
  NodeSet all = lookup({});
  all.reset();
  const auto counted = [](const Term& term) { return !term.exclusive && has_count(term); };
  // Brackets alone may count several features; without them a second count allows no node at all.
  if (std::count_if(terms_.begin(), terms_.end(), counted) < 2) all.set();
  return all;
}

std::vector<NodeSet> FeatureExpression::alternatives(const Lookup& lookup) const {
  if (has_counts()) return {any(lookup)};
  for (const Term& term : terms_) {
    if (!term.exclusive) continue;
    std::vector<NodeSet> sets;
    for (std::size_t i = 0; i < term.group.size(); ++i) {
      sets.push_back(evaluate(terms_, lookup, i));
    }
    return sets;
  }
  return {evaluate(terms_, lookup, std::nullopt)};
}

void FeatureExpression::collect_counts(const std::vector<Term>& terms, const Lookup& lookup,
                                       std::vector<Counted>& counts) {
  for (const Term& term : terms) {
    if (term.count > 0) {
      counts.push_back({evaluate({term}, lookup, std::nullopt), term.count});
    } else {
      collect_counts(term.group, lookup, counts);
    }
  }
}

std::vector<FeatureExpression::Counted> FeatureExpression::counts(const Lookup& lookup) const {
  std::vector<Counted> counts;
  collect_counts(terms_, lookup, counts);
  return counts;
}

std::vector<FeatureExpression::Counted> FeatureExpression::counts_in_brackets(
    const Lookup& lookup) const {
  std::vector<Counted> counts;
  for (const Term& term : terms_) {
    if (term.exclusive) collect_counts(term.group, lookup, counts);
  }
  return counts;
}

NodeSet nodes_with_feature(const IdVector<NodeId, Node>& nodes, const NamePool& names,
                           std::string_view feature) {
  NodeSet with(nodes.size());
  const auto name = names.find(feature);
  if (!name) return with;
  for (const Node& node : nodes) {
    const auto& own = node.features;
    if (std::find(own.begin(), own.end(), *name) != own.end()) with.set(index_of(node.id));
  }
  return with;
}

}  // namespace rehearse
