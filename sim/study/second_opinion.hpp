// sim/study/second_opinion.hpp — two runs of one site, fact by fact: do both tell the same?
//
// What a simulation remembers may only save time. `run --paranoid` runs a site again with nothing
// remembered (Cluster::recalls) and holds every fact that the second run tells against the first.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/observer.hpp"

namespace rehearse {

/// A fact that a run told: a digest of all that went with it.
struct ToldFact {
  SlurmTime at;
  std::string_view what;     ///< `job starts`; of the program, not of the run
  std::uint32_t number = 0;  ///< of the job or node
  std::uint64_t digest = 0;
  std::string detail{};  ///< for the reader: a reason, a start
  friend bool operator==(const ToldFact&, const ToldFact&) = default;
};

/// Turns what a run tells into facts. Jobs with their place, cores and devices, plans of each
/// cycle, priorities after each tick; the reasons that stand at the end of a second, as a pass may
/// give a job one for each of its partitions.
class FactListener : public Observer {
 public:
  /// `of_plans`: what backfill plans is compared too, and then all is planned. Without it a run is
  /// held against one that plans all.
  explicit FactListener(bool of_plans) : of_plans_(of_plans) {}

  void job_submitted(const Job& job, SlurmTime now) override;
  void job_split(const Job& task, const Job& rest, SlurmTime now) override;
  void job_changed(const Job& job, SlurmTime now) override;
  void job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) override;
  void reason_changed(const Job& job, SlurmTime now) override;
  void job_started(const Job& job, SlurmTime now) override;
  void job_configured(const Job& job, SlurmTime now) override;
  void job_suspended(const Job& job, SlurmTime now) override;
  void job_resumed(const Job& job, SlurmTime now) override;
  void job_resized(const Job& job, const Allocation& before, SlurmTime now) override;
  void job_ended(const Job& job, bool requeued, SlurmTime now) override;
  void job_preempted(const Job& victim, const Job& preemptor, SlurmTime now) override;
  void job_cancelled(const Job& job, SlurmTime now) override;
  void node_changed(const Node& node, SlurmTime now) override;
  void gpu_recut(const Cluster& cluster, const GpuRecut& recut, SlurmTime now) override;
  void reservation_changed(const Reservation& reservation, std::string_view what,
                           SlurmTime now) override;
  void command_refused(std::string_view command, std::string_view why, SlurmTime now) override;
  [[nodiscard]] bool asks_for_plans() const override { return of_plans_; }
  void plans_made(const Cluster& cluster, std::span<const JobIndex> planned,
                  SlurmTime now) override;
  void priorities_recomputed(const Cluster& cluster, SlurmTime now) override;
  void run_ended(const Cluster& cluster, SlurmTime now, const LoopCounts& counts) override;

 protected:
  virtual void tell(const ToldFact& fact) = 0;

 private:
  bool of_plans_;
  void say(const ToldFact& fact);
  void settle_reasons();

  SlurmTime second_;  ///< that `touched_` is of
  struct Reasoned {
    std::uint32_t number = 0;
    std::string reason;
  };
  std::map<JobIndex, Reasoned> touched_;
  std::map<JobIndex, std::string> reasons_;  ///< as told last
};

/// Of the first run.
class FactLog final : public FactListener {
 public:
  using FactListener::FactListener;
  [[nodiscard]] const std::vector<ToldFact>& facts() const { return facts_; }

 private:
  void tell(const ToldFact& fact) override { facts_.push_back(fact); }
  std::vector<ToldFact> facts_;
};

/// Of the second run.
class FactComparison final : public FactListener {
 public:
  /// `interrupted`: the user's; may be null.
  FactComparison(const FactLog& first, const std::atomic<bool>* interrupted)
      : FactListener(first.asks_for_plans()), first_(first.facts()), interrupted_(interrupted) {}

  struct Difference {
    std::optional<ToldFact> first, second;  ///< none: that run had nothing more to tell
  };
  /// After the run; none: it told the same, to the last fact.
  [[nodiscard]] std::optional<Difference> difference() const;
  [[nodiscard]] std::size_t agreed() const { return agreed_; }
  /// Set at the first difference, or by the user: the run may stop.
  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }

 private:
  void tell(const ToldFact& fact) override;
  void progressed(SlurmTime now, std::size_t pending, std::size_t running) override;

  const std::vector<ToldFact>& first_;
  const std::atomic<bool>* interrupted_;
  std::size_t agreed_ = 0;
  std::optional<ToldFact> other_;  ///< the first that the first run did not tell
  std::atomic<bool> stop_ = false;
};

}  // namespace rehearse
