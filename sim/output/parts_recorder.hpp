// sim/output/parts_recorder.hpp — of what jobs' priorities are made, as intervals.
//
// /jobs has the parts at the start, or the last known. What they were before is kept when they
// change, which takes an event: a tick without one costs a look at each job that waits, and no row.
// A job that waits in several partitions has a row for each of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/output/result.hpp"
#include "sim/sched/priority/partition_terms.hpp"

namespace rehearse {

class PartsRecorder {
 public:
  /// To be called before all else; `result` gets the rows.
  void begin(const Cluster& cluster, Result& result);

  /// Weights are others from the next recalculation on.
  void settings_changed();
  /// The job's present parts in the partition of its row, into the columns of /jobs.
  void note(const Job& job, std::uint32_t row);
  /// The same when it starts or ends: what does not change at every tick is noted already.
  void note_end_of_wait(const Job& job, std::uint32_t row);
  /// It waits from now on; its parts are noted in `row`.
  void waits(const Job& job, std::uint32_t row, SlurmTime now);
  /// It waits no more, or it runs no more, or it is the end of the period.
  void left(const Job& job, SlurmTime now);
  /// It runs, and its priority is kept up (PriorityFlags=CALCULATE_RUNNING).
  void runs(const Job& job, std::uint32_t row, SlurmTime now);
  /// Its parts may have changed.
  void look(const Job& job, SlurmTime now);
  void look_at_all(const Cluster& cluster, SlurmTime now);

 private:
  struct Parts {
    std::int32_t assoc = 0, job_size = 0, in_partition = 0, qos = 0, nice = 0;
    std::uint32_t tres = 0;
  };
  struct InPartition {
    std::uint16_t partition = 0;
    Parts parts;
  };
  /// A job that waits, or runs with its priority kept up.
  struct Open {
    JobIndex job{};
    std::uint32_t row = 0;
    bool runs = false;
    std::uint16_t partition = 0;  ///< whose parts are noted in its row
    std::int64_t since = 0;
    std::uint64_t mark = 0;           ///< of all its present parts
    std::vector<InPartition> others;  ///< its present parts in the other partitions
  };

  [[nodiscard]] std::uint64_t mark_of(const Job& job);
  [[nodiscard]] Parts parts_of(const Job& job, PartitionId partition);
  [[nodiscard]] Parts noted(std::uint32_t row) const;
  void put(const Parts& parts, std::uint32_t row);
  [[nodiscard]] std::uint32_t tres_code(const std::vector<double>& terms);
  void open(const Job& job, std::uint32_t row, bool runs, SlurmTime now);
  void take_others(const Job& job, Open& open);
  void changed(const Job& job, Open& open, SlurmTime now);
  void keep(const Open& open, const InPartition& was, std::int64_t end);
  void close(std::size_t at);

  const Cluster* cluster_ = nullptr;
  Result* result_ = nullptr;
  std::optional<PartitionTerms> terms_;
  std::vector<double> tres_;       // terms of the job and partition that are looked at
  std::vector<Open> open_;         // in no order
  std::vector<std::uint32_t> at_;  // by JobIndex: into open_, or kNoRow
};

}  // namespace rehearse
