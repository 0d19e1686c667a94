// sim/output/kpi/definitions.cpp — the one table of what each figure means.
#include <array>

#include "sim/output/kpi/kpi.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kPeriod = "the simulated period, first to last event";
constexpr std::string_view kArrivals = "from the first submission to the last";
constexpr std::string_view kStarted = "jobs that started at least once";

constexpr std::array kDefinitions{
    KpiDefinition{"gpu_utilization_existing", "1", "GPU utilization of existing capacity",
                  "busy GPU-seconds / existing GPU-seconds",
                  "GPUs of all nodes over the simulated period, down and drained ones included"},
    KpiDefinition{"gpu_utilization_available", "1", "GPU utilization of available capacity",
                  "busy GPU-seconds / available GPU-seconds",
                  "GPUs of nodes while they take jobs and MIG withholds none, and busy GPUs of "
                  "those that do not"},
    KpiDefinition{"cpu_utilization_existing", "1", "CPU utilization of existing capacity",
                  "busy CPU-seconds / existing CPU-seconds",
                  "CPUs of all nodes without specialised cores, over the simulated period"},
    KpiDefinition{"cpu_utilization_available", "1", "CPU utilization of available capacity",
                  "busy CPU-seconds / available CPU-seconds",
                  "CPUs of nodes while they take jobs, and busy CPUs of those that do not"},
    KpiDefinition{"memory_utilization_existing", "1", "memory utilization of existing capacity",
                  "held MiB-seconds / existing MiB-seconds",
                  "memory for jobs of all nodes over the simulated period"},
    KpiDefinition{"memory_utilization_available", "1", "memory utilization of available capacity",
                  "held MiB-seconds / available MiB-seconds",
                  "memory of nodes while they take jobs, and held memory of those that do not"},
    KpiDefinition{"gpu_hours_busy", "h", "GPU-hours held by jobs", "sum of GPUs x time held", ""},
    KpiDefinition{"gpu_hours_idle", "h", "GPU-hours that were available and idle",
                  "available GPU-hours - busy GPU-hours", ""},
    KpiDefinition{"gpu_hours_unavailable", "h", "GPU-hours lost to nodes that take no jobs",
                  "existing GPU-hours - available GPU-hours", ""},
    KpiDefinition{"gpu_hours_per_day", "h/d", "GPU-hours held by jobs in a day",
                  "busy GPU-hours / simulated days", kPeriod},
    KpiDefinition{"gpu_hours_lost", "h",
                  "GPU-hours of runs that were requeued or preempted, without the work they saved",
                  "sum of GPUs x time over runs that ended PREEMPTED, NODE_FAIL or REQUEUED", ""},
    KpiDefinition{"jobs", "1", "jobs submitted", "first rows of jobs; each task of an array is one",
                  ""},
    KpiDefinition{"jobs_started", "1", "jobs that started at least once", "count", ""},
    KpiDefinition{"jobs_never_started", "1", "jobs that never started",
                  "jobs - jobs_started: pending at the end, or cancelled before", ""},
    KpiDefinition{"jobs_killed", "1", "jobs killed for good",
                  "jobs whose last run was preempted or lost its nodes, and that did not come back "
                  "into the queue",
                  ""},
    KpiDefinition{"jobs_rejected", "1", "submissions refused by the controller", "count", ""},
    KpiDefinition{"runs", "1", "runs, requeued ones included", "count of starts", ""},
    KpiDefinition{"preemptions", "1", "runs ended by preemption", "runs that ended PREEMPTED", ""},
    KpiDefinition{"throughput", "1/h", "jobs ended in an hour",
                  "jobs with an end after a run / simulated hours", kPeriod},
    KpiDefinition{"arrival_hours", "h", "time in which jobs arrived",
                  "last first submission - first submission, within the simulated period", ""},
    KpiDefinition{"gpu_utilization_arrivals", "1", "GPU utilization while jobs arrived",
                  "busy GPU-seconds / existing GPU-seconds, by the grid of /series", kArrivals},
    KpiDefinition{"cpu_utilization_arrivals", "1", "CPU utilization while jobs arrived",
                  "busy CPU-seconds / existing CPU-seconds, by the grid of /series", kArrivals},
    KpiDefinition{"memory_utilization_arrivals", "1", "memory utilization while jobs arrived",
                  "held MiB-seconds / existing MiB-seconds, by the grid of /series", kArrivals},
    KpiDefinition{"throughput_arrivals", "1/h", "jobs ended in an hour while jobs arrived",
                  "jobs with an end after a run / arrival_hours", kArrivals},
    KpiDefinition{"gpu_hours_per_day_arrivals", "h/d",
                  "GPU-hours held by jobs in a day while jobs arrived",
                  "busy GPU-hours / days, by the grid of /series", kArrivals},
    KpiDefinition{"makespan", "s", "from the first submission to the last end",
                  "last end - first submission", ""},
    KpiDefinition{"wait_mean", "s", "mean wait from submission",
                  "mean of first start - first submission", kStarted},
    KpiDefinition{"wait_p50", "s", "median wait from submission",
                  "quantile (type 7) of first start - first submission", kStarted},
    KpiDefinition{"wait_p90", "s", "90th percentile of the wait from submission",
                  "quantile (type 7) of first start - first submission", kStarted},
    KpiDefinition{"wait_p95", "s", "95th percentile of the wait from submission",
                  "quantile (type 7) of first start - first submission", kStarted},
    KpiDefinition{"wait_p99", "s", "99th percentile of the wait from submission",
                  "quantile (type 7) of first start - first submission", kStarted},
    KpiDefinition{"wait_eligible_mean", "s", "mean wait from eligibility",
                  "mean of first start - eligible", kStarted},
    KpiDefinition{"wait_eligible_p50", "s", "median wait from eligibility",
                  "quantile (type 7) of first start - eligible", kStarted},
    KpiDefinition{"wait_eligible_p90", "s", "90th percentile of the wait from eligibility",
                  "quantile (type 7) of first start - eligible", kStarted},
    KpiDefinition{"wait_eligible_p95", "s", "95th percentile of the wait from eligibility",
                  "quantile (type 7) of first start - eligible", kStarted},
    KpiDefinition{"wait_eligible_p99", "s", "99th percentile of the wait from eligibility",
                  "quantile (type 7) of first start - eligible", kStarted},
    KpiDefinition{"bounded_slowdown_mean", "1", "mean bounded slowdown",
                  "mean of max(1, (last end - submission) / max(work, 10 s)); work: seconds of its "
                  "runs without suspensions and lost work",
                  "jobs that started and ended, but were not killed for good"},
    KpiDefinition{"bounded_slowdown_p95", "1", "95th percentile of the bounded slowdown",
                  "quantile (type 7) of the same slowdowns",
                  "jobs that started and ended, but were not killed for good"},
    KpiDefinition{"slowdown_fairness", "1", "fairness of users' slowdowns (Jain's index)",
                  "(sum of m)^2 / (users x sum of m^2), m a user's mean bounded slowdown; 1: all "
                  "users alike, 1 / users: one bears it all (Jain, Chiu and Hawe, 1984)",
                  "users with such a job"},
    KpiDefinition{"backfill_share", "1", "share of starts by backfill",
                  "runs started by backfill / runs", "all starts"},
    KpiDefinition{"failure_rate", "1", "share of ended jobs that failed",
                  "jobs that ended FAILED, NODE_FAIL, BOOT_FAIL or OUT_OF_MEMORY / ended jobs",
                  "jobs that started and whose last run ended"},
    KpiDefinition{"gpu_runs", "1", "runs on GPUs whose speed was followed and that did some work",
                  "count", ""},
    KpiDefinition{"slow_down_mean", "1", "mean slow-down of runs on GPUs",
                  "mean of time / time on the device of the record without neighbours", "gpu_runs"},
    KpiDefinition{"slow_down_p95", "1", "95th percentile of the slow-down of runs on GPUs",
                  "quantile (type 7) of the same", "gpu_runs"},
    KpiDefinition{"gpu_hours_lost_to_sharing", "h", "GPU-hours that neighbours on GPUs took",
                  "sum of GPUs x time lost to others on the same device", ""},
    KpiDefinition{"pending_hours", "h", "job-hours pending for this reason",
                  "sum of jobs x length of the intervals of the reason",
                  "jobs that started or were cancelled"},
    KpiDefinition{"pending_share", "1", "share of all pending job-hours",
                  "pending_hours of the reason / pending_hours of all", "all pending job-hours"},
    KpiDefinition{"pending_hours_left", "h",
                  "job-hours pending for this reason of jobs that never had their turn",
                  "sum of jobs x length of the intervals of the reason",
                  "jobs that still pend at the end of the run"},
    KpiDefinition{"job_count", "1", "rows that ended in this state", "count of rows of jobs", ""},
    KpiDefinition{"usage_share", "1", "share of GPU-hours (CPU-hours where nobody used a GPU)",
                  "busy hours of the group / busy hours of all", "all busy hours of the same kind"},
    KpiDefinition{"entitlement", "1", "share by fair-share shares",
                  "product of shares / shares of siblings, from the account to the root", ""},
    KpiDefinition{"usage_over_entitlement", "1", "share used by share entitled to",
                  "usage_share / entitlement", "entitlement"},
    KpiDefinition{"node_hours_powered_down", "h", "hours of nodes that were switched off",
                  "time integral of nodes that power saving has switched off", ""},
    KpiDefinition{"gpu_compute_occupancy", "1", "share of the SMs of all GPUs that jobs held",
                  "held SM-seconds / existing SM-seconds; an instance counts by its SMs",
                  "SMs of all physical GPUs over the simulated period, those without an instance "
                  "too; only those "
                  "of the instances where nothing tells which of them share a GPU"},
    KpiDefinition{"gpu_recuts", "1", "GPUs cut into other MIG instances while the cluster ran",
                  "changes of a GPU's layout that were made", "changes of the period"},
    KpiDefinition{"gpu_recut_hours", "h", "hours in which GPUs were being cut",
                  "sum over changes of the time from the last job's end to service",
                  "changes of the period"},
    KpiDefinition{"gpu_recut_wait_hours", "h", "hours in which GPUs waited to be cut",
                  "sum over changes of the time from the order to the last job's end",
                  "changes of the period"},
    KpiDefinition{"gpu_compute_unreachable", "1", "share of the SMs that no device has",
                  "SMs of partitioned GPUs that no MIG instance has / SMs of all GPUs",
                  "SMs of all physical GPUs"},
    KpiDefinition{
        "gpu_fragmentation", "1", "share of free GPUs that a job could not use",
        "sum over hours of the expected free GPU capacity that a job, drawn from those "
        "submitted so far that ask for GPUs, could not use (FGD, Weng et al., ATC 2023) / "
        "sum of free GPU capacity; partitions and features are not asked",
        "free GPUs by SMs on nodes that take jobs, on whole hours"},
    KpiDefinition{
        "gpu_stranded", "1", "share of free GPUs that no pending job could use",
        "sum over hours with a pending GPU job of free GPU capacity that none of them fits / "
        "sum of free GPU capacity in these hours",
        "free GPUs by SMs on nodes that take jobs, on whole hours with a pending GPU job"},
    KpiDefinition{
        "gpu_energy", "kWh", "energy that GPUs drew (an assumption: power.gpu_load)",
        "idle watts x time, not while a node is switched off, + load x (cap - idle) watts x "
        "SM share x time that jobs ran; of an account: of its runs",
        ""},
    KpiDefinition{"gpu_energy_idle", "kWh", "energy that GPUs drew while no job held them",
                  "gpu_energy - gpu_energy of all runs", ""},
    KpiDefinition{"gpu_energy_cost", "currency", "price of the energy that GPUs drew",
                  "gpu_energy x price_kwh", ""},
    KpiDefinition{
        "cost_useful_gpu_hour", "currency/h", "cost of a GPU-hour of work that was kept",
        "(existing GPU-hours x price_gpu_hour + gpu_energy_cost) / (busy GPU-hours - lost "
        "GPU-hours); where MIG cuts GPUs, existing ones are physical, and busy ones the SMs held",
        "GPU-hours held by jobs without those of runs whose work was lost"},
    KpiDefinition{"feedback_jobs_after_end", "1", "jobs submitted a think time after an end",
                  "count; the end is that of another job of the user, in this run", "jobs"},
    KpiDefinition{"feedback_jobs_with_batch", "1", "jobs submitted beside one of these",
                  "count; as long after it as in the record", "jobs"},
    KpiDefinition{"feedback_jobs_held_back", "1", "jobs that were never submitted",
                  "count; the end that they wait for never came", ""},
    KpiDefinition{"feedback_jobs_earlier", "1", "jobs submitted earlier than in the record",
                  "count", "jobs"},
    KpiDefinition{"feedback_earlier_mean", "s", "by how much these came earlier",
                  "mean of recorded submission - submission", "feedback_jobs_earlier"},
    KpiDefinition{"feedback_earlier_most", "s", "the most that one came earlier",
                  "maximum of the same", "feedback_jobs_earlier"},
    KpiDefinition{"feedback_jobs_later", "1", "jobs submitted later than in the record", "count",
                  "jobs"},
    KpiDefinition{"feedback_later_mean", "s", "by how much these came later",
                  "mean of submission - recorded submission", "feedback_jobs_later"},
    KpiDefinition{"feedback_later_most", "s", "the most that one came later", "maximum of the same",
                  "feedback_jobs_later"},
    KpiDefinition{"pending_mean", "1", "mean number of pending jobs",
                  "time integral of pending jobs / simulated period", kPeriod},
    KpiDefinition{"running_mean", "1", "mean number of running jobs",
                  "time integral of running jobs / simulated period", kPeriod},
};

constexpr std::array<std::string_view, kSizeClassCount> kSizeTexts{"0", "1",    "2-3", "4-7",
                                                                   "8", "9-16", "17+"};

}  // namespace

std::span<const KpiDefinition> kpi_definitions() {
  return kDefinitions;
}

const KpiDefinition* find_kpi_definition(std::string_view name) {
  for (const KpiDefinition& definition : kDefinitions) {
    if (definition.name == name) return &definition;
  }
  return nullptr;
}

std::size_t size_class(std::uint64_t gpus) {
  constexpr std::array<std::uint64_t, kSizeClassCount - 1> kLast{0, 1, 3, 7, 8, 16};
  std::size_t at = 0;
  while (at < kLast.size() && gpus > kLast[at]) ++at;
  return at;
}

std::string_view size_class_text(std::size_t size_class) {
  return kSizeTexts[size_class];
}

}  // namespace rehearse
