// sim/study/forecast/watcher.hpp — sees when jobs that waited at the beginning start, and stops the
// run when all have, or the horizon is reached.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/controller/observer.hpp"

namespace rehearse {

class StartWatcher final : public Observer {
 public:
  /// A job, or a task of an array under the array's id.
  using Key = std::pair<JobId, std::optional<std::uint32_t>>;

  /// `outer`: set from outside to stop.
  StartWatcher(const std::vector<Key>& watched, SlurmTime until, const std::atomic<bool>* outer);

  /// By position in `watched`; none: it did not start by then.
  [[nodiscard]] const std::vector<std::optional<SlurmTime>>& starts() const { return starts_; }
  [[nodiscard]] const std::atomic<bool>* stop() const { return &stop_; }

  void job_submitted(const Job& job, SlurmTime now) override;
  void job_started(const Job& job, SlurmTime now) override;
  void job_ended(const Job& job, bool requeued, SlurmTime now) override;
  void priorities_recomputed(const Cluster& cluster, SlurmTime now) override;
  void progressed(SlurmTime now, std::size_t pending, std::size_t running) override;

 private:
  void look(SlurmTime now);

  std::map<Key, std::size_t> positions_;
  std::vector<std::optional<SlurmTime>> starts_;
  std::size_t left_;
  SlurmTime until_;
  const std::atomic<bool>* outer_;
  std::atomic<bool> stop_{false};
};

}  // namespace rehearse
