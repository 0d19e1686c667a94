// sim/cluster/features.hpp — the expression of --constraint, and the nodes it allows
// (scheduling.md §5.4).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/node.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

[[nodiscard]] NodeSet nodes_with_feature(const IdVector<NodeId, Node>& nodes, const NamePool& names,
                                         std::string_view feature);

/// A parsed -C: AND (`&`, `,`) and OR (`|`) strictly left to right, parentheses, one bracket group
/// `[a|b]` (all nodes alike), and counts `a*2` inside or outside of brackets.
class FeatureExpression {
 public:
  /// Nodes that have a feature.
  using Lookup = std::function<NodeSet(std::string_view)>;
  struct Counted {
    NodeSet nodes;
    std::uint32_t count = 0;
  };

  /// None: not an expression that Slurm takes (`Invalid feature specification`).
  [[nodiscard]] static std::optional<FeatureExpression> parse(std::string_view text);

  /// Nodes that could be part of some allocation.
  [[nodiscard]] NodeSet any(const Lookup& lookup) const;
  /// Node sets to be tried in this order; all nodes must come from one of them. With counts: one
  /// set, from which the nodes beyond the counts come.
  [[nodiscard]] std::vector<NodeSet> alternatives(const Lookup& lookup) const;
  /// Nodes to be chosen first, term by term; empty: no counts.
  [[nodiscard]] std::vector<Counted> counts(const Lookup& lookup) const;
  /// Those that stand in brackets.
  [[nodiscard]] std::vector<Counted> counts_in_brackets(const Lookup& lookup) const;
  [[nodiscard]] bool has_counts() const;
  /// True if brackets hold several features that are not all counted and joined by `&`: a
  /// reservation cannot have such (lifecycle.md §13).
  [[nodiscard]] bool has_alternatives() const;
  /// Every feature that it names, as often as it does.
  [[nodiscard]] std::vector<std::string_view> features() const;

 private:
  enum class Operator : std::uint8_t { And, Or };
  struct Term {
    Operator before = Operator::And;  ///< joins it to what stands left of it
    std::string feature;              ///< empty: `group`
    std::vector<Term> group;          ///< of parentheses or brackets
    bool exclusive = false;           ///< brackets: the alternatives
    std::uint32_t count = 0;          ///< 0: none given
  };
  class Parser;

  [[nodiscard]] static bool has_count(const Term& term);
  [[nodiscard]] static NodeSet evaluate(const std::vector<Term>& terms, const Lookup& lookup,
                                        std::optional<std::size_t> alternative);
  static void collect_counts(const std::vector<Term>& terms, const Lookup& lookup,
                             std::vector<Counted>& counts);

  std::vector<Term> terms_;
};

}  // namespace rehearse
