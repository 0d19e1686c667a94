// tests/unit/output/fixture.hpp — a small cluster and hand-made jobs, told to a Recorder by hand.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/output/recorder.hpp"

namespace rehearse::test {

/// 2027-01-15T08:00:00Z, the day of the recordings.
inline constexpr std::int64_t kStart = 1'800'000'000;
inline constexpr SlurmTime at(std::int64_t seconds) {
  return from_epoch_seconds(kStart + seconds);
}

/// Nodes g01 and g02 (8 GPUs, 64 CPUs, 500 GiB each), c01 (32 CPUs); partitions gpu* and cpu;
/// account ml (user ann), ds (user bob).
class SmallCluster {
 public:
  SmallCluster();

  /// A pending job, not yet told to anyone.
  Job& add_job(std::uint32_t id, const std::string& user, std::int64_t submit, std::uint32_t cpus,
               std::uint32_t gpus, std::uint64_t memory_mib, std::uint32_t limit_min = 60);
  /// Gives the job `cpus` CPUs and `gpus` GPUs of each of `nodes` and starts it.
  void start(Job& job, std::int64_t when, const std::vector<std::uint32_t>& nodes,
             StartedBy by = StartedBy::Main);
  void end(Job& job, std::int64_t when, JobState state, bool requeued = false);

  SiteInputs inputs;
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  std::vector<std::unique_ptr<JobSpec>> specs;
  std::unique_ptr<Cluster> cluster;
  Recorder recorder;

 private:
  struct Ask {
    std::uint32_t cpus, gpus;
    std::uint64_t memory_mib;
  };
  std::vector<Ask> asks_;  // by JobIndex
};

/// Five jobs over two hours: a run, a backfilled run, a preempted run that starts again, a job
/// cancelled while pending, an array of three of which one task ran; g02 is drained for half an
/// hour.
[[nodiscard]] Result small_result();

}  // namespace rehearse::test
