// sim/app/explain_print.hpp — why a job waited, on one page.
#pragma once

#include <string>
#include <vector>

#include "sim/app/verb.hpp"
#include "sim/study/explanation/explanation.hpp"

namespace rehearse {

struct ExplainPrint {
  bool colours = false;
  std::size_t overtakers = 10;
};

/// At most 100 columns; ends in a newline.
[[nodiscard]] std::string explanation_text(const Result& result, const Explanation& explanation,
                                           const ExplainPrint& print);
/// One line of JSON, `rehearse-explain/1`.
[[nodiscard]] std::string explanation_json(const Result& result, const Explanation& explanation);

/// A row a task: when it started and what it waited for most.
[[nodiscard]] std::string array_text(const Result& result, const std::vector<std::uint32_t>& rows,
                                     const TableOptions& format);
/// The id of the one that waited longest.
[[nodiscard]] std::string longest_waiting(const Result& result,
                                          const std::vector<std::uint32_t>& rows);

/// Mean numbers of pending jobs, a row a bucket; -P prints every reason, else the largest seven.
[[nodiscard]] std::string reasons_text(const Result& result, const ReasonTable& table,
                                       const TableOptions& format);
[[nodiscard]] std::string reasons_json(const ReasonTable& table, std::int64_t period_s);

/// Slurm says that nodes are not to be had by the Reason, or by a text beside Resources.
[[nodiscard]] bool says_unavailable(const ReasonSpan& span);

/// In what state the nodes were that the job then waited for, and the Reason that was given for
/// it: `n[1-2]: drained (broken fan)`. Of the spans with `reason`.
[[nodiscard]] std::vector<std::string> unavailable_nodes(const Result& result,
                                                         const ExplainedRun& run, Reason reason);

}  // namespace rehearse
