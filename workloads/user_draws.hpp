// workloads/user_draws.hpp — a trace with other users: drawn anew, or more of them.
//
// What is drawn are whole users with all their jobs: one user's jobs are alike and push each other
// back, so single jobs that are cloned would be a demand that nobody has. A user who is drawn again
// is another user of the same accounts (`ann+1`), whose jobs come some whole weeks later, around
// the end of the trace to its begin: at the same hour of the day and day of the week, and not all
// at once with those of the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cluster/request.hpp"
#include "sim/config/accounting.hpp"
#include "sim/core/name_pool.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

/// What becomes of a trace's users before a run; by default nothing.
struct UserChange {
  bool resample = false;  ///< draw as many users as there are, with replacement
  /// Times the number of users, > 0: the more are drawn, with replacement; where they are fewer,
  /// those that stay are drawn. A part of a user is one with that probability.
  double growth = 1;
  std::uint64_t seed = 1;

  [[nodiscard]] bool is_neutral() const { return !resample && !(growth < 1) && !(growth > 1); }
  friend bool operator==(const UserChange&, const UserChange&) = default;
};

/// One user who was drawn.
struct DrawnUserCopy {
  std::string user;        ///< whose jobs these are
  std::string name;        ///< `user`, or of a further copy `user+1` …
  std::int64_t weeks = 0;  ///< by which they come later
};

/// The users of a changed trace, in order of draws; the same for the same names and seed.
[[nodiscard]] std::vector<DrawnUserCopy> draw_users(const TraceJobs& jobs, const NamePool& names,
                                                    const UserChange& change);

/// Associations of the copies: those of their users under other names.
void add_copies(const std::vector<DrawnUserCopy>& users, AccountingConf& accounting);

/// What was drawn, to be told.
struct DrawnDemand {
  std::size_t users_before = 0, users_after = 0, jobs_before = 0, jobs_after = 0;
  double work_before = 0, work_after = 0;  ///< GPU-hours; CPU-hours where no job has a GPU
  bool of_gpus = false;
  std::size_t dependencies_dropped = 0;  ///< on jobs that come later in the copy
};

/// The jobs of the drawn users. Copies have ids above all of the trace, dependencies among
/// themselves, and no recorded start or end.
[[nodiscard]] TraceJobs jobs_of_users(const TraceJobs& jobs,
                                      const std::vector<DrawnUserCopy>& users, NamePool& names,
                                      const RequestTable& requests, DrawnDemand& demand);

}  // namespace rehearse
