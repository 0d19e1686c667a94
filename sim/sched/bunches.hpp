// sim/sched/bunches.hpp — after which ends an estimate asks again (scheduling.md §7 step 4).
//
// Running jobs leave in the order of their ends, a bunch at a time: those that end within a window,
// which widens from bunch to bunch. Only jobs on the candidate nodes count, so that the bunches
// differ from question to question; which they are is found by bisection and not by going through
// all jobs.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/sched/departures.hpp"

namespace rehearse {

/// One placement is asked for once the first `gone` jobs have left.
struct Bunch {
  std::size_t gone = 0;
  const Job* last = nullptr;  ///< of them on the candidates: it ends last
};

class Bunches {
 public:
  /// `ending`: by their ends. `linear`: bf_window_linear, 0: windows double. `one_by_one`: each job
  /// is a bunch (select/linear). All of them must outlive this.
  Bunches(const std::vector<Departure>& ending, const NodeSet& candidates, Seconds linear,
          bool one_by_one);

  /// None: no other placement is asked for.
  [[nodiscard]] std::optional<Bunch> next();

 private:
  [[nodiscard]] bool counts(std::size_t i) const { return (*ending_)[i].intersects(*candidates_); }
  [[nodiscard]] std::size_t first_that_counts(std::size_t from) const;
  [[nodiscard]] std::optional<std::size_t> end_of_bunch() const;
  [[nodiscard]] bool is_too_large(std::size_t last) const;
  [[nodiscard]] bool is_next_beyond_window() const {
    return next_ < ending_->size() && (*ending_)[next_].end > edge_ + window_;
  }

  const std::vector<Departure>* ending_;
  const NodeSet* candidates_;
  Seconds linear_;
  bool one_by_one_;
  std::size_t next_ = 0;  ///< the first job that has not left
  SlurmTime edge_;        ///< where the windows begin
  Seconds window_{30};
};

}  // namespace rehearse
