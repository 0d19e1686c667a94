// sim/sched/select/choose.cpp — what a node gives when it is taken.
#include "sim/sched/select/choose.hpp"

#include <algorithm>

namespace rehearse {
namespace {

/// What a node was cut to for the CPUs of these GPUs is all that it has in later attempts too; but
/// where only the default says how many CPUs, and their tasks are of an open number (gres.md §3.2).
bool outlasts_the_attempt(const Scene& scene, const Offers& offers, const EffectiveGres& gres) {
  const EffectiveRequest& request = scene.request;
  if (gres.cpus_per_gres == 0 || offers.nodes.empty()) return false;
  if (request.cpus_per_gpu_asked || gres.per_task > 0) return true;
  const std::uint64_t gpus = std::max(gres.per_job, gres.per_node * request.min_nodes);
  const std::uint64_t cpus = std::uint64_t{request.num_tasks} * request.cpus_per_task;
  if (cpus <= gpus * gres.cpus_per_gres) return true;
  return tasks_on_node(scene, scene.nodes[offers.nodes[0].node]).max.has_value();
}

/// Of such a job a node for which no CPUs are left gives nothing (gres.md §2.3).
bool has_own_cpus_of_open_tasks(const Scene& scene, const OfferedNode& node) {
  return has_cpus_for_job_alone(scene.request) && !tasks_on_node(scene, scene.nodes[node.node]).max;
}

/// pack_serial_at_end with --gpus and --cpus-per-gpu: behind the first node each gives the CPUs of
/// one GPU, and so that one (scheduling.md §6.4 rule 4).
bool gives_one_gpu(const Progress& progress) {
  const EffectiveRequest& request = progress.scene.request;
  return progress.wish.serial_at_end && request.cpus_per_gpu_asked && request.per_job_gres &&
         !progress.taken.empty();
}

}  // namespace

Progress::Progress(const Scene& scene_in, Offers& offers_in, const Wish& wish_in,
                   bool first_attempt)
    : scene(scene_in),
      offers(offers_in),
      wish(wish_in),
      first_(first_attempt),
      open_(offers_in.nodes.size(), 1) {
  const EffectiveRequest& request = scene.request;
  // With --gpus fewer nodes are tried first (gres.md §3.2).
  nodes_wanted = request.per_job_gres ? std::min(wish.min_nodes, wish.req_nodes)
                                      : std::max(wish.min_nodes, wish.req_nodes);
  nodes_least = wish.min_nodes;
  nodes_allowed = wish.max_nodes;
  cpus_wanted = request.overcommit ? std::int64_t{wish.min_nodes} : request.min_cpus;
  budget_ = request.max_cpus ? *request.max_cpus : cpus_wanted;
  if (!request.overcommit) cpus_wanted -= request.spare_cpus;
  const auto usual =
      static_cast<std::size_t>(std::max({nodes_least, nodes_wanted, std::int64_t{1}}));
  taken.reserve(std::min(offers.nodes.size(), usual));
  units_left_.reserve(request.gres.size());
  for (const EffectiveGres& gres : request.gres) {
    units_left_.push_back(static_cast<std::int64_t>(gres.per_job));
    ties_cpus_ = ties_cpus_ || outlasts_the_attempt(scene, offers, gres);
  }
}

bool Progress::gres_covered() const {
  return std::all_of(units_left_.begin(), units_left_.end(),
                     [](std::int64_t left) { return left <= 0; });
}

std::uint64_t Progress::units_of(std::uint32_t offer, std::size_t gres) const {
  const GresOffer& own = offers.gres[offers.of(offers.nodes[offer]).gres_at + gres];
  // Those beside no free core count too, but for tasks that bring theirs (gres.md §3.2).
  const bool nearby = first_ && scene.request.gres[gres].per_task > 0;
  const std::uint64_t units = nearby || scene.request.enforce_binding ? own.near : own.ceiling;
  const std::uint64_t each = scene.request.gres[gres].cpus_needed();
  const std::uint32_t serving = offers.nodes[offer].serving;
  return first_ || each == 0 || serving == UINT32_MAX ? units : std::min(units, serving / each);
}

bool Progress::has_units(std::uint32_t offer) const {
  for (std::size_t i = 0; i < units_left_.size(); ++i) {
    if (units_left_[i] > 0 && units_of(offer, i) < static_cast<std::uint64_t>(units_left_[i])) {
      return false;
    }
  }
  return true;
}

std::int64_t Progress::cpus_left_for(const OfferedNode& node) const {
  if (gives_one_gpu(*this)) return 0;
  return budget_ - std::max<std::int64_t>(nodes_least - 1, 0) * cpus_of_unit(node);
}

std::int64_t Progress::cpus_of_unit(const OfferedNode& node) const {
  const std::int64_t of_core = offers.of(node).cpus_per_core;
  const bool by_socket = scene.unit == ConsumableUnit::Socket;
  return by_socket ? of_core * scene.nodes[node.node].cores_per_socket : of_core;
}

std::uint32_t Progress::cpus_to_use(const OfferedNode& node, std::uint32_t capacity,
                                    const std::vector<std::uint64_t>& units) const {
  const EffectiveRequest& request = scene.request;
  if (request.whole_nodes || scene.has_own_cpus) return capacity;
  if (request.gives_for_all_tasks && !request.cpus_per_gpu_asked) return capacity;
  const std::int64_t left = cpus_left_for(node);
  if (capacity <= left) return capacity;
  // Above MaxCPUsPerNode if need be (scheduling.md §6.2).
  std::int64_t least = std::max(request.pn_min_cpus, std::min(request.least_given, capacity));
  // The CPUs of its GPUs, but where these are for tasks.
  if (request.cpus_per_gpu_asked && request.ntasks_per_gpu == 0) {
    least = std::max(least, std::min<std::int64_t>(cpus_of_units(units), capacity));
  }
  return static_cast<std::uint32_t>(std::max(left, least));
}

/// That the GPUs of a node bring, but those that are for its tasks.
std::int64_t Progress::cpus_of_units(const std::vector<std::uint64_t>& units) const {
  std::uint64_t cpus = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const EffectiveGres& gres = scene.request.gres[i];
    if (gres.per_task == 0 || gres.cpus_for_job_alone) cpus += units[i] * gres.cpus_per_gres;
  }
  return static_cast<std::int64_t>(cpus);
}

/// What goes off the missing CPUs. Of --gpus with --cpus-per-gpu that is no more than all GPUs that
/// are free on the node bring, and of whole ones (gres.md §3.2).
std::uint32_t Progress::cpus_that_count(const TakenNode& node) const {
  const EffectiveRequest& request = scene.request;
  if (!request.cpus_per_gpu_asked || !request.per_job_gres) return node.cpus;
  const std::size_t first = offers.of(offers.nodes[node.offer]).gres_at;
  std::uint64_t brought = 0;
  std::uint64_t each = 0;
  for (std::size_t i = 0; i < request.gres.size(); ++i) {
    const EffectiveGres& gres = request.gres[i];
    if (gres.per_task > 0) return node.cpus;
    brought += offers.gres[first + i].total * gres.cpus_per_gres;
    each = std::max<std::uint64_t>(each, gres.cpus_per_gres);
  }
  if (each == 0) return node.cpus;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(node.cpus, brought) / each * each);
}

/// What the node counts for with these of its cores, in whole tasks.
std::uint32_t Progress::cpus_of(const OfferedNode& node, const CoreSet& cores) const {
  const NodeOffer& offer = offers.of(node);
  const auto count = static_cast<std::uint32_t>(cores.count());
  const std::uint32_t own = offer.cores_per_task;  // of which each core has its share (§6.2)
  const std::uint32_t there =
      own > 0 ? (count * scene.request.cpus_per_task + own - 1) / own
              : count * gpus_cpus_per_core(scene.request, scene.nodes[node.node], offer);
  const bool in_tasks = !scene.request.overcommit && !has_cpus_for_job_alone(scene.request);
  const std::uint32_t task = in_tasks ? scene.request.cpus_per_task : 1;
  const std::uint32_t left = there - std::min<std::uint32_t>(there, offer.missing_cpus);
  return std::min({node.cpus, there / task * task, left});
}

/// Of a job with GRES whose tasks on the node are known --mincpus, and what MaxMemPerCPU makes of
/// its memory, do not count (gres.md §3.3).
std::uint32_t Progress::cpus_of_tasks(std::uint32_t at) const {
  const EffectiveRequest& request = scene.request;
  if (request.whole_nodes || request.overcommit || request.pn_min_cpus <= 1) return UINT32_MAX;
  if (brings_cpus(request)) return UINT32_MAX;  // they are for the devices
  const NodeTasks tasks = tasks_on_node(scene, scene.nodes[offers.nodes[at].node]);
  if (!tasks.max) return UINT32_MAX;
  const std::uint32_t need = *tasks.max * request.cpus_per_task;
  const std::uint32_t each = offers.of(offers.nodes[at]).cpus_per_core;
  return request.pn_min_cpus > need ? (need + each - 1) / each * each : UINT32_MAX;
}

/// All threads of the cores that are left beside its GPUs, where tasks leave some idle, but no more
/// CPUs than the node had with the cores of all sockets (gres.md §3.2).
std::uint32_t Progress::counted_cpus(const OfferedNode& node, const CoreSet& cores) const {
  if (!counts_idle_threads(scene.request, scene.nodes[node.node], offers.of(node))) {
    return cpus_of(node, cores);
  }
  const std::uint32_t threads = scene.nodes[node.node].cpus_per_core;
  return std::min(node.cpus, static_cast<std::uint32_t>(cores.count()) * threads);
}

/// What the node counts for beside others: of tasks whose number on it is known their CPUs, not
/// all threads of the last core (gres.md §3.2).
std::uint32_t Progress::cpus_that_fit(const OfferedNode& node, const CoreSet& cores) const {
  const std::uint32_t there = counted_cpus(node, cores);
  const EffectiveRequest& request = scene.request;
  const NodeTasks tasks = tasks_on_node(scene, scene.nodes[node.node]);
  if (!tasks.max || brings_cpus(request)) return there;
  return std::min(there, *tasks.max * request.cpus_per_task);
}

/// Neighbours that look the same come to the same, and so does the node the next time.
const FittedCores& Progress::fitted(const OfferedNode& node) {
  const NodeOffer& offer = offers.of(node);
  CoreFits* const kept = offer.kept_fits();
  if (kept == nullptr && fitted_.empty()) fitted_.resize(offers.offers.size());
  FittedCores& known = kept != nullptr ? kept->in(first_) : fitted_[node.offer];
  if (known.of_cpus == node.cpus) return known;
  known.of_cpus = node.cpus;
  known.cores = offer.cores;
  known.fit = fit_cores_to_gres(scene, node, offers, first_, known.cores, units_);
  known.units = {units_.begin(), units_.end()};
  known.cpus = known.fit == CoreFit::Enough ? cpus_that_fit(node, known.cores) : 0;
  return known;
}

/// What is left of the node beside its GPUs is all that later attempts find of it; but not where
/// DefCpuPerGPU alone says how many CPUs, and its tasks do not (gres.md §3.2).
bool Progress::cuts_for_good(const OfferedNode& node) const {
  const auto is_for_tasks = [](const EffectiveGres& gres) { return gres.per_task > 0; };
  const std::vector<EffectiveGres>& gres = scene.request.gres;
  if (!ties_cpus_ || scene.request.cpus_per_gpu_asked) return ties_cpus_;
  if (std::any_of(gres.begin(), gres.end(), is_for_tasks)) return true;
  return tasks_on_node(scene, scene.nodes[node.node]).max.has_value();
}

/// Of such a node later attempts have all cores again, but no more GPUs than those that were left
/// beside them can serve.
bool Progress::serves_no_more(const OfferedNode& node, std::uint32_t left) const {
  if (!first_ || !ties_cpus_ || cuts_for_good(node)) return false;
  std::uint64_t cpus = 0;
  for (std::size_t i = 0; i < scene.request.gres.size(); ++i) {
    const EffectiveGres& gres = scene.request.gres[i];
    const std::uint64_t units = offers.gres[offers.of(node).gres_at + i].ceiling;
    cpus += std::min(units, std::max(gres.per_job, gres.per_node)) * gres.cpus_per_gres;
  }
  return cpus > left;
}

CoreFit Progress::settle_anew(std::uint32_t at) {
  OfferedNode& node = offers.nodes[at];
  settled_.before = node;
  settled_.fit = fit_devices(node);
  settled_.result = node;
  settled_.is_known = true;
  if (settled_.fit != CoreFit::Enough) open_[at] = 0;
  return settled_.fit;
}

CoreFit Progress::fit_devices(OfferedNode& node) {
  if (node.cpus == 0) return CoreFit::TooFew;
  if (scene.request.gres.empty()) return CoreFit::Enough;
  const FittedCores& known = fitted(node);
  if (known.fit != CoreFit::Enough) return known.fit;
  if (scene.unit != ConsumableUnit::None) {
    node.before_cut = node.cpus;
    node.cpus = known.cpus;
    if (cuts_for_good(node)) node.capacity = std::min(node.capacity, node.cpus);
    if (serves_no_more(node, node.cpus)) node.serving = std::min(node.serving, node.cpus);
  }
  return CoreFit::Enough;
}

bool Progress::take(std::uint32_t at) {
  open_[at] = 0;
  OfferedNode& offered = offers.nodes[at];
  const NodeOffer& offer = offers.of(offered);
  TakenNode node{at, offered.cpus, offer.cores};
  std::uint32_t capacity = offered.cpus;
  if (!scene.request.gres.empty()) {
    // The same cores as when sets were made: a cut in the middle of a task makes them no fewer.
    OfferedNode whole = offered;
    whole.cpus = std::max(whole.cpus, whole.before_cut);
    const FittedCores& known = fitted(whole);
    if (known.fit != CoreFit::Enough) return false;
    node.cores = known.cores;
    units_.assign(known.units.begin(), known.units.end());
    if (scene.unit != ConsumableUnit::None) {
      capacity = std::min({capacity, counted_cpus(offered, node.cores), cpus_of_tasks(at)});
    }
    const std::uint32_t of_gpus =
        gpus_cpus_per_core(scene.request, scene.nodes[offered.node], offer);
    for (std::size_t i = 0; i < units_.size(); ++i) {
      // What an attempt before left of its CPUs serves no more devices than that; what the next
      // type leaves of them serves those of this one.
      const std::uint32_t each = scene.request.gres[i].cpus_beside;
      if (each > 0 && !scene.request.whole_nodes && !scene.request.last_type_counts) {
        const std::uint32_t threads = std::max(capacity, capacity / offer.cpus_per_core * of_gpus);
        units_[i] = std::min<std::uint64_t>(units_[i], threads / each);
      }
      const EffectiveGres& gres = scene.request.gres[i];
      if (gres.cpus_needed() > 0 && gres.per_job > 0 && offered.serving != UINT32_MAX) {
        units_[i] = std::min<std::uint64_t>(units_[i], offered.serving / gres.cpus_needed());
      }
      if (gres.cpus_for_job_alone) node.tasks = units_[i] / gres.per_task;
      if (gres.per_task > 0 && gres.cpus_per_gres == 0 &&
          counts_idle_threads(scene.request, scene.nodes[offered.node], offer)) {
        node.tasks = std::min(node.tasks, offers.gres[offer.gres_at + i].total / gres.per_task);
      }
      if (gres.cpus_for_job_alone && scene.unit == ConsumableUnit::Cpu) {
        const std::uint64_t own = known.units[i] * gres.cpus_per_gres;
        capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, own));
      }
      // Of --gpus: where there are enough already, one.
      if (scene.request.gres[i].per_job == 0) continue;
      const std::int64_t kept = std::max<std::int64_t>(nodes_least - 1, 0);
      const auto left =
          static_cast<std::uint64_t>(std::max<std::int64_t>(units_left_[i] - kept, 1));
      units_[i] = std::min(units_[i], gives_one_gpu(*this) ? 1 : left);
    }
  }
  if (budget_ <= 0 && has_own_cpus_of_open_tasks(scene, offered)) return false;
  node.cpus = cpus_to_use(offered, capacity, units_);
  node.gives_the_least = cpus_left_for(offered) <= 0;
  if (scene.unit != ConsumableUnit::None && scene.request.spare_cpus > 0) {
    const auto cores = static_cast<std::uint32_t>(node.cores.count());
    node.cpus = std::min(node.cpus, cores * offer.cpus_per_core);
  }
  const bool gives_fewer_cores =
      cpus_left_for(offered) <= std::int64_t{capacity} - offer.cpus_per_core;
  if (serves_no_more(offered, capacity)) offered.serving = std::min(offered.serving, capacity);
  // Should this attempt fail, the next ones find no more than the job was to have of the node
  // (scheduling.md §6.4), but for a thread of the last core.
  offered.cpus = node.cpus;
  if (cuts_for_good(offered) || (node.cpus < capacity && gives_fewer_cores)) {
    offered.capacity = node.cpus;
  }
  if (node.cpus == 0) return false;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    units_left_[i] -= static_cast<std::int64_t>(units_[i]);
  }
  --nodes_wanted;
  --nodes_least;
  --nodes_allowed;
  const std::uint32_t counted = cpus_that_count(node);
  cpus_wanted -= counted;
  budget_ -= counted;
  taken.push_back(node);
  return true;
}

void Progress::count_whole_unit() {
  const OfferedNode& node = offers.nodes[taken.back().offer];
  const std::int64_t unused = cpus_of_unit(node) - cpus_that_count(taken.back());
  budget_ -= std::max<std::int64_t>(unused, 0);
}

void Progress::drop_surplus() {
  const auto is_surplus = [&](const TakenNode& node) {
    if (nodes_wanted >= 0 || cpus_wanted + cpus_that_count(node) > 0) return false;
    const auto at = index_of(offers.nodes[node.offer].node);
    return wish.required.none() || !wish.required.test(at);
  };
  for (auto node = taken.begin(); node != taken.end();) {
    if (!is_surplus(*node)) {
      ++node;
      continue;
    }
    ++nodes_wanted;
    ++nodes_least;
    ++nodes_allowed;
    cpus_wanted += cpus_that_count(*node);
    node = taken.erase(node);
  }
}

bool take_required(Progress& progress, const Alive& alive) {
  const NodeSet& required = progress.wish.required;
  if (required.none()) return true;
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < progress.offers.nodes.size(); ++i) {
    if (!required.test(index_of(progress.offers.nodes[i].node))) continue;
    if (alive[i] == 0 || !progress.may_take() || !progress.take(i)) return false;
    ++found;
  }
  return found == required.count();
}

}  // namespace rehearse
