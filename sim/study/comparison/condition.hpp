// sim/study/comparison/condition.hpp — `--fail-if`: a small language of conditions on a comparison.
//
//   condition  = conjunction { "or" conjunction }
//   conjunction = negation { "and" negation }
//   negation   = [ "not" ] comparison
//   comparison = sum [ ( "<" | "<=" | ">" | ">=" ) sum ]
//   sum        = product { ( "+" | "-" ) product }
//   product    = factor { ( "*" | "/" ) factor }
//   factor     = [ "-" ] ( NUMBER [ UNIT ] | figure | "a" | "b" | judgement | "(" condition ")" )
//   judgement  = ( "worse" | "better" ) "(" figure ")"
//   figure     = [ "a." | "b." ] NAME [ "(" [ selection { "," selection } ] ")" ]
//   selection  = SCOPE "=" VALUE | "gpu" | "cpu"
//   UNIT       = "s" | "min" | "h" | "d" | "%"
//   SCOPE      = "account" | "partition" | "qos" | "size" | "user"
//
// A figure is that of side B, unless `a.` stands before it; a bare `a` or `b` is the one figure of
// its comparison on that side: `p95_wait(account=physics) > 1.1*a`. Spans are seconds. `worse(X)`
// holds where X is significantly worse under B. A figure of no jobs makes its comparison false.
// `gpu` are the jobs with GPUs and `cpu` those without, whatever partitions are called: the one of
// that name is `partition=gpu`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {

/// What is wrong with a condition: the column counts from 1.
struct ConditionError {
  std::size_t column = 1;
  std::string what, hint;
};

/// Instead of a size class: jobs with GPUs, and those without.
inline constexpr std::string_view kWithGpus = "gpu";
inline constexpr std::string_view kWithoutGpus = "cpu";

/// One figure as written.
struct FigureQuery {
  const FigureInfo* info = nullptr;
  std::vector<std::pair<PairScope, std::string>> where;
  std::size_t column = 1;
};

/// As it is written: `wait_p95(account=x)`.
[[nodiscard]] std::string to_text(const FigureQuery& query);
/// The jobs that it is of, as positions in JobPairs::at; all where it selects none. Throws
/// ConditionError where no job is of a name.
[[nodiscard]] std::vector<std::size_t> select_pairs(const JobPairs& pairs,
                                                    const FigureQuery& query);

enum class ConditionOp : std::uint8_t {
  Or,
  And,
  Not,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  Negate,
  Number,
  FigureA,
  FigureB,
  BareA,
  BareB,
  Worse,
  IsBetter
};

struct ConditionNode {
  ConditionOp op = ConditionOp::Number;
  std::size_t column = 1;
  double number = 0;
  bool is_time = false;  ///< the number was written with s, min, h or d
  FigureQuery query;
  std::vector<ConditionNode> parts;
};

/// A condition that reads; throws ConditionError where it does not.
[[nodiscard]] ConditionNode parse_condition(std::string_view text);

struct ConditionAnswer {
  bool holds = false;
  std::vector<std::string>
      figures;  ///< each figure as measured: `wait_p95(account=x): a 3600, b 4000`
  std::vector<std::string> notes;  ///< figures that could not be computed
};
/// Throws ConditionError where it names a group that no job belongs to.
[[nodiscard]] ConditionAnswer evaluate(const ConditionNode& condition, const Compared& compared);

}  // namespace rehearse
