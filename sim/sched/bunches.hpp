// sim/sched/bunches.hpp — after which ends an estimate asks again (scheduling.md §7 step 4).
//
// Running jobs leave in the order of their ends, a bunch at a time: those that end within a window,
// which widens from bunch to bunch. Only jobs on the candidate nodes count, so that the bunches
// differ from question to question. Most are those of all jobs, which are found once; the others by
// bisection and not by going through all jobs.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/sched/crowd.hpp"
#include "sim/sched/departures.hpp"

namespace rehearse {

/// One placement is asked for once the first `gone` jobs have left.
struct Bunch {
  std::size_t gone = 0;
  const Job* last = nullptr;  ///< of them on the candidates: it ends last
};

/// One bunch, tested or not, and where it leads.
struct BunchStep {
  std::size_t last = 0;    ///< of its jobs on the candidates
  bool is_tested = false;  ///< else it is too large
  std::size_t next = 0;    ///< the first job that has not left
  Seconds window{0};       ///< of the bunch to come
  friend bool operator==(const BunchStep&, const BunchStep&) = default;
};

class BunchLine;

class Bunches {
 public:
  /// `ending`: by their ends. `candidates`: null: all jobs count. `linear`: bf_window_linear, 0:
  /// windows double. `one_by_one`: each job is a bunch (select/linear). `line`: of the same jobs;
  /// null: none is known. All of them must outlive this.
  Bunches(const std::vector<Departure>& ending, const NodeSet* candidates, Seconds linear,
          bool one_by_one, BunchLine* line = nullptr);

  /// None: no other placement is asked for.
  [[nodiscard]] std::optional<Bunch> next();
  /// The same, one bunch at a time, those included that are not tested.
  [[nodiscard]] std::optional<BunchStep> step();

  [[nodiscard]] SlurmTime edge() const { return edge_; }

 private:
  [[nodiscard]] bool counts(std::size_t i) const {
    return candidates_ == nullptr || (*ending_)[i].intersects(candidates_);
  }
  [[nodiscard]] std::size_t first_that_counts(std::size_t from) const;
  [[nodiscard]] std::optional<std::size_t> end_of_bunch() const;
  [[nodiscard]] bool is_too_large(std::size_t last) const;
  [[nodiscard]] bool is_too_large_as_all(const BunchStep& of_all) const;
  void go_beyond(std::size_t last, bool is_tested);
  [[nodiscard]] bool is_next_beyond_window() const {
    return next_ < ending_->size() && (*ending_)[next_].end > edge_ + window_;
  }

  const std::vector<Departure>* ending_;
  const std::uint64_t* candidates_;  ///< words; null: all jobs count
  Seconds linear_;
  bool one_by_one_;
  BunchLine* line_;        ///< null: it does not lead as this does
  std::size_t along_ = 0;  ///< steps that were those of the line
  std::size_t next_ = 0;   ///< the first job that has not left
  SlurmTime edge_;         ///< where the windows begin
  Seconds window_{30};
};

/// The bunches where all jobs count, as far as anybody has gone along them. Where only some do,
/// most are the same: a bunch ends where its last job counts, and the windows are those of the
/// line.
class BunchLine {
 public:
  BunchLine(const std::vector<Departure>& ending, Seconds linear, bool one_by_one)
      : ending_(&ending), all_(ending, nullptr, linear, one_by_one) {}

  /// Null: there are fewer. Good until the next call.
  [[nodiscard]] const BunchStep* at(std::size_t number);
  /// Of the jobs of the bunch with this number, which at() has told to be too large.
  [[nodiscard]] const Crowd& crowd_of(std::size_t number);
  [[nodiscard]] SlurmTime edge() const { return all_.edge(); }

 private:
  const std::vector<Departure>* ending_;
  Bunches all_;
  std::vector<BunchStep> steps_;
  std::vector<std::optional<Crowd>> crowds_;  ///< beside steps_; none: not asked for
};

}  // namespace rehearse
