// tests/property/preemption_test.cpp — whatever is preempted: by whom it may be, never beside its
// preemptor, and everything ends.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/unit/controller/small_site.hpp"

namespace rehearse::test {
namespace {

/// Watches what runs where.
class Watched final : public SmallSite {
 public:
  using SmallSite::SmallSite;
  bool pairs_hold = true, apart = true;
  std::size_t started = 0, ended = 0;

 private:
  void job_started(const Job& job, SlurmTime /*now*/) override {
    ++started;
    for (const auto& [other, allocation] : held_) {
      for (const NodeShare& theirs : allocation.nodes) {
        for (const NodeShare& ours : job.allocation.nodes) {
          apart = apart && (ours.node != theirs.node || !ours.cores.intersects(theirs.cores));
        }
      }
    }
    held_[job.id] = job.allocation;
  }
  void job_ended(const Job& job, bool requeued, SlurmTime now) override {
    ++ended;
    held_.erase(job.id);
    SmallSite::job_ended(job, requeued, now);
  }
  void job_preempted(const Job& victim, const Job& preemptor, SlurmTime now) override {
    const auto tier = [&](const Job& job) {
      return cluster->partitions[job.partition].conf.priority_tier;
    };
    pairs_hold = pairs_hold && tier(victim) < tier(preemptor) && victim.is_running() &&
                 cluster->partitions[victim.partition].conf.preempt_mode != PreemptMode::Off;
    SmallSite::job_preempted(victim, preemptor, now);
  }
  std::map<JobId, Allocation> held_;
};

RC_GTEST_PROP(Preemption, OfRandomJobsKeepsToItsRuleAndComesToAnEnd, ()) {
  Watched site(4);
  SlurmConf& conf = site.inputs.slurm_conf;
  conf.preempt_type = PreemptType::PartitionPrio;
  conf.preempt_mode = PreemptMode::Requeue;
  conf.preempt_parameters.youngest_first = *rc::gen::arbitrary<bool>();
  conf.preempt_parameters.reorder_count = *rc::gen::inRange<std::uint32_t>(0, 3);
  if (*rc::gen::arbitrary<bool>()) conf.preempt_exempt_time = Seconds{120};
  const auto grace = Seconds{*rc::gen::element(0, 0, 45)};
  site.partition("low", 1).grace_time = grace;
  site.partition("mid", 5).preempt_mode = *rc::gen::element(PreemptMode::Cancel, PreemptMode::Off);
  site.partition("high", 9);
  const auto jobs = *rc::gen::inRange<std::size_t>(5, 40);
  std::int64_t submit = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    submit += *rc::gen::inRange<std::int64_t>(0, 200);
    const std::string partition = *rc::gen::element<std::string>("low", "low", "mid", "high");
    const auto nodes = *rc::gen::inRange(1, 4);
    const auto tasks = nodes * *rc::gen::inRange(1, 5);
    site.job(submit, partition, fmt::format("-N{} -n{}", nodes, tasks), Minutes{30},
             Seconds{*rc::gen::inRange<std::int64_t>(10, 1700)});
  }
  site.run();
  RC_ASSERT(site.pairs_hold);
  RC_ASSERT(site.apart);
  RC_ASSERT(site.started == site.ended);
  const bool all_finished = std::all_of(site.cluster->jobs.begin(), site.cluster->jobs.end(),
                                        [](const Job& job) { return job.is_finished(); });
  RC_ASSERT(all_finished);
}

}  // namespace
}  // namespace rehearse::test
