// sim/sched/priority/basic.cpp — priority/basic: first come, first served (priority.md §10).
#include "sim/sched/priority/basic.hpp"

#include <algorithm>
#include <vector>

namespace rehearse {
namespace {

constexpr std::int64_t kTop = 4294901760;  // Slurm's TOP_PRIORITY

class Basic final : public PriorityPlugin {
 public:
  [[nodiscard]] std::optional<Seconds> tick_period() const override { return std::nullopt; }
  void tick(SlurmTime, std::span<Job* const>, std::span<const JobIndex>) override {}
  void job_ended(const Job&, SlurmTime) override {}

  void recompute(Job& job, SlurmTime) override {
    job.factors = {};
    if (job.held) {
      job.priority = 0;
    } else if (job.direct_priority && job.priority > 1) {
      // Kept; it is not a number that was handed out.
    } else if (job.priority == 0 || !is_known(job)) {
      job.priority = hand_out(job.nice);
    } else if (const std::int64_t change = nice_[index_of(job.index)] - job.nice; change != 0) {
      job.priority = clamped(job.priority + change, 2);
    }
    remember(job);
    if (job.partitions.size() > 1) {
      job.partition_priority.assign(job.partitions.size(), job.priority);
    }
  }

 private:
  static std::uint32_t clamped(std::int64_t value, std::int64_t least) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, least, UINT32_MAX));
  }

  std::uint32_t hand_out(std::int64_t nice) {
    std::int64_t priority = lowest_ - 1;
    if (nice <= 0 || priority - nice > 0) priority -= nice;
    const std::uint32_t given = clamped(priority, 1);
    lowest_ = std::min(lowest_, given + nice);
    return given;
  }

  [[nodiscard]] bool is_known(const Job& job) const {
    return index_of(job.index) < known_.size() && known_[index_of(job.index)];
  }

  void remember(const Job& job) {
    const std::size_t at = index_of(job.index);
    if (at >= known_.size()) {
      known_.resize(at + 1, false);
      nice_.resize(at + 1, 0);
    }
    known_[at] = true;
    nice_[at] = job.nice;
  }

  std::int64_t lowest_ = kTop;
  std::vector<bool> known_;         // by job: has had a number
  std::vector<std::int64_t> nice_;  // by job: that its number has counted
};

}  // namespace

std::unique_ptr<PriorityPlugin> make_basic() {
  return std::make_unique<Basic>();
}

}  // namespace rehearse
