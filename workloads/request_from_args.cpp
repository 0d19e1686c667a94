// workloads/request_from_args.cpp — nodes, tasks and CPUs as the client counts them; GRES as it
// sends.
#include "workloads/request_from_args.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cluster/license_text.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kMostCpus = 0xfffffff0ULL;

std::uint32_t product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(std::min(a * b, kMostCpus));
}

std::uint16_t narrow(std::optional<std::uint32_t> value) {
  constexpr std::uint32_t kMost = 0xfffd;  // Slurm's 16-bit numbers; the two above have a meaning
  return static_cast<std::uint16_t>(std::min(value.value_or(0), kMost));
}

std::vector<NameId> host_names(const std::string& text, std::string_view option, NamePool& names,
                               Diagnostics& found) {
  if (text.empty()) return {};
  const HostlistResult list = expand_hostlist(text);
  if (!list.error.empty()) found.error({}, fmt::format("{}{}: {}", option, text, list.error));
  std::vector<NameId> hosts;
  for (const std::string& host : list.hosts) {
    const NameId id = names.intern(host);
    if (std::find(hosts.begin(), hosts.end(), id) == hosts.end()) hosts.push_back(id);
  }
  return hosts;
}

/// `-N 2-4`.
bool is_range(const SbatchArgs& args) {
  return args.nodes && args.nodes->max.value_or(args.nodes->min) != args.nodes->min;
}

/// One task for each socket, core or thread that is asked for of a fixed number of nodes, or by -B;
/// none: the options do not tell.
std::optional<std::uint32_t> tasks_of_parts(const SbatchArgs& args, std::uint32_t nodes) {
  const bool is_fixed = args.nodes && !is_range(args);
  if (!is_fixed && !args.extra_node_info) return std::nullopt;
  if (!args.sockets_per_node && !args.cores_per_socket && !args.threads_per_core) {
    return std::nullopt;
  }
  const std::uint32_t cores =
      product(args.sockets_per_node.value_or(1), args.cores_per_socket.value_or(1));
  return product(product(nodes, cores), args.threads_per_core.value_or(1));
}

/// Nodes, tasks and CPUs: the table of scheduling.md §5.6.
void count(const SbatchArgs& args, Request& request) {
  const std::uint32_t cpus_per_task = args.cpus_per_task.value_or(1);
  const auto listed = static_cast<std::uint32_t>(request.required_nodes.size());
  if (args.nodes) {
    request.min_nodes = std::max(args.nodes->min, listed);
    request.max_nodes = args.nodes->max.value_or(args.nodes->min);  // -N a is a-a
    if (request.max_nodes) request.max_nodes = std::max(*request.max_nodes, listed);
  } else {
    request.min_nodes = std::max(1U, listed);
  }
  request.num_tasks = args.ntasks;
  if (!args.ntasks && args.ntasks_per_node) {
    request.num_tasks = product(request.min_nodes, *args.ntasks_per_node);
    request.tasks_by_range = request.max_nodes && *request.max_nodes != request.min_nodes;
  } else if (!args.ntasks) {
    request.num_tasks = tasks_of_parts(args, request.min_nodes);
  }
  if (args.ntasks && args.nodes) {  // fewer tasks than nodes: fewer nodes
    const std::uint32_t tasks = std::max(*args.ntasks, 1U);
    request.min_nodes = std::max(std::min(request.min_nodes, tasks), listed);
    if (request.max_nodes)
      request.max_nodes = std::max(std::min(*request.max_nodes, tasks), listed);
  }
  // Without a task count there is taken to be one a node, of a range of nodes a single one.
  const std::uint32_t tasks = request.num_tasks.value_or(is_range(args) ? 1 : request.min_nodes);
  request.min_cpus = product(tasks, cpus_per_task);
  if (args.overcommit) request.min_cpus = std::max(request.min_nodes, 1U);  // one CPU a node
  if (args.cpus_per_task) request.cpus_per_task = narrow(args.cpus_per_task);
  request.pn_min_cpus = std::max({1U, cpus_per_task, args.min_cpus_per_node.value_or(1)});
  if (args.ntasks_per_node && tasks > 1) {
    request.pn_min_cpus =
        std::max(request.pn_min_cpus, product(cpus_per_task, *args.ntasks_per_node));
  }
}

enum class Per : std::uint8_t { Job, Node, Socket, Task };

std::uint64_t& field(GresRequest& gres, Per per) {
  switch (per) {
    case Per::Job:
      return gres.per_job;
    case Per::Node:
      return gres.per_node;
    case Per::Socket:
      return gres.per_socket;
    case Per::Task:
      break;
  }
  return gres.per_task;
}

void add_gres(const std::vector<GresSpec>& specs, Per per, NamePool& names, Request& request) {
  for (const GresSpec& spec : specs) {
    if (spec.count == 0 || equals_ignoring_case(spec.name, "none")) continue;  // gres.md §2.1
    const NameId name = names.intern(spec.name);
    const NameId type = spec.type.empty() ? kNoName : names.intern(spec.type);
    auto& list = request.gres;
    auto at = std::find_if(list.begin(), list.end(), [&](const GresRequest& gres) {
      return gres.name == name && gres.type == type;
    });
    if (at == list.end()) {
      list.push_back({});
      at = list.end() - 1;
      at->name = name;
      at->type = type;
    }
    field(*at, per) = spec.count;  // the later text replaces the earlier
  }
}

void request_gres(const SbatchArgs& args, NamePool& names, Request& request) {
  add_gres(args.gres, Per::Node, names, request);
  add_gres(args.gpus, Per::Job, names, request);
  add_gres(args.gpus_per_socket, Per::Socket, names, request);
  add_gres(args.gpus_per_task, Per::Task, names, request);
  if (!args.ntasks_per_gpu) return;
  const NameId gpu = names.intern("gpu");
  bool has_gpu = false;
  for (GresRequest& gres : request.gres) {
    if (gres.name != gpu) continue;
    gres.ntasks_per_gres = *args.ntasks_per_gpu;
    has_gpu = true;
  }
  if (has_gpu) return;
  GresRequest gres;  // the server makes the count from the tasks (gres.md §2.2)
  gres.name = gpu;
  gres.ntasks_per_gres = *args.ntasks_per_gpu;
  request.gres.push_back(gres);
}

/// Tasks that follow from GPUs ask for CPUs where they are more than the CPUs without them
/// (gres.md §2.2 rule 7).
void count_tasks_of_gpus(const SbatchArgs& args, NamePool& names, Request& request) {
  const std::uint64_t by_gpu = args.ntasks_per_gpu.value_or(0);
  const NameId gpu = names.intern("gpu");
  std::uint64_t tasks = 0;
  for (const GresRequest& gres : request.gres) {
    if (gres.per_task > 0 && gres.per_job > 0) tasks = gres.per_job / gres.per_task;
    if (by_gpu == 0 || gres.name != gpu) continue;
    tasks += by_gpu * (gres.per_job > 0 ? gres.per_job : gres.per_node * request.min_nodes);
  }
  if (tasks <= request.min_cpus || args.overcommit) return;
  request.min_cpus = product(tasks, args.cpus_per_task.value_or(1));
}

void request_memory(const SbatchArgs& args, Request& request) {
  const auto set = [&](MemoryMode mode, std::uint64_t mib) {
    request.memory_mode = mode;
    request.memory_mib = mib;
  };
  if (args.mem_per_node_mib) set(MemoryMode::PerNode, *args.mem_per_node_mib);
  if (args.mem_per_cpu_mib) set(MemoryMode::PerCpu, *args.mem_per_cpu_mib);
  if (args.mem_per_gpu_mib) set(MemoryMode::PerGpu, *args.mem_per_gpu_mib);
  request.tmp_disk_mib = args.tmp_mib.value_or(0);
}

void request_licenses(const std::string& text, NamePool& names, Request& request,
                      Diagnostics& found) {
  LicenseList list = parse_licenses(text, names);
  request.licenses = std::move(list.licenses);
  request.any_license = list.any;
  if (list.wrong.empty()) return;
  found.error({}, fmt::format("--licenses={}: '{}' is not a count", text, list.wrong),
              "write name:count");
}

/// `nodes:sockets:cores`, of which the second tells how sockets give cores; so does plane=SIZE.
CoreDistribution core_distribution(const std::string& text) {
  const std::string asked = to_lower(text);
  if (asked.starts_with("plane")) return CoreDistribution::Block;
  const std::size_t colon = asked.find(':');
  if (colon == std::string::npos) return CoreDistribution::Default;
  const std::string sockets =
      asked.substr(colon + 1, asked.find_first_of(":,", colon + 1) - colon - 1);
  if (sockets == "block") return CoreDistribution::Block;
  return sockets == "cyclic" || sockets == "fcyclic" ? CoreDistribution::Cyclic
                                                     : CoreDistribution::Default;
}

void request_layout(const SbatchArgs& args, Request& request) {
  request.ntasks_per_node = narrow(args.ntasks_per_node);
  request.ntasks_per_socket = narrow(args.ntasks_per_socket);
  request.ntasks_per_core = narrow(args.ntasks_per_core);
  request.sockets_per_node = narrow(args.sockets_per_node);
  request.cores_per_socket = narrow(args.cores_per_socket);
  request.threads_per_core = narrow(args.threads_per_core);
  request.nomultithread = args.hint_nomultithread.value_or(false);
  request.oversubscribe = args.oversubscribe;
  request.overcommit = args.overcommit;
  request.contiguous = args.contiguous;
  request.spread = args.spread_job;
  request.use_min_nodes = args.use_min_nodes;
  request.enforce_binding = args.enforce_binding;
  request.reboot = args.reboot;
  request.distribution = core_distribution(args.distribution);
  request.switches = args.switches;
  request.switches_wait = args.switches_wait.value_or(kUnlimited);
  if (args.core_spec) request.core_spec = narrow(args.core_spec);
  request.cpus_per_gpu = args.cpus_per_gpu.value_or(0);
}

}  // namespace

Request make_request(const SbatchArgs& args, NamePool& names, Diagnostics& found) {
  Request request;
  request.required_nodes = host_names(args.nodelist, "--nodelist=", names, found);
  request.excluded_nodes = host_names(args.exclude, "--exclude=", names, found);
  count(args, request);
  request_gres(args, names, request);
  count_tasks_of_gpus(args, names, request);
  request_memory(args, request);
  request_licenses(args.licenses, names, request, found);
  request_layout(args, request);
  if (args.thread_spec) {
    found.warning({}, "--thread-spec is not simulated: the threads stay usable");
  }
  switch (args.exclusive) {
    case ExclusiveMode::None:
      break;
    case ExclusiveMode::Exclusive:
      request.exclusive = ExclusiveRequest::Exclusive;
      break;
    case ExclusiveMode::User:
      request.exclusive = ExclusiveRequest::User;
      break;
    case ExclusiveMode::Mcs:
      request.exclusive = ExclusiveRequest::Mcs;
      break;
  }
  if (!args.constraint.empty()) request.features = names.intern(args.constraint);
  if (!args.prefer.empty()) request.prefer = names.intern(args.prefer);
  return request;
}

}  // namespace rehearse
