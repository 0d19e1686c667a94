// sim/output/recorder.hpp — listens to a run and keeps what may be asked of it later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/controller/observer.hpp"
#include "sim/output/gpu_recorder.hpp"
#include "sim/output/held_texts.hpp"
#include "sim/output/parts_recorder.hpp"
#include "sim/output/result.hpp"
#include "sim/output/series.hpp"

namespace rehearse {

struct RecorderOptions {
  Seconds series_period{300};  ///< of the grid of /series; at least 1 s
  /// Fair-share is kept at every tick. Beyond so many rows every other sample goes, and those to
  /// come are twice as far apart, up to an hour …
  std::size_t fair_share_rows = 20'000;
  std::size_t fair_share_rows_most = 2'000'000;  ///< … and beyond these up to whatever it takes
  GpuKnowledge gpus{};                           ///< without it every GPU is as good as another
};

/// One run's record. Rows of runs are in order of submission; waits in order of their ends.
class Recorder final : public Observer {
 public:
  explicit Recorder(RecorderOptions options = {});
  Recorder(const Recorder&) = delete;  // parts_ knows where result_ is
  Recorder& operator=(const Recorder&) = delete;

  void run_started(const Cluster& cluster, SlurmTime now) override;
  void job_submitted(const Job& job, SlurmTime now) override;
  void job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) override;
  void job_split(const Job& task, const Job& rest, SlurmTime now) override;
  void job_changed(const Job& job, SlurmTime now) override;
  void reason_changed(const Job& job, SlurmTime now) override;
  void job_started(const Job& job, SlurmTime now) override;
  void job_configured(const Job& job, SlurmTime now) override;
  void job_suspended(const Job& job, SlurmTime now) override;
  void job_resumed(const Job& job, SlurmTime now) override;
  void job_resized(const Job& job, const Allocation& before, SlurmTime now) override;
  void job_ended(const Job& job, bool requeued, SlurmTime now) override;
  void job_cleaned(const Job& job, SlurmTime now) override;
  void run_paced(const Job& job, const PacedRun& run) override;
  void job_cancelled(const Job& job, SlurmTime now) override;
  void settings_changed(const Cluster& cluster, SlurmTime now) override;
  void node_changed(const Node& node, SlurmTime now) override;
  void gpu_recut(const Cluster& cluster, const GpuRecut& recut, SlurmTime now) override;
  void gpus_withheld(NodeId node, std::uint32_t milli, SlurmTime now) override;
  void priorities_recomputed(const Cluster& cluster, SlurmTime now) override;
  [[nodiscard]] bool asks_for_shares(SlurmTime now) const override;
  void shares_told(const Cluster& cluster, std::span<const ShareFactors> shares,
                   SlurmTime now) override;
  void hour_passed(const LoopCounts& counts, SlurmTime hour) override;
  void run_ended(const Cluster& cluster, SlurmTime now, const LoopCounts& counts) override;

  /// The record, once run_ended was called; the recorder is empty afterwards.
  [[nodiscard]] Result take(bool complete);

 private:
  /// A pending record's present Reason.
  struct OpenWait {
    std::uint32_t row = kNoRow;
    std::uint32_t tasks = 0;  ///< 0: not pending
    std::uint32_t text = 0;
    Reason reason = Reason::None;
    std::int64_t since = 0;
  };
  struct NodeUse {
    std::int64_t gpu_milli = 0, cpus = 0, memory_mib = 0, jobs = 0;
  };
  /// Jobs may share CPUs: no more of them are busy than there are.
  [[nodiscard]] std::int64_t busy_cpus(std::size_t node) const {
    return std::min(node_use_[node].cpus, node_total_[node].cpus);
  }

  OpenWait& open_of(const Job& job) { return open_[index_of(job.index)]; }
  void adopt_new_records(const Cluster& cluster, std::uint32_t parent, SlurmTime now);
  std::uint32_t add_row(const Job& job);
  void describe_request(const Job& job, std::uint32_t row);
  void describe(const Job& job, std::uint32_t row);
  void open_wait(const Job& job, std::uint32_t row, SlurmTime now);
  void close_wait(OpenWait& open, SlurmTime now);
  void leave_queue(OpenWait& open, const Job& job, SlurmTime now);
  void name_task(const Job& job, std::uint32_t row);
  void add_rest(const Job& rest, std::uint32_t parent, SlurmTime now);
  void end_unstarted(const Job& job, std::uint32_t row, SlurmTime now);
  void tell_waiting_tasks(const Job& job, std::uint32_t row);
  void hold(const Job& job, std::uint32_t row);
  void use_node(const NodeShare& share, std::int64_t sign);
  /// CPUs of a job that an admin suspends go to others (−1), and come back (1).
  void lend_cores(const Allocation& allocation, std::int64_t sign);
  void use_cpus(NodeId node, std::int64_t more);
  void count_available(NodeId node, std::int64_t sign);
  void note_node(const Node& node, SlurmTime now);
  void note_shares(const Cluster& cluster, SlurmTime now);
  void thin_fair_share();
  /// `held`: what it held meanwhile.
  void close_suspension(const Job& job, const Allocation& held, std::uint32_t row, SlurmTime until);
  /// Time passes up to `now`; to be called before what happens then.
  void advance(SlurmTime now) {
    series_.advance(now);
    gpus_.advance(now);
  }

  RecorderOptions options_;
  const Cluster* cluster_ = nullptr;
  Result result_;
  SeriesRecorder series_;
  GpuRecorder gpus_;
  HeldTexts held_;
  PriorityFacts settings_;  ///< as they were when they were told last
  PartsRecorder parts_;
  std::vector<OpenWait> open_;                       // by JobIndex
  std::map<JobId, std::uint32_t> array_priorities_;  // at their submission
  std::map<std::uint32_t, std::size_t> suspended_;   // row of runs → its open row of suspensions
  std::vector<NodeUse> node_use_;                    // by NodeId
  std::vector<NodeUse> node_total_;                  // by NodeId
  std::vector<bool> available_;                      // by NodeId
  std::vector<std::uint32_t> withheld_;              // by NodeId
  std::vector<std::uint16_t> node_flags_;
  std::vector<std::pair<std::int64_t, double>> shares_;  // raw, normed; by AssociationId
  Seconds fair_share_period_{0};                         ///< 0: every tick
  std::int64_t fair_share_next_;
};

}  // namespace rehearse
