// sim/output/plan_recorder.hpp — where backfill meant to start each pending job, and since when:
// what `squeue --start` prints (scheduling.md §8.9).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/controller/observer.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// A plan is one row as long as its start and its nodes stay what they are.
class PlanRecorder final : public Observer {
 public:
  [[nodiscard]] bool asks_for_plans() const override { return true; }
  void plans_made(const Cluster& cluster, std::span<const JobIndex> planned,
                  SlurmTime now) override;
  void job_started(const Job& job, SlurmTime now) override { close(job.index, now); }
  void job_cancelled(const Job& job, SlurmTime now) override { close(job.index, now); }
  void run_ended(const Cluster& cluster, SlurmTime now, const LoopCounts& counts) override;

  /// Puts the rows into `result`, whose names they then use. To be called once.
  void give_to(Result& result);

 private:
  struct Plan {
    std::uint32_t job_id = 0;
    std::int64_t since = 0, start = 0;
    std::vector<NodeId> nodes;
    std::uint64_t cycle = 0;  ///< the last that made it
  };
  void close(JobIndex job, SlurmTime now);
  void add_row(const Plan& plan, SlurmTime until);

  const Cluster* cluster_ = nullptr;
  std::map<JobIndex, Plan> open_;
  std::uint64_t cycle_ = 0;
  PlanColumns rows_;
  std::vector<std::string> node_lists_;  ///< by row
};

}  // namespace rehearse
