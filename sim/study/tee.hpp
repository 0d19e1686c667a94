// sim/study/tee.hpp — one run, several who record it: each is told everything, in a fixed order.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/controller/observer.hpp"

namespace rehearse {

class Tee final : public Observer {
 public:
  /// The observers stay the caller's.
  explicit Tee(std::vector<Observer*> observers) : observers_(std::move(observers)) {}

  void run_started(const Cluster& cluster, SlurmTime now) override {
    for (Observer* one : observers_) one->run_started(cluster, now);
  }
  void job_submitted(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_submitted(job, now);
  }
  void job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) override {
    for (Observer* one : observers_) one->job_rejected(spec, message, now);
  }
  void reason_changed(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->reason_changed(job, now);
  }
  void job_split(const Job& task, const Job& rest, SlurmTime now) override {
    for (Observer* one : observers_) one->job_split(task, rest, now);
  }
  void job_changed(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_changed(job, now);
  }
  void job_started(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_started(job, now);
  }
  void job_configured(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_configured(job, now);
  }
  void job_suspended(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_suspended(job, now);
  }
  void job_resumed(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_resumed(job, now);
  }
  void job_resized(const Job& job, const Allocation& before, SlurmTime now) override {
    for (Observer* one : observers_) one->job_resized(job, before, now);
  }
  void job_ended(const Job& job, bool requeued, SlurmTime now) override {
    for (Observer* one : observers_) one->job_ended(job, requeued, now);
  }
  void run_paced(const Job& job, const PacedRun& run) override {
    for (Observer* one : observers_) one->run_paced(job, run);
  }
  void job_preempted(const Job& victim, const Job& preemptor, SlurmTime now) override {
    for (Observer* one : observers_) one->job_preempted(victim, preemptor, now);
  }
  void job_cancelled(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_cancelled(job, now);
  }
  void gpu_recut(const Cluster& cluster, const GpuRecut& recut, SlurmTime now) override {
    for (Observer* one : observers_) one->gpu_recut(cluster, recut, now);
  }
  void gpus_withheld(NodeId node, std::uint32_t milli, SlurmTime now) override {
    for (Observer* one : observers_) one->gpus_withheld(node, milli, now);
  }
  void job_cleaned(const Job& job, SlurmTime now) override {
    for (Observer* one : observers_) one->job_cleaned(job, now);
  }
  void node_changed(const Node& node, SlurmTime now) override {
    for (Observer* one : observers_) one->node_changed(node, now);
  }
  void reservation_changed(const Reservation& reservation, std::string_view what,
                           SlurmTime now) override {
    for (Observer* one : observers_) one->reservation_changed(reservation, what, now);
  }
  void command_refused(std::string_view command, std::string_view why, SlurmTime now) override {
    for (Observer* one : observers_) one->command_refused(command, why, now);
  }
  [[nodiscard]] bool asks_for_plans() const override {
    return std::any_of(observers_.begin(), observers_.end(),
                       [](const Observer* one) { return one->asks_for_plans(); });
  }
  void plans_made(const Cluster& cluster, std::span<const JobIndex> planned,
                  SlurmTime now) override {
    for (Observer* one : observers_) one->plans_made(cluster, planned, now);
  }
  void priorities_recomputed(const Cluster& cluster, SlurmTime now) override {
    for (Observer* one : observers_) one->priorities_recomputed(cluster, now);
  }
  [[nodiscard]] bool asks_for_shares(SlurmTime now) const override {
    return std::any_of(observers_.begin(), observers_.end(),
                       [now](const Observer* one) { return one->asks_for_shares(now); });
  }
  void shares_told(const Cluster& cluster, std::span<const ShareFactors> shares,
                   SlurmTime now) override {
    for (Observer* one : observers_) {
      if (one->asks_for_shares(now)) one->shares_told(cluster, shares, now);
    }
  }
  void progressed(SlurmTime now, std::size_t pending, std::size_t running) override {
    for (Observer* one : observers_) one->progressed(now, pending, running);
  }
  void hour_passed(const LoopCounts& counts, SlurmTime hour) override {
    for (Observer* one : observers_) one->hour_passed(counts, hour);
  }
  void run_ended(const Cluster& cluster, SlurmTime now, const LoopCounts& counts) override {
    for (Observer* one : observers_) one->run_ended(cluster, now, counts);
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace rehearse
