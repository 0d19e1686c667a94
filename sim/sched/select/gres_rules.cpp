// sim/sched/select/gres_rules.cpp — the thirteen consistency rules of GRES requests (gres.md §2.2,
// §2.3).
#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/sched/cpus_per_gpu.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

using Refusal = std::optional<RequestRefusal>;

RequestRefusal invalid() {
  return {Reason::BadConstraints, "Invalid generic resource (gres) specification", true};
}
RequestRefusal mixed_types() {
  return {Reason::BadConstraints,
          "Invalid GRES specification (with and without type identification)", true};
}
RequestRefusal unsupported() {
  return {Reason::BadConstraints,
          "Requested GRES option unsupported by configured SelectType plugin", true};
}

/// Checks and completes one request; the numbers are those of the rules in gres.md §2.2.
class GresRules {
 public:
  GresRules(const Request& request, const PartitionConf& partition, const SlurmConf& conf,
            const NamePool& names, EffectiveRequest& effective)
      : request_(request), partition_(partition), conf_(conf), names_(names), e_(effective) {}

  Refusal apply() {
    if (Refusal no = copy_entries()) return no;
    if (Refusal no = check_combination()) return no;
    set_defaults();
    fill_tasks();
    for (EffectiveGres& gres : e_.gres) {
      if (Refusal no = check_entry(gres)) return no;
    }
    if (Refusal no = check_ntasks_per_gres()) return no;
    for (EffectiveGres& gres : e_.gres) {
      if (Refusal no = check_task_cpus(gres)) return no;
      if (Refusal no = check_nodes(gres)) return no;
      if (gres.per_job > 0) e_.per_job_gres = true;
    }
    imply_cpus();
    for (const EffectiveGres& gres : e_.gres) count_for_job(gres);
    for (const EffectiveGres& gres : e_.gres) keep_task_cpus(gres);
    return std::nullopt;
  }

 private:
  Refusal copy_entries() {
    for (const GresRequest& asked : request_.gres) {
      const std::string& name = names_.text(asked.name);
      const bool known = std::find(conf_.gres_types.begin(), conf_.gres_types.end(), name) !=
                         conf_.gres_types.end();
      const bool counted = asked.per_job + asked.per_node + asked.per_socket + asked.per_task > 0;
      if (!counted && asked.ntasks_per_gres == 0) continue;  // --gres=gpu:0: no GRES at all
      if (!known) return invalid();
      if (conf_.select_type != SelectType::ConsTres &&
          (asked.per_job + asked.per_socket + asked.per_task + asked.ntasks_per_gres > 0)) {
        return unsupported();
      }
      if (asked.ntasks_per_gres > 0) ntasks_per_gres_ = asked.ntasks_per_gres;
      EffectiveGres gres;
      gres.name = asked.name;
      gres.type = asked.type;
      gres.per_job = asked.per_job;
      gres.per_node = asked.per_node;
      gres.per_socket = asked.per_socket;
      gres.per_task = asked.per_task;
      gres.is_gpu = name == "gpu";
      gres.is_shared = name == "mps" || name == "shard";
      if (gres.is_gpu) gpu_name_ = asked.name;
      if (counted) e_.gres.push_back(gres);
    }
    return std::nullopt;
  }

  /// Rules 10, 11, 13.
  Refusal check_combination() {
    bool gpu = false;
    bool shared = false;
    for (const EffectiveGres& gres : e_.gres) {
      gpu = gpu || gres.is_gpu;
      shared = shared || gres.is_shared;
      for (const EffectiveGres& other : e_.gres) {
        if (other.name == gres.name && (other.type == kNoName) != (gres.type == kNoName)) {
          return mixed_types();
        }
      }
    }
    if (gpu && shared) return invalid();
    if (request_.memory_mode == MemoryMode::PerGpu && !gpu && ntasks_per_gres_ == 0) {
      return invalid();
    }
    // sbatch asks these two itself.
    if (request_.cpus_per_gpu > 0 && request_.cpus_per_task) return invalid();
    if (ntasks_per_gres_ > 0 && request_.ntasks_per_node > 0) {
      return RequestRefusal{Reason::BadConstraints,
                            "--ntasks-per-node is mutually exclusive with --ntasks-per-gpu", true};
    }
    if (request_.cpus_per_gpu > 0 && conf_.select_type != SelectType::ConsTres) {
      return unsupported();
    }
    return std::nullopt;
  }

  /// By GPU; 0: none, or switched off by what the user asks for.
  [[nodiscard]] std::uint64_t default_cpus() const {
    return request_.cpus_per_gpu > 0 ? 0 : partitions_cpus();
  }
  [[nodiscard]] bool takes_sockets() const {
    const auto& used = partition_.select_type_parameters.value_or(conf_.select_type_parameters);
    return used.unit == ConsumableUnit::Socket;
  }
  [[nodiscard]] std::uint64_t partitions_cpus() const {
    if (request_.cpus_per_task) return 0;
    return partition_.def_cpu_per_gpu.value_or(conf_.def_cpu_per_gpu.value_or(0));
  }

  /// §2.3: only for gpu; a user's --cpus-per-task, --ntasks-per-gpu or memory option switches each
  /// off.
  void set_defaults() {
    std::uint64_t cpus = request_.cpus_per_gpu;
    e_.cpus_per_gpu_asked = cpus > 0;
    std::uint64_t beside = cpus;
    const std::uint64_t here = ntasks_per_gres_ == 0 ? default_cpus() : 0;
    beside = std::max(beside, here);
    const bool keeps =
        request_.kept_cpus_per_gpu.value_or(kKeepsNoCpusPerGpu) != kKeepsNoCpusPerGpu;
    const std::uint64_t kept =
        std::max<std::uint64_t>(cpus, keeps ? *request_.kept_cpus_per_gpu : here);
    std::uint64_t memory = request_.memory_mode == MemoryMode::PerGpu ? request_.memory_mib : 0;
    if (request_.memory_mode == MemoryMode::None) {
      memory = partition_.def_mem_per_gpu_mib.value_or(conf_.def_mem_per_gpu_mib.value_or(0));
    }
    for (EffectiveGres& gres : e_.gres) {
      if (!gres.is_gpu) continue;
      // Of tasks that bring GPUs only the job's CPUs are those of its first partition.
      const std::uint64_t each = gres.per_task > 0 ? beside : kept;
      gres.cpus_for_job_alone =
          request_.cpus_per_gpu > 0 && gres.per_task > 0 && gres.type != kNoName;
      gres.cpus_per_gres = static_cast<std::uint32_t>(each);
      // Of GPUs that bring tasks those that stay are needed, and of whole sockets.
      const bool are_needed = ntasks_per_gres_ > 0 || takes_sockets();
      gres.cpus_beside = static_cast<std::uint32_t>(std::max(beside, are_needed ? each : 0));
      if (gres.cpus_for_job_alone && e_.num_tasks == 1) {  // what the task needs, if that is less
        const std::uint64_t of_task = std::max<std::uint64_t>(partitions_cpus(), 1);
        gres.cpus_beside = static_cast<std::uint32_t>(std::min(of_task, each));
      }
      gres.mem_per_gres_mib = memory;
      if (memory == 0) continue;
      e_.memory_mode = MemoryMode::PerGpu;
      e_.memory_mib = memory;
    }
  }

  /// Tasks that follow from a fixed node count, where none was given.
  void fill_tasks() {
    const bool per_task = std::any_of(e_.gres.begin(), e_.gres.end(),
                                      [](const EffectiveGres& gres) { return gres.per_task > 0; });
    const bool gpus_counted =
        std::any_of(e_.gres.begin(), e_.gres.end(),
                    [](const EffectiveGres& gres) { return gres.per_job + gres.per_node > 0; });
    if (!per_task && (ntasks_per_gres_ == 0 || gpus_counted)) return;
    if (e_.num_tasks != 0 || e_.max_nodes != e_.min_nodes) return;
    if (ntasks_per_gres_ > 0) {
      e_.num_tasks = e_.min_nodes * static_cast<std::uint32_t>(ntasks_per_gres_);
    } else if (e_.ntasks_per_node > 0) {
      e_.num_tasks = e_.min_nodes * e_.ntasks_per_node;
    } else if (!request_.cpus_per_task) {
      e_.num_tasks = e_.min_nodes;
    }
  }

  static bool divides(std::uint64_t part, std::uint64_t whole) {
    return part > 0 && whole % part == 0;
  }

  /// Rules 1 to 6, and 12.
  Refusal check_entry(EffectiveGres& gres) {
    const auto below = [](std::uint64_t whole, std::uint64_t part) {
      return whole > 0 && part > 0 && whole < part;
    };
    if (below(gres.per_job, gres.per_node) || below(gres.per_job, gres.per_socket) ||
        below(gres.per_job, gres.per_task) || below(gres.per_node, gres.per_socket) ||
        below(gres.per_node, gres.per_task)) {
      return invalid();
    }
    if (gres.per_socket > 0 && e_.sockets_per_node == 0) return invalid();
    if (gres.per_job > 0 && gres.per_node > 0 && !fix_nodes(gres)) return invalid();
    if (gres.per_node > 0 && gres.per_socket > 0) {
      if (!divides(gres.per_socket, gres.per_node) ||
          gres.per_node / gres.per_socket != e_.sockets_per_node) {
        return invalid();
      }
    }
    if (gres.is_shared) {
      if (gres.per_job > 0 && e_.max_nodes != 1U) return invalid();
      if (gres.per_socket > 0 && e_.sockets_per_node != 1) return invalid();
      if (gres.per_task > 0 && e_.num_tasks != 1) return invalid();
    }
    if (gres.per_task > 0 && !fix_tasks(gres)) return invalid();
    // Rule 1 once more: sockets of one node alone have more than the job.
    if (below(gres.per_job, gres.per_socket * e_.sockets_per_node)) return invalid();
    return std::nullopt;
  }

  /// Rule 3.
  bool fix_nodes(const EffectiveGres& gres) {
    if (!divides(gres.per_node, gres.per_job)) return false;
    const auto nodes = static_cast<std::uint32_t>(gres.per_job / gres.per_node);
    if (nodes < e_.min_nodes || (e_.max_nodes && nodes > *e_.max_nodes)) return false;
    e_.min_nodes = nodes;
    e_.max_nodes = nodes;
    return true;
  }

  /// Rules 5 and 6.
  bool fix_tasks(EffectiveGres& gres) {
    if (request_.tasks_by_range) e_.num_tasks = 0;
    if (gres.per_job > 0) {
      if (!divides(gres.per_task, gres.per_job)) return false;
      const auto tasks = static_cast<std::uint32_t>(gres.per_job / gres.per_task);
      if (e_.num_tasks != 0 && e_.num_tasks != tasks) return false;
      e_.num_tasks = tasks;
      raise_cpus();
    } else if (e_.num_tasks > 0) {
      gres.per_job = e_.num_tasks * gres.per_task;
      if (gres.per_job < gres.per_node) return false;
    } else {
      return false;
    }
    if (gres.per_node > 0) {
      if (!divides(gres.per_task, gres.per_node)) return false;
      const auto tasks = static_cast<std::uint16_t>(gres.per_node / gres.per_task);
      if (e_.ntasks_per_node != 0 && e_.ntasks_per_node != tasks) return false;
      e_.ntasks_per_node = tasks;
    }
    if (gres.per_socket > 0) {
      if (!divides(gres.per_task, gres.per_socket)) return false;
      const auto tasks = static_cast<std::uint16_t>(gres.per_socket / gres.per_task);
      if (e_.ntasks_per_socket != 0 && e_.ntasks_per_socket != tasks) return false;
      e_.ntasks_per_socket = tasks;
    }
    return true;
  }

  /// Rule 7.
  Refusal check_ntasks_per_gres() {
    if (ntasks_per_gres_ == 0) return std::nullopt;
    e_.ntasks_per_gpu = static_cast<std::uint16_t>(ntasks_per_gres_);
    std::uint64_t gpus = 0;
    for (const EffectiveGres& gres : e_.gres) {
      if (!gres.is_gpu) continue;
      gpus += gres.per_job > 0 ? gres.per_job : gres.per_node * e_.min_nodes;
    }
    if (gpus > 0) {
      const auto tasks = static_cast<std::uint32_t>(gpus * ntasks_per_gres_);
      if (e_.num_tasks != 0 && e_.num_tasks % ntasks_per_gres_ != 0) return invalid();
      e_.num_tasks = tasks;
      raise_cpus();
      share_tasks();
      return std::nullopt;
    }
    if (e_.num_tasks == 0 || e_.num_tasks % ntasks_per_gres_ != 0) return invalid();
    EffectiveGres gres;
    gres.name = gpu_name_;
    gres.is_gpu = true;
    gres.per_job = e_.num_tasks / ntasks_per_gres_;
    e_.gres.push_back(gres);
    set_defaults();
    share_tasks();
    return std::nullopt;
  }

  /// Slurm: tasks that GPUs count ask for CPUs only where they are more than the CPUs that were
  /// asked for without them, by -c alone (§2.2 rule 7).
  void raise_cpus() {
    if (e_.num_tasks > e_.min_cpus) e_.min_cpus = e_.num_tasks * e_.cpus_per_task;
  }

  /// Tasks by GPU over a fixed number of nodes are as many on each, and find no place if these have
  /// not the CPUs that the job needs. Of GPUs of the job the default counts, for the job alone
  /// (§2.4).
  void share_tasks() {
    const std::uint64_t of_job = std::accumulate(
        e_.gres.begin(), e_.gres.end(), std::uint64_t{0},
        [](std::uint64_t sum, const EffectiveGres& gres) { return sum + gres.per_job; });
    if (e_.max_nodes == e_.min_nodes) {
      const std::uint32_t on_all = e_.num_tasks / e_.min_nodes * e_.min_nodes;
      e_.tasks_part_unevenly = on_all * e_.cpus_per_task < e_.min_cpus && !e_.cpus_per_gpu_asked;
      e_.gives_for_all_tasks = e_.min_nodes > 1;
    }
    if (of_job == 0) return;
    default_cpus_of_job_ = static_cast<std::uint32_t>(of_job * default_cpus());
    e_.least_given = static_cast<std::uint32_t>(default_cpus());
  }

  /// Those of tasks that bring GPUs by the default of the partition named first: no more than here,
  /// where there is a default (§2.3).
  void keep_task_cpus(const EffectiveGres& gres) {
    if (gres.per_task == 0 || !request_.kept_cpus_per_gpu) return;
    const std::uint32_t tasks = std::max(e_.num_tasks, e_.ntasks_per_node * e_.min_nodes);
    const std::uint64_t each =
        std::max<std::uint64_t>(gres.per_task * *request_.kept_cpus_per_gpu, 1);
    const auto kept = static_cast<std::uint32_t>(tasks * each);
    e_.min_cpus =
        gres.cpus_per_gres > 0 ? std::min(e_.min_cpus, kept) : std::max(e_.min_cpus, kept);
    e_.pn_min_cpus = std::min(e_.pn_min_cpus, e_.min_cpus);
  }

  /// Rule 8: tasks that bring GPUs bring those GPUs' CPUs.
  Refusal check_task_cpus(const EffectiveGres& gres) {
    const std::uint64_t by_gpu = gres.cpus_for_job_alone ? partitions_cpus() : gres.cpus_per_gres;
    if (gres.per_task == 0 || by_gpu == 0) return std::nullopt;
    const auto cpus = static_cast<std::uint32_t>(gres.per_task * by_gpu);
    if (request_.cpus_per_task && *request_.cpus_per_task != cpus) return invalid();
    e_.tasks_bring_cpus = !request_.cpus_per_task;
    e_.cpus_per_task = std::max(e_.cpus_per_task, cpus);
    if (e_.cpus_per_gpu_asked) e_.pn_min_cpus = std::max(e_.pn_min_cpus, e_.cpus_per_task);
    e_.min_cpus = std::max(e_.min_cpus, e_.num_tasks * e_.cpus_per_task);
    return std::nullopt;
  }

  /// Of one task whole multiples of what it needs; fewer than that as they are.
  void count_for_job(const EffectiveGres& gres) {
    if (!gres.cpus_for_job_alone) return;
    auto cpus = static_cast<std::uint32_t>(gres.per_job * gres.cpus_per_gres);
    if (e_.num_tasks == 1 && cpus > e_.cpus_per_task) cpus -= cpus % e_.cpus_per_task;
    e_.min_cpus = cpus;
    e_.pn_min_cpus = std::min(e_.pn_min_cpus, e_.cpus_per_task);
  }

  /// Rule 9: each node must contribute at least one.
  Refusal check_nodes(const EffectiveGres& gres) {
    if (gres.per_job == 0) return std::nullopt;
    if (gres.per_job < e_.min_nodes) return invalid();
    if (e_.max_nodes && gres.per_job < *e_.max_nodes) {
      e_.max_nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(gres.per_job, UINT32_MAX));
    }
    return std::nullopt;
  }

  /// §2.4: CPUs that GPUs bring, by node and for the job; several types of one name add up, but
  /// where the tasks of one node are counted: the last one's are the job's then.
  void imply_cpus() {
    const auto brings = [](const EffectiveGres& gres) { return gres.cpus_per_gres > 0; };
    e_.last_type_counts = e_.max_nodes == 1U && e_.num_tasks + e_.ntasks_per_node > 0 &&
                          ntasks_per_gres_ == 0 &&
                          std::count_if(e_.gres.begin(), e_.gres.end(), brings) > 1;
    std::uint64_t per_node = 0;
    std::uint64_t per_job = 0;
    std::uint64_t spare = 0;
    for (const EffectiveGres& gres : e_.gres) {
      if (gres.cpus_per_gres == 0) continue;
      std::uint64_t on_node = gres.per_node;
      if (on_node == 0) on_node = gres.per_socket * e_.sockets_per_node;
      if (on_node == 0) on_node = gres.per_task * std::max<std::uint16_t>(e_.ntasks_per_node, 1);
      const std::uint64_t in_all = gres.per_job > 0 ? gres.per_job : on_node * e_.min_nodes;
      const bool counts = gres.per_task == 0 || e_.cpus_per_gpu_asked || e_.ntasks_per_node > 0;
      if (e_.last_type_counts) per_node = per_job = spare = 0;
      if (counts) per_node += std::max<std::uint64_t>(on_node, 1) * gres.cpus_needed();
      per_job += in_all * gres.cpus_per_gres;
      const bool by_socket = gres.per_socket > 0 && gres.per_job == 0;
      spare += in_all * (gres.cpus_per_gres - (by_socket ? 0 : gres.cpus_needed()));
    }
    e_.pn_min_cpus = std::max(e_.pn_min_cpus, static_cast<std::uint32_t>(per_node));
    const std::uint32_t needed = std::max(e_.min_cpus, static_cast<std::uint32_t>(per_job - spare));
    e_.min_cpus = std::max(e_.min_cpus, static_cast<std::uint32_t>(per_job));
    e_.min_cpus = std::max(e_.min_cpus, default_cpus_of_job_);
    e_.spare_cpus = e_.min_cpus - needed;
  }

  const Request& request_;
  const PartitionConf& partition_;
  const SlurmConf& conf_;
  const NamePool& names_;
  EffectiveRequest& e_;
  std::uint64_t ntasks_per_gres_ = 0;
  NameId gpu_name_ = kNoName;
  std::uint32_t default_cpus_of_job_ = 0;  // of GPUs that bring tasks
};

}  // namespace

std::optional<RequestRefusal> apply_gres_rules(const Request& request,
                                               const PartitionConf& partition,
                                               const SlurmConf& conf, const NamePool& names,
                                               EffectiveRequest& effective) {
  if (request.gres.empty() && request.memory_mode != MemoryMode::PerGpu) return std::nullopt;
  return GresRules{request, partition, conf, names, effective}.apply();
}

}  // namespace rehearse
