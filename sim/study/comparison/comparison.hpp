// sim/study/comparison/comparison.hpp — two runs of the same jobs held against each other.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sim/output/kpi/idle_causes.hpp"
#include "sim/output/result_file.hpp"
#include "sim/study/comparison/conf_diff.hpp"
#include "sim/study/comparison/figures.hpp"
#include "sim/study/comparison/left_out.hpp"

namespace rehearse {

/// One side, and what the user called it.
struct Side {
  std::string label;
  Result result;
  Kpis kpis;
  Provenance provenance;
};

/// Job-hours pending for one reason, of jobs that started or were cancelled.
struct ReasonRow {
  std::string reason;
  double hours_a = 0, hours_b = 0;
};

enum class Verdict : std::uint8_t {
  NothingPaired,  ///< no job is on both sides
  Same,           ///< every paired job starts when it did
  TooFewUsers,    ///< no interval can be given
  Unsure,         ///< the mean wait differs, but no figure is significant
  Mixed,          ///< some figure is significant, the mean wait is not
  Worse,          ///< jobs wait longer under B
  Better,
  Partial,   ///< a side was interrupted: its figures are of a part of its run
  LeavesOut  ///< a side refuses or never starts so much of what the other runs that the waits of
             ///< the rest call nobody better; or nothing else differs
};
/// `nothing_paired` … for scripts.
[[nodiscard]] std::string_view to_text(Verdict verdict);

struct Comparison {
  const Side* a = nullptr;
  const Side* b = nullptr;
  ResamplingOptions options;
  JobPairs pairs;
  LeftOut left_out_a, left_out_b;  ///< by either side, of what the other runs
  std::size_t moved = 0;        ///< paired jobs that start at another second, or on one side only
  std::vector<Figure> figures;  ///< pair_figures(), then run_figures()
  std::array<std::vector<GroupRow>, kPairScopeCount> groups;  ///< by PairScope
  std::vector<ReasonRow> reasons;                             ///< the most hours first
  double hours_left_a = 0, hours_left_b = 0;  ///< job-hours of jobs that still pend at the end
  std::array<double, kGpuHoursCount> gpu_hours_a{}, gpu_hours_b{};
  ConfDifference conf;
  std::vector<std::string> doubts;  ///< what makes the answer less sure, one sentence each
  Verdict verdict = Verdict::Same;
  std::string headline;  ///< the verdict for a person
  std::string accounts;  ///< who loses and who gains most; empty: nobody
  [[nodiscard]] std::string sentence() const {
    return accounts.empty() ? headline : headline + " " + accounts;
  }
};

/// Who loses most by GroupRow::harm(), and who gains most; of small groups by the difference alone.
/// Null: nobody does.
struct Extremes {
  const GroupRow* loses = nullptr;
  const GroupRow* gains = nullptr;
};
/// Of the groups that are small, or of those that are not; whose mean wait is the same to the
/// second is at neither end.
[[nodiscard]] Extremes extremes_of(const std::vector<GroupRow>& rows, bool small);

/// A comparison, and what later questions about its pairs need.
class Compared {
 public:
  /// The sides stay the caller's and must outlive this.
  Compared(const Side& a, const Side& b, const ResamplingOptions& options);
  Compared(const Compared&) = delete;
  Compared& operator=(const Compared&) = delete;
  Compared(Compared&&) = delete;
  Compared& operator=(Compared&&) = delete;
  ~Compared() = default;

  [[nodiscard]] const Comparison& value() const { return value_; }
  /// pair_figures() of some of the jobs, by their positions in JobPairs::at.
  [[nodiscard]] std::vector<Figure> measure_some(std::span<const std::size_t> which) const {
    return measure(context_, which);
  }

 private:
  /// Utilization of more nodes is less, of a part of a run it is anything, and of other outages
  /// whatever they did: no side is better by it.
  void leave_unjudged();
  void add_run_figures();
  void add_reasons();
  void conclude();

  Comparison value_;
  std::unique_ptr<UserDraws> draws_;
  MeasureContext context_;
};

/// `+1.2h`, `-38s`: with a sign.
[[nodiscard]] std::string signed_span(double seconds);
/// `42s`, `12m`, `3.4h`, `2.1d`; `-` for NaN.
[[nodiscard]] std::string span_text(double seconds);

}  // namespace rehearse
