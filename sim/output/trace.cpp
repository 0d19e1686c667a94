// sim/output/trace.cpp — one line a decision.
#include "sim/output/trace.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sim/config/hostlist.hpp"

namespace rehearse {
namespace {

std::string_view loop_of(const Job& job) {
  switch (job.started_by) {
    case StartedBy::Submit:
      return "submit";
    case StartedBy::Main:
      return "main";
    case StartedBy::Backfill:
      return "backfill";
    case StartedBy::Nobody:
      break;
  }
  return "nobody";
}

}  // namespace

std::string job_label(const Job& job) {
  const JobExtras* extras = job.spec->extras.get();
  if (extras != nullptr && extras->het_leader != JobId{}) {
    return fmt::format("{}+{}", static_cast<std::uint32_t>(extras->het_leader), extras->het_offset);
  }
  if (job.array_job == JobId{}) return fmt::format("{}", static_cast<std::uint32_t>(job.id));
  const auto array = static_cast<std::uint32_t>(job.array_job);
  if (job.array_task) return fmt::format("{}_{}", array, *job.array_task);
  return fmt::format("{}_[{} tasks]", array, job.pending_tasks.size());
}

TraceWriter::TraceWriter(std::FILE* out, TimeZone zone, bool with_reasons)
    : out_(out), zone_(std::move(zone)), with_reasons_(with_reasons) {}

void TraceWriter::line(SlurmTime now, std::string_view event, std::string_view who,
                       std::string_view detail) {
  fmt::print(out_, "{}  {:<7}  {}{}{}\n", zone_.print(now), event, who, detail.empty() ? "" : "  ",
             detail);
}

std::string TraceWriter::nodes_of(const Job& job) const {
  std::vector<std::string> hosts;
  for (const NodeShare& share : job.allocation.nodes) {
    hosts.push_back(cluster_->names.text(cluster_->nodes[share.node].name));
  }
  return compress_hostlist(hosts);
}

void TraceWriter::run_started(const Cluster& cluster, SlurmTime /*now*/) {
  cluster_ = &cluster;
}

void TraceWriter::job_submitted(const Job& job, SlurmTime now) {
  line(now, "submit", job_label(job), "");
}

void TraceWriter::job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) {
  line(now, "reject", fmt::format("{}", static_cast<std::uint32_t>(spec.id)), message);
}

void TraceWriter::reason_changed(const Job& job, SlurmTime now) {
  if (!with_reasons_ || !job.is_pending()) return;
  line(now, "reason", job_label(job),
       job.reason_text.empty() ? to_text(job.reason) : job.reason_text);
}

void TraceWriter::job_started(const Job& job, SlurmTime now) {
  line(now, "start", job_label(job), fmt::format("{}  {}", nodes_of(job), loop_of(job)));
}

void TraceWriter::job_suspended(const Job& job, SlurmTime now) {
  line(now, "suspend", job_label(job), "");
}

void TraceWriter::job_resumed(const Job& job, SlurmTime now) {
  line(now, "resume", job_label(job), "");
}

void TraceWriter::job_ended(const Job& job, bool requeued, SlurmTime now) {
  line(now, requeued ? "requeue" : "end", job_label(job), to_text(job.state));
}

void TraceWriter::job_cancelled(const Job& job, SlurmTime now) {
  line(now, "cancel", job_label(job), to_text(job.state));
}

void TraceWriter::reservation_changed(const Reservation& reservation, std::string_view what,
                                      SlurmTime now) {
  std::vector<std::string> hosts;
  for_each_bit(reservation.nodes, [&](std::size_t i) {
    hosts.push_back(cluster_->names.text(cluster_->nodes[id_at<NodeId>(i)].name));
  });
  line(now, "resv", cluster_->names.text(reservation.name),
       fmt::format("{}  {}", what, compress_hostlist(hosts)));
}

void TraceWriter::command_refused(std::string_view command, std::string_view why, SlurmTime now) {
  line(now, "refuse", command, why);
}

void TraceWriter::node_changed(const Node& node, SlurmTime now) {
  const NodeState& state = node.state;
  line(now, "node", cluster_->names.text(node.name),
       state.down         ? "DOWN"
       : state.fail       ? "FAIL"
       : state.drain      ? "DRAIN"
       : state.no_respond ? "NORESP"
       : state.maint      ? "MAINT"
                          : "UP");
}

}  // namespace rehearse
