// sim/config/sbatch_options.cpp — every option of sbatch, salloc and srun 22.05, and what it sets.
//
// Null handlers are known and steer no scheduling. Options of later releases are in the list too:
// their SubmitLines are read by the same tool.
#include "sim/config/sbatch_options.hpp"

#include <fmt/format.h>

#include "sim/config/sbatch_values.hpp"

namespace rehearse {
namespace {

constexpr auto kNo = ArgumentKind::None;
constexpr auto kReq = ArgumentKind::Required;
constexpr auto kOpt = ArgumentKind::Optional;
constexpr auto kBatchRun = static_cast<Programs>(kSbatch | kSrun);
constexpr auto kBatchAlloc = static_cast<Programs>(kSbatch | kSalloc);
constexpr auto kAllocRun = static_cast<Programs>(kSalloc | kSrun);

#define REHEARSE_TEXT(member) \
  [](SbatchArgs& a, const OptionUse& u, Diagnostics&) { a.member = submit::word(u); }
#define REHEARSE_NAME(member) \
  [](SbatchArgs& a, const OptionUse& u, Diagnostics&) { a.member = submit::lower_word(u); }
#define REHEARSE_FLAG(member, to) \
  [](SbatchArgs& a, const OptionUse&, Diagnostics&) { a.member = to; }
#define REHEARSE_COUNT(member)                                    \
  [](SbatchArgs& a, const OptionUse& u, Diagnostics& f) {         \
    if (const auto value = submit::count(u, f)) a.member = value; \
  }
#define REHEARSE_COUNT0(member)                                      \
  [](SbatchArgs& a, const OptionUse& u, Diagnostics& f) {            \
    if (const auto value = submit::count(u, f, 0)) a.member = value; \
  }
#define REHEARSE_MEMORY(member)                                    \
  [](SbatchArgs& a, const OptionUse& u, Diagnostics& f) {          \
    if (const auto value = submit::memory(u, f)) a.member = value; \
  }
#define REHEARSE_MINUTES(member)                                    \
  [](SbatchArgs& a, const OptionUse& u, Diagnostics& f) {           \
    if (const auto value = submit::minutes(u, f)) a.member = value; \
  }

void not_simulated(SbatchArgs&, const OptionUse& use, Diagnostics& found) {
  found.warning(use.option_at, fmt::format("{} is known but not simulated", use.name));
}

constexpr SubmitOption kOptions[] = {
    {"account", 'A', kReq, kSubmitters, REHEARSE_NAME(account)},
    {"acctg-freq", 0, kReq},
    {"array", 'a', kReq, kSbatch, submit::array},
    {"batch", 0, kReq, kSbatch},
    {"bb", 0, kReq, kSubmitters, not_simulated},
    {"bbf", 0, kReq, kSubmitters, not_simulated},
    {"bcast", 0, kOpt, kSrun},
    {"bcast-exclude", 0, kReq, kSrun},
    {"begin", 'b', kReq, kSubmitters, REHEARSE_TEXT(begin)},
    {"bell", 0, kNo, kSalloc},
    {"chdir", 'D', kReq},
    {"cluster-constraint", 0, kReq, kSbatch},
    {"clusters", 'M', kReq},
    {"comment", 0, kReq, kSubmitters, REHEARSE_TEXT(comment)},
    {"compress", 0, kOpt, kSrun},
    {"consolidate-segments", 0, kNo, kSubmitters, not_simulated},  // from 25.05
    {"constraint", 'C', kReq, kSubmitters, REHEARSE_TEXT(constraint)},
    {"container", 0, kReq},
    {"container-id", 0, kReq},  // from 23.02
    {"contiguous", 0, kNo, kSubmitters, REHEARSE_FLAG(contiguous, true)},
    {"core-spec", 'S', kReq, kSubmitters, REHEARSE_COUNT0(core_spec)},
    {"cores-per-socket", 0, kReq, kSubmitters, REHEARSE_COUNT(cores_per_socket)},
    {"cpu-bind", 0, kReq, kSrun},
    {"cpu-freq", 0, kReq},
    {"cpus-per-gpu", 0, kReq, kSubmitters, REHEARSE_COUNT(cpus_per_gpu)},
    {"cpus-per-task", 'c', kReq, kSubmitters, REHEARSE_COUNT(cpus_per_task)},
    {"deadline", 0, kReq, kSubmitters, REHEARSE_TEXT(deadline)},
    {"debugger-test", 0, kNo, kSrun},
    {"delay-boot", 0, kReq},
    {"dependency", 'd', kReq, kSubmitters, submit::dependency},
    {"disable-status", 'X', kNo, kSrun},
    {"distribution", 'm', kReq, kSubmitters, REHEARSE_NAME(distribution)},
    {"epilog", 0, kReq, kSrun},
    {"error", 'e', kReq, kBatchRun},
    {"exact", 0, kNo, kSrun},
    {"exclude", 'x', kReq, kSubmitters, REHEARSE_TEXT(exclude)},
    {"exclusive", 0, kOpt, kSubmitters, submit::exclusive},
    {"export", 0, kReq, kBatchRun},
    {"export-file", 0, kReq, kSbatch},
    {"external-launcher", 0, kOpt, kSrun},  // from 23.11
    {"extra", 0, kReq},                     // from 23.02
    {"extra-node-info", 'B', kReq, kSubmitters, submit::extra_node_info},
    {"get-user-env", 0, kOpt, kBatchAlloc},
    {"gid", 0, kReq},
    {"gpu-bind", 0, kReq},
    {"gpu-freq", 0, kReq},
    {"gpus", 'G', kReq, kSubmitters, submit::gpus},
    {"gpus-per-node", 0, kReq, kSubmitters, submit::gpus_per_node},
    {"gpus-per-socket", 0, kReq, kSubmitters, submit::gpus_per_socket},
    {"gpus-per-task", 0, kReq, kSubmitters, submit::gpus_per_task},
    {"gres", 0, kReq, kSubmitters, submit::gres},
    {"gres-flags", 0, kReq, kSubmitters, submit::gres_flags},
    {"help", 'h', kNo},
    {"het-group", 0, kReq, kSrun},
    {"hint", 0, kReq, kSubmitters, submit::hint},
    {"hold", 'H', kNo, kSubmitters, REHEARSE_FLAG(hold, true)},
    {"ignore-pbs", 0, kNo, kSbatch},
    {"immediate", 'I', kOpt, kAllocRun, not_simulated},
    {"input", 'i', kReq, kBatchRun},
    {"interactive", 0, kNo, kSrun},
    {"job-name", 'J', kReq, kSubmitters, REHEARSE_TEXT(job_name)},
    {"jobid", 0, kReq, kBatchRun},
    {"kill-command", 'K', kOpt, kSalloc},
    {"kill-on-bad-exit", 'K', kOpt, kSrun},
    {"kill-on-invalid-dep", 0, kReq, kSubmitters, submit::kill_on_invalid_dep},
    {"label", 'l', kNo, kSrun},
    {"licenses", 'L', kReq, kSubmitters, REHEARSE_TEXT(licenses)},
    {"mail-type", 0, kReq},
    {"mail-user", 0, kReq},
    {"max-exit-timeout", 0, kReq, kSrun},
    {"max-threads", 0, kReq, kSrun},
    {"mcs-label", 0, kReq},
    {"mem", 0, kReq, kSubmitters, REHEARSE_MEMORY(mem_per_node_mib)},
    {"mem-bind", 0, kReq},
    {"mem-per-cpu", 0, kReq, kSubmitters, REHEARSE_MEMORY(mem_per_cpu_mib)},
    {"mem-per-gpu", 0, kReq, kSubmitters, REHEARSE_MEMORY(mem_per_gpu_mib)},
    {"mincpus", 0, kReq, kSubmitters, REHEARSE_COUNT(min_cpus_per_node)},
    {"mpi", 0, kReq, kSrun},
    {"msg-timeout", 0, kReq, kSrun},
    {"multi-prog", 0, kNo, kSrun},
    {"network", 0, kReq},
    {"nice", 0, kOpt, kSubmitters, submit::nice},
    {"no-allocate", 'Z', kNo, kSrun},
    {"no-bell", 0, kNo, kSalloc},
    {"no-kill", 'k', kOpt, kSubmitters, submit::no_kill},
    {"no-requeue", 0, kNo, kSubmitters, REHEARSE_FLAG(requeue, false)},
    {"no-shell", 0, kNo, kSalloc},
    {"nodefile", 'F', kReq, kSubmitters, not_simulated},
    {"nodelist", 'w', kReq, kSubmitters, REHEARSE_TEXT(nodelist)},
    {"nodes", 'N', kReq, kSubmitters, submit::nodes},
    {"ntasks", 'n', kReq, kSubmitters, submit::ntasks},
    {"ntasks-per-core", 0, kReq, kSubmitters, REHEARSE_COUNT(ntasks_per_core)},
    {"ntasks-per-gpu", 0, kReq, kSubmitters, REHEARSE_COUNT(ntasks_per_gpu)},
    {"ntasks-per-node", 0, kReq, kSubmitters, REHEARSE_COUNT0(ntasks_per_node)},
    {"ntasks-per-socket", 0, kReq, kSubmitters, REHEARSE_COUNT(ntasks_per_socket)},
    {"ntasks-per-tres", 0, kReq, kSubmitters, REHEARSE_COUNT(ntasks_per_gpu)},
    {"oom-kill-step", 0, kOpt},  // from 24.05
    {"open-mode", 0, kReq, kBatchRun},
    {"output", 'o', kReq, kBatchRun},
    {"overcommit", 'O', kNo, kSubmitters, REHEARSE_FLAG(overcommit, true)},
    {"overlap", 0, kNo, kSrun},
    {"oversubscribe", 's', kNo, kSubmitters, submit::oversubscribe},
    {"pack-group", 0, kReq, kSrun},
    {"parsable", 0, kNo, kSbatch},
    {"partition", 'p', kReq, kSubmitters, REHEARSE_TEXT(partition)},
    {"power", 0, kReq},
    {"prefer", 0, kReq, kSubmitters, REHEARSE_TEXT(prefer)},
    {"preserve-env", 'E', kNo, kSrun},
    {"priority", 0, kReq, kSubmitters, submit::priority},
    {"profile", 0, kReq},
    {"prolog", 0, kReq, kSrun},
    {"propagate", 0, kOpt, kBatchRun},
    {"pty", 0, kOpt, kSrun},
    {"qos", 'q', kReq, kSubmitters, REHEARSE_NAME(qos)},
    {"quiet", 'Q', kNo},
    {"quit-on-interrupt", 0, kNo, kSrun},
    {"reboot", 0, kNo, kSubmitters, REHEARSE_FLAG(reboot, true)},
    {"relative", 'r', kReq, kSrun},
    {"requeue", 0, kNo, kSubmitters, REHEARSE_FLAG(requeue, true)},
    {"reservation", 0, kReq, kSubmitters, REHEARSE_TEXT(reservation)},
    {"resv-ports", 0, kOpt, kSrun},
    {"segment", 0, kReq, kSubmitters, not_simulated},  // from 24.05
    {"send-libs", 0, kOpt, kSrun},
    {"share", 0, kNo, kSubmitters, submit::oversubscribe},  // before 15.08
    {"signal", 0, kReq, kSubmitters, submit::signal},
    {"slurmd-debug", 0, kReq, kSrun},
    {"sockets-per-node", 0, kReq, kSubmitters, REHEARSE_COUNT(sockets_per_node)},
    {"spread-job", 0, kNo, kSubmitters, REHEARSE_FLAG(spread_job, true)},
    {"stepmgr", 0, kNo},  // from 24.05
    {"switches", 0, kReq, kSubmitters, submit::switches},
    {"task-epilog", 0, kReq, kSrun},
    {"task-prolog", 0, kReq, kSrun},
    {"tasks-per-node", 0, kReq, kSubmitters, REHEARSE_COUNT0(ntasks_per_node)},
    {"test-only", 0, kNo, kBatchRun},
    {"thread-spec", 0, kReq, kSubmitters, REHEARSE_COUNT0(thread_spec)},
    {"threads", 'T', kReq, kSrun},
    {"threads-per-core", 0, kReq, kSubmitters, REHEARSE_COUNT(threads_per_core)},
    {"time", 't', kReq, kSubmitters, REHEARSE_MINUTES(time_limit)},
    {"time-min", 0, kReq, kSubmitters, REHEARSE_MINUTES(time_min)},
    {"tmp", 0, kReq, kSubmitters, REHEARSE_MEMORY(tmp_mib)},
    {"treewidth", 0, kReq, kSrun},
    {"tres-bind", 0, kReq},                                          // from 23.11
    {"tres-per-task", 0, kReq, kSubmitters, submit::tres_per_task},  // from 23.11
    {"uid", 0, kReq, kSubmitters, REHEARSE_TEXT(user)},
    {"unbuffered", 'u', kNo, kSrun},
    {"usage", 0, kNo},
    {"use-min-nodes", 0, kNo, kSubmitters, REHEARSE_FLAG(use_min_nodes, true)},
    {"verbose", 'v', kNo},
    {"version", 'V', kNo},
    {"wait", 'W', kNo, kSbatch},
    {"wait", 'W', kReq, kAllocRun},
    {"wait-all-nodes", 0, kReq, kBatchAlloc},
    {"wait-for-children", 0, kNo, kSrun},  // from 23.11
    {"wckey", 0, kReq, kSubmitters, REHEARSE_TEXT(wckey)},
    {"workdir", 0, kReq},  // chdir before 17.11
    {"wrap", 0, kReq, kSbatch},
    {"x11", 0, kOpt, kAllocRun},
};
#undef REHEARSE_TEXT
#undef REHEARSE_NAME
#undef REHEARSE_FLAG
#undef REHEARSE_COUNT
#undef REHEARSE_COUNT0
#undef REHEARSE_MEMORY
#undef REHEARSE_MINUTES

}  // namespace

std::span<const SubmitOption> submit_options() {
  return kOptions;
}

FoundOption find_long_option(std::string_view name, Programs programs) {
  FoundOption result;
  for (const SubmitOption& option : kOptions) {
    if ((option.programs & programs) == 0) continue;
    if (option.name == name) return {&option, false};
    if (name.empty() || !option.name.starts_with(name)) continue;
    if (result.option == nullptr) {
      result.option = &option;
    } else if (result.option->name != option.name) {
      result.is_ambiguous = true;
    }
  }
  if (result.is_ambiguous) result.option = nullptr;
  return result;
}

const SubmitOption* find_short_option(char letter, Programs programs) {
  for (const SubmitOption& option : kOptions) {
    if (option.letter == letter && (option.programs & programs) != 0) return &option;
  }
  return nullptr;
}

}  // namespace rehearse
