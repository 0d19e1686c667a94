// sim/output/trace.hpp — every decision as a line of text: `run --trace`, golden cases, compare.py.
#pragma once

#include <cstdio>
#include <string>

#include "sim/config/time_zone.hpp"
#include "sim/controller/observer.hpp"

namespace rehearse {

/// Lines `TIME EVENT JOB DETAIL…`, columns separated by two blanks, times local to the site:
/// submit, reject, start (nodes, loop), end (state), requeue, cancel, reason, node, resv (nodes),
/// refuse (a command).
class TraceWriter final : public Observer {
 public:
  /// Writes to `out`, which stays the caller's. `with_reasons`: reason changes too.
  TraceWriter(std::FILE* out, TimeZone zone, bool with_reasons);

  void run_started(const Cluster& cluster, SlurmTime now) override;
  void job_submitted(const Job& job, SlurmTime now) override;
  void job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) override;
  void reason_changed(const Job& job, SlurmTime now) override;
  void job_started(const Job& job, SlurmTime now) override;
  void job_suspended(const Job& job, SlurmTime now) override;
  void job_resumed(const Job& job, SlurmTime now) override;
  void job_ended(const Job& job, bool requeued, SlurmTime now) override;
  void job_cancelled(const Job& job, SlurmTime now) override;
  void node_changed(const Node& node, SlurmTime now) override;
  void reservation_changed(const Reservation& reservation, std::string_view what,
                           SlurmTime now) override;
  void command_refused(std::string_view command, std::string_view why, SlurmTime now) override;

 private:
  void line(SlurmTime now, std::string_view event, std::string_view who, std::string_view detail);
  [[nodiscard]] std::string nodes_of(const Job& job) const;

  std::FILE* out_;
  TimeZone zone_;
  bool with_reasons_;
  const Cluster* cluster_ = nullptr;
};

/// `104_3` for a task, `104_[…]` for what is left of an array, else the id.
[[nodiscard]] std::string job_label(const Job& job);

}  // namespace rehearse
