// sim/sched/bunches.cpp — the last job of a bunch, by bisection on the ends.
#include "sim/sched/bunches.hpp"

#include <algorithm>

namespace rehearse {
namespace {

constexpr std::size_t kMostRemovals = 200;  // beyond it a bunch is not tested (§7 step 4)

/// The first from `next` on that ends after `edge`. Most bunches are of a few jobs: steps that
/// double, then bisection.
std::size_t first_beyond(const std::vector<Departure>& ending, std::size_t next, SlurmTime edge) {
  const auto ends_by = [&](const Departure& each) { return each.end <= edge; };
  std::size_t step = 1;
  while (next + step <= ending.size() && ends_by(ending[next + step - 1])) {
    next += step;
    step *= 2;
  }
  const auto from = ending.begin() + static_cast<std::ptrdiff_t>(next);
  const auto to =
      ending.begin() + static_cast<std::ptrdiff_t>(std::min(next + step, ending.size()));
  return static_cast<std::size_t>(std::partition_point(from, to, ends_by) - ending.begin());
}

}  // namespace

Bunches::Bunches(const std::vector<Departure>& ending, const NodeSet* candidates, Seconds linear,
                 bool one_by_one, BunchLine* line)
    : ending_(&ending),
      candidates_(candidates != nullptr ? candidates->words() : nullptr),
      linear_(linear),
      one_by_one_(one_by_one),
      line_(line) {
  next_ = first_that_counts(0);
  if (next_ == ending_->size()) return;
  // The first end, raised to the next multiple of 30 s; an exact multiple is raised too.
  const std::int64_t first = epoch_seconds((*ending_)[next_].end);
  edge_ = from_epoch_seconds((first / 30 + 1) * 30);
  if (line_ != nullptr && line_->edge() != edge_) line_ = nullptr;
}

std::size_t Bunches::first_that_counts(std::size_t from) const {
  while (from < ending_->size() && !counts(from)) ++from;
  return from;
}

/// A bunch goes on to a job on the candidates after which the next one of the list, whatever its
/// nodes, ends beyond the window; else to the last on the candidates. None: nobody is left on them.
std::optional<std::size_t> Bunches::end_of_bunch() const {
  if (one_by_one_) {
    const std::size_t only = first_that_counts(next_);
    return only < ending_->size() ? std::optional(only) : std::nullopt;
  }
  const std::size_t beyond = first_beyond(*ending_, next_, edge_ + window_);
  if (beyond > next_ && counts(beyond - 1)) return beyond - 1;
  const std::size_t over = first_that_counts(beyond);
  if (over < ending_->size()) return over;
  for (std::size_t i = beyond; i > next_; --i) {
    if (counts(i - 1)) return i - 1;
  }
  return std::nullopt;
}

bool Bunches::is_too_large(std::size_t last) const {
  if (last - next_ < kMostRemovals) return false;
  if (candidates_ == nullptr) return true;
  const Departure* each = ending_->data() + next_;
  const Departure* const end = ending_->data() + last + 1;
  // No more may be missing than would leave too few.
  std::size_t spare = static_cast<std::size_t>(end - each) - kMostRemovals;
  for (std::size_t removals = 0; removals <= kMostRemovals; ++each) {
    if (each->intersects(candidates_)) {
      ++removals;
    } else if (--spare == 0) {
      return false;
    }
  }
  return true;
}

/// Along the line: if the bunch of all jobs is not, no part of it is.
bool Bunches::is_too_large_as_all(const BunchStep& of_all) const {
  if (of_all.is_tested) return false;
  return line_->crowd_of(along_).surely_exceeds(kMostRemovals, candidates_) ||
         is_too_large(of_all.last);
}

std::optional<BunchStep> Bunches::step() {
  if (next_ == ending_->size()) return std::nullopt;
  const BunchStep* of_all = line_ != nullptr ? line_->at(along_) : nullptr;
  if (of_all == nullptr || !counts(of_all->last)) line_ = nullptr;
  const auto last = line_ != nullptr ? std::optional(of_all->last) : end_of_bunch();
  if (!last) return std::nullopt;
  const bool is_tested = line_ != nullptr ? !is_too_large_as_all(*of_all) : !is_too_large(*last);
  if (line_ != nullptr && is_tested == of_all->is_tested) {
    ++along_;
    next_ = of_all->next;
    window_ = of_all->window;
  } else {
    line_ = nullptr;
    go_beyond(*last, is_tested);
  }
  return BunchStep{*last, is_tested, next_, window_};
}

/// Jobs that do not count and end after the last one leave with it.
void Bunches::go_beyond(std::size_t last, bool is_tested) {
  next_ = last + 1;
  if (one_by_one_) return;  // no windows
  if (!is_next_beyond_window()) next_ = ending_->size();
  if (!is_tested) return;
  do {
    window_ = linear_ > Seconds{0} ? window_ + linear_ : window_ * 2;
  } while (is_next_beyond_window());
}

std::optional<Bunch> Bunches::next() {
  while (const auto found = step()) {
    if (found->is_tested) return Bunch{found->next, (*ending_)[found->last].job};
  }
  return std::nullopt;
}

const BunchStep* BunchLine::at(std::size_t number) {
  while (steps_.size() <= number) {
    const auto more = all_.step();
    if (!more) return nullptr;
    steps_.push_back(*more);
  }
  return &steps_[number];
}

const Crowd& BunchLine::crowd_of(std::size_t number) {
  crowds_.resize(steps_.size());
  std::optional<Crowd>& crowd = crowds_[number];
  if (!crowd) {
    const Departure* first = ending_->data();
    const std::size_t from = number > 0 ? steps_[number - 1].next : 0;
    crowd.emplace(first + from, first + steps_[number].last + 1);
  }
  return *crowd;
}

}  // namespace rehearse
