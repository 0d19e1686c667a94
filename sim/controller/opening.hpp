// sim/controller/opening.hpp — a cluster in the middle of its work as the beginning of a run: what
// pends and what runs at an instant.
//
// Jobs are submitted before that instant, with their own submit times, and those that run then are
// put on their nodes with the time that they have run. Nothing is decided before the instant, and
// usage up to it is that of the account book: what ran until then is in it already.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/cluster/job.hpp"

namespace rehearse {

class Controller;

/// A job, or a task of an array, that runs when the run begins.
struct OpeningRun {
  JobId job{};      ///< JobIDRaw
  SlurmTime start;  ///< before Opening::at
  PartitionId partition{};
  std::vector<NodeId> nodes;  ///< ascending; empty: not known, it is placed as a pass would
};

/// The job source gives the jobs that pend or run at `at` first: those submitted before it.
struct Opening {
  SlurmTime at;
  std::vector<OpeningRun> running;  ///< by start
};

/// What became of the runs of an opening.
struct OpeningCounts {
  std::size_t placed = 0;         ///< put on nodes
  std::size_t placed_anew = 0;    ///< of them: elsewhere than told, as they do not fit there
  std::vector<JobId> not_placed;  ///< they fit nowhere: they pend instead
  std::vector<JobId> refused;     ///< slurmctld would not take them under this configuration
};

/// Puts an opening in place when the run begins.
class Takeover {
 public:
  explicit Takeover(Controller& controller) : c_(controller) {}

  /// `opening` stays the caller's. Before the run.
  void expect(const Opening& opening) { opening_ = &opening; }
  /// When the run begins; none: a minute before the first job, with nothing.
  [[nodiscard]] std::optional<SlurmTime> at() const {
    return opening_ == nullptr ? std::nullopt : std::optional(opening_->at);
  }
  [[nodiscard]] const OpeningCounts& counts() const { return counts_; }

  /// All that happened before the run begins, in the order in which it constrains what comes after:
  /// nodes and limits as admins left them, submissions, and runs, those first that fit on the nodes
  /// they are told to have.
  void carry_out();

  /// What is submitted now was submitted in the past.
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// When the run that is put on its nodes just now began.
  [[nodiscard]] std::optional<SlurmTime> start() const { return start_; }

 private:
  void put_in_place(const std::vector<OpeningRun>& running);
  [[nodiscard]] Job* record_of(const OpeningRun& run);
  [[nodiscard]] bool put_on_its_nodes(const OpeningRun& run);
  void put_anywhere(const OpeningRun& run);
  void begin(Job& job, const OpeningRun& run, Allocation allocation);
  [[nodiscard]] std::optional<Allocation> place_anywhere(const Job& job, PartitionId partition);

  Controller& c_;
  const Opening* opening_ = nullptr;
  bool is_on_ = false;
  std::optional<SlurmTime> start_;
  OpeningCounts counts_;
};

}  // namespace rehearse
