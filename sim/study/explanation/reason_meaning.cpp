// sim/study/explanation/reason_meaning.cpp — each Reason in plain words, for who has to answer a
// user (lifecycle.md §15, limits.md §10).
#include <fmt/format.h>

#include "sim/study/explanation/explanation.hpp"

namespace rehearse {
namespace {

struct ReasonMeaning {
  Reason reason;
  std::string_view text;
};
constexpr ReasonMeaning kMeanings[] = {
    {Reason::None, "no loop has looked at it yet"},
    {Reason::Priority,
     "its turn has not come: jobs of higher priority wait for the same partition"},
    {Reason::Resources, "it is next, and the nodes that it needs are busy"},
    {Reason::Dependency, "a job that it depends on is not done"},
    {Reason::DependencyNeverSatisfied, "its dependency can never be met"},
    {Reason::BeginTime, "its begin time has not come; a requeued job waits a while too"},
    {Reason::JobHeldUser, "its user holds it: scontrol release"},
    {Reason::JobHeldAdmin,
     "an admin holds it, or slurmctld as its tasks found too few cores: scontrol release"},
    {Reason::JobHoldMaxRequeue, "it was requeued too often, and is held"},
    {Reason::JobArrayTaskLimit, "as many tasks of its array run as its %N allows"},
    {Reason::Licenses, "the licences that it needs are in use"},
    {Reason::Reservation, "its reservation has not begun, or is full"},
    {Reason::ReservationDeleted, "its reservation was deleted: it is held"},
    {Reason::ReqNodeNotAvail,
     "nodes that it needs are down, drained, reserved or kept for a job ahead of it"},
    {Reason::Cleaning, "its earlier run is still being cleaned up"},
    {Reason::PartitionDown, "its partition is DOWN"},
    {Reason::PartitionInactive, "its partition is INACTIVE"},
    {Reason::PartitionNodeLimit, "it asks for more (or fewer) nodes than its partition allows"},
    {Reason::PartitionTimeLimit, "its time limit is above its partition's MaxTime"},
    {Reason::PartitionConfig, "it asks for what no node of its partition has"},
    {Reason::AccountNotAllowed, "its account may not use the partition"},
    {Reason::QOSNotAllowed, "its QOS may not use the partition"},
    {Reason::BadConstraints, "no node has what it asks for"},
    {Reason::NodeDown, "a node that it needs is down"},
    {Reason::MaxMemPerLimit, "it asks for more memory than MaxMemPerCPU or MaxMemPerNode"},
    {Reason::JobLaunchFailure, "its launch failed: it is held"},
    {Reason::QOSUsageThreshold, "its usage is beyond the QOS's UsageThreshold"},
    {Reason::InvalidAccount, "its account does not exist, or not for its user"},
    {Reason::InvalidQOS, "its QOS does not exist, or not for its association"},
};

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// What a limit's name says: whose, of what, for whom.
std::string limit_meaning(std::string_view name) {
  const bool is_qos = !name.starts_with("Assoc");
  const std::string_view whose =
      is_qos ? "its QOS (or its partition's QOS)" : "its association (user, account or a parent)";
  std::string_view span = "all running jobs together";
  if (holds(name, "PerJob")) span = "one job";
  if (holds(name, "PerNode")) span = "one node of a job";
  if (holds(name, "PerUser") || (is_qos && holds(name, "MaxJobs"))) span = "one user";
  if (holds(name, "PerAccount")) span = "one account";
  if (holds(name, "AssocMax") && !holds(name, "Per")) span = "this association alone";
  const std::string_view kind = holds(name, "RunM") ? "run-minutes (what runs, times what is left)"
                                : holds(name, "Minutes") ? "minutes used"
                                : holds(name, "Wall")    ? "wall time"
                                : holds(name, "Submit")  ? "jobs submitted and not ended"
                                : holds(name, "Jobs")    ? "running jobs"
                                                         : "what is in use";
  if (name.starts_with("QOSMin")) {
    return fmt::format("it asks for less than the least that {} allows", whose);
  }
  return fmt::format("a limit of {}: {}, for {}", whose, kind, span);
}

}  // namespace

std::string meaning_of(Reason reason) {
  for (const ReasonMeaning& each : kMeanings) {
    if (each.reason == reason) return std::string(each.text);
  }
  const std::string_view name = to_text(reason);
  const bool is_limit = name.starts_with("Assoc") || name.starts_with("QOS") ||
                        name.ends_with("PerAccount") || name.ends_with("RunMinsPerUser");
  return is_limit ? limit_meaning(name) : std::string("Slurm's own word for it");
}

}  // namespace rehearse
