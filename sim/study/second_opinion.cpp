// sim/study/second_opinion.cpp — facts and their digests.
#include "sim/study/second_opinion.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/core/fingerprint.hpp"

namespace rehearse {
namespace {

std::uint32_t number_of(const Job& job) {
  return static_cast<std::uint32_t>(job.id);
}

std::uint64_t seconds_of(const std::optional<SlurmTime>& at) {
  return at ? static_cast<std::uint64_t>(epoch_seconds(*at)) : 0;
}

void add(Fingerprint& digest, const Allocation& allocation) {
  for (const NodeShare& share : allocation.nodes) {
    digest.add(index_of(share.node));
    digest.add(share.cpus);
    digest.add(share.memory_mib);
    for (std::size_t w = 0; w < CoreSet::kWords; ++w) digest.add(share.cores.word(w));
    for (const DeviceShare& device : share.devices) {
      digest.add(std::uint64_t{device.gres} << 16U | device.device);
      digest.add(device.units);
    }
  }
}

/// The state of a job, and what it holds.
Fingerprint digest_of(const Job& job) {
  Fingerprint digest;
  digest.add(static_cast<std::uint64_t>(job.state));
  digest.add(job.priority);
  digest.add(index_of(job.partition));
  digest.add(static_cast<std::uint64_t>(job.started_by));
  digest.add(seconds_of(job.start));
  digest.add(seconds_of(job.end));
  add(digest, job.allocation);
  return digest;
}

ToldFact of_job(std::string_view what, const Job& job, SlurmTime now) {
  return {now, what, number_of(job), digest_of(job).value()};
}

}  // namespace

void FactListener::job_submitted(const Job& job, SlurmTime now) {
  say(of_job("job is submitted", job, now));
}

void FactListener::job_split(const Job& task, const Job& rest, SlurmTime now) {
  say({now, "task becomes a record of its own", number_of(task), number_of(rest)});
}

void FactListener::job_changed(const Job& job, SlurmTime now) {
  say(of_job("job is updated", job, now));
}

void FactListener::job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) {
  Fingerprint digest;
  digest.add(message);
  say({now, "job is refused", static_cast<std::uint32_t>(spec.id), digest.value()});
}

void FactListener::reason_changed(const Job& job, SlurmTime now) {
  if (now != second_) settle_reasons();
  second_ = now;
  touched_[job.index] = {
      number_of(job), std::string(job.reason_text.empty() ? to_text(job.reason) : job.reason_text)};
}

void FactListener::say(const ToldFact& fact) {
  if (fact.at != second_) settle_reasons();
  tell(fact);
}

/// The second is over.
void FactListener::settle_reasons() {
  for (const auto& [index, now] : touched_) {
    std::string& told = reasons_[index];
    if (std::exchange(told, now.reason) == now.reason) continue;
    tell({second_, "job waits for another reason", now.number, 0, told});
  }
  touched_.clear();
}

void FactListener::run_ended(const Cluster& /*cluster*/, SlurmTime /*now*/,
                             const LoopCounts& /*counts*/) {
  settle_reasons();
}

void FactListener::job_started(const Job& job, SlurmTime now) {
  say(of_job("job starts", job, now));
}

void FactListener::job_configured(const Job& job, SlurmTime now) {
  say(of_job("job has its nodes powered up", job, now));
}

void FactListener::job_suspended(const Job& job, SlurmTime now) {
  say(of_job("job is suspended", job, now));
}

void FactListener::job_resumed(const Job& job, SlurmTime now) {
  say(of_job("job is resumed", job, now));
}

void FactListener::job_resized(const Job& job, const Allocation& /*before*/, SlurmTime now) {
  say(of_job("job gives nodes back", job, now));
}

void FactListener::job_ended(const Job& job, bool requeued, SlurmTime now) {
  say(of_job(requeued ? "job ends and is requeued" : "job ends", job, now));
}

void FactListener::job_preempted(const Job& victim, const Job& preemptor, SlurmTime now) {
  Fingerprint digest = digest_of(victim);
  digest.add(number_of(preemptor));
  say({now, "job is preempted", number_of(victim), digest.value()});
}

void FactListener::job_cancelled(const Job& job, SlurmTime now) {
  say(of_job("job ends without a run", job, now));
}

void FactListener::node_changed(const Node& node, SlurmTime now) {
  const NodeState& state = node.state;
  Fingerprint digest;
  for (const bool flag : {state.down, state.drain, state.fail, state.no_respond, state.future,
                          state.maint, state.planned, state.powering_up, state.powering_down,
                          state.powered_down, state.reboot_requested, state.reboot_issued}) {
    digest.add(flag ? 1 : 0);
  }
  digest.add(state.reason);
  say({now, "node changes its state", static_cast<std::uint32_t>(index_of(node.id)),
       digest.value()});
}

void FactListener::gpu_recut(const Cluster& /*cluster*/, const GpuRecut& recut, SlurmTime now) {
  Fingerprint digest;
  digest.add(recut.gpu);
  digest.add(recut.from);
  digest.add(recut.to);
  say({now, "a GPU of the node is cut anew", static_cast<std::uint32_t>(index_of(recut.node)),
       digest.value()});
}

void FactListener::reservation_changed(const Reservation& reservation, std::string_view what,
                                       SlurmTime now) {
  Fingerprint digest;
  digest.add(what);
  say({now, "reservation changes", static_cast<std::uint32_t>(index_of(reservation.id)),
       digest.value()});
}

void FactListener::command_refused(std::string_view command, std::string_view why, SlurmTime now) {
  Fingerprint digest;
  digest.add(command);
  digest.add(why);
  say({now, "a command is refused", 0, digest.value()});
}

void FactListener::plans_made(const Cluster& cluster, std::span<const JobIndex> planned,
                              SlurmTime now) {
  if (!of_plans_) return;
  for (const JobIndex index : planned) {
    const Job& job = cluster.jobs[index];
    Fingerprint digest;
    digest.add(seconds_of(job.planned_start));
    for (const NodeId node : job.planned_nodes) digest.add(index_of(node));
    say({now, "backfill plans the job", number_of(job), digest.value(),
         job.planned_start ? fmt::format("in {} s, {} nodes", (*job.planned_start - now).count(),
                                         job.planned_nodes.size())
                           : "no start"});
  }
}

void FactListener::priorities_recomputed(const Cluster& cluster, SlurmTime now) {
  Fingerprint digest;
  for (const Job& job : cluster.jobs) {
    if (job.is_pending()) digest.add(std::uint64_t{number_of(job)} << 32U | job.priority);
  }
  for (const Association& association : cluster.accounts.associations) {
    digest.add(static_cast<std::uint64_t>(association.usage.raw));
  }
  say({now, "priorities are calculated", 0, digest.value()});
}

void FactComparison::tell(const ToldFact& fact) {
  if (other_) return;
  if (agreed_ < first_.size() && first_[agreed_] == fact) {
    ++agreed_;
    return;
  }
  other_ = fact;
  stop_ = true;
}

void FactComparison::progressed(SlurmTime /*now*/, std::size_t /*pending*/,
                                std::size_t /*running*/) {
  if (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) stop_ = true;
}

std::optional<FactComparison::Difference> FactComparison::difference() const {
  if (!other_ && agreed_ == first_.size()) return std::nullopt;
  Difference found;
  if (agreed_ < first_.size()) found.first = first_[agreed_];
  found.second = other_;
  return found;
}

}  // namespace rehearse
