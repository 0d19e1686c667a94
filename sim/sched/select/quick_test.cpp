// sim/sched/select/quick_test.cpp — sums of what is free, against what each node must give.
//
// Most questions of a full cluster are answered by "no node has that many free devices", or cores;
// the sums find it without laying anything out. They are upper bounds of what placement would find:
// devices kept by a sharing partner, cores of unusable sockets and the like only lower them.
#include "sim/sched/select/quick_test.hpp"

#include <algorithm>

#include "sim/core/short_list.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {
namespace {

/// What a ledger says of a node.
class Present {
 public:
  Present(const Node& node, const Ledger& ledger) : node_(node), ledger_(ledger) {}
  [[nodiscard]] bool shares_cores() const { return ledger_.shares_cores(); }
  [[nodiscard]] std::uint32_t jobs() const { return ledger_.use(node_.id).jobs; }
  [[nodiscard]] std::uint64_t memory_mib() const { return ledger_.use(node_.id).memory_mib; }
  [[nodiscard]] std::size_t cores() const { return ledger_.use(node_.id).cores.count(); }
  [[nodiscard]] std::uint64_t free_units(std::size_t gres) const {
    return ledger_.free_units(node_.id, gres);
  }
  [[nodiscard]] std::uint64_t used(std::size_t gres, std::size_t device) const {
    return ledger_.units(node_.id, gres)[device];
  }

 private:
  const Node& node_;
  const Ledger& ledger_;
};

/// The same while jobs leave.
class Leaving {
 public:
  Leaving(const Node& node, const Ledger& ledger) : now_(node, ledger) {
    for (const NodeGres& gres : node.gres) {
      begin_.push_back(units_.size());
      const std::size_t devices = std::max<std::size_t>(gres.devices.size(), 1);
      for (std::size_t i = 0; i < devices; ++i) units_.push_back(0);
      sums_.push_back(0);
    }
  }
  void leave(const LeavingJob& job) {
    if (job.is_counted) ++jobs_;
    memory_mib_ += job.share->memory_mib;
    cores_ += job.share->cores.count();
    for (const DeviceShare& held : job.share->devices) {
      const bool any = held.device == DeviceShare::kNoDevice;
      units_[begin_[held.gres] + (any ? 0 : held.device)] += held.units;
      sums_[held.gres] += held.units;
    }
  }
  [[nodiscard]] bool shares_cores() const { return now_.shares_cores(); }
  [[nodiscard]] std::uint32_t jobs() const { return now_.jobs() - jobs_; }
  [[nodiscard]] std::uint64_t memory_mib() const { return now_.memory_mib() - memory_mib_; }
  /// Not more than are held: suspended jobs hold none, and of some another job holds them too.
  [[nodiscard]] std::size_t cores() const {
    const std::size_t held = now_.cores();
    return held - std::min(held, cores_);
  }
  [[nodiscard]] std::uint64_t free_units(std::size_t gres) const {
    return now_.free_units(gres) + sums_[gres];
  }
  [[nodiscard]] std::uint64_t used(std::size_t gres, std::size_t device) const {
    return now_.used(gres, device) - units_[begin_[gres] + device];
  }

 private:
  Present now_;
  std::uint32_t jobs_ = 0;  // gone, as all below
  std::uint64_t memory_mib_ = 0;
  std::size_t cores_ = 0;
  // Of most nodes in place: this is asked for each node that a job came to, or left.
  ShortList<std::size_t, 8> begin_;  // by GRES: its part of units_
  ShortList<std::uint64_t, 32> units_;
  ShortList<std::uint64_t, 8> sums_;
};

template <typename Use>
std::uint64_t free_units(const Node& node, const Use& use, const EffectiveGres& wanted) {
  std::uint64_t free = 0;
  for (std::size_t g = 0; g < node.gres.size(); ++g) {
    const NodeGres& gres = node.gres[g];
    if (gres.name != wanted.name) continue;
    if (gres.no_consume || gres.count_only || gres.devices.empty()) return UINT64_MAX;
    if (wanted.type == kNoName || !gres.mixed_types) {
      const bool of_type = wanted.type == kNoName || gres.devices.front().type == wanted.type;
      free += of_type ? use.free_units(g) : 0;
      continue;
    }
    for (std::size_t d = 0; d < gres.devices.size(); ++d) {
      if (gres.devices[d].type == wanted.type) free += gres.devices[d].units - use.used(g, d);
    }
  }
  return free;
}

/// Which cores are free, and of which sockets, is not asked.
template <typename Use>
bool has_cpus(const Node& node, const Use& use, const EffectiveRequest& request,
              std::uint32_t wanted) {
  if (request.cpus_of_each_node == 0 || use.shares_cores()) return true;
  return free_cpus_of(node, use.cores(), request) >= wanted;
}

/// `cpus`: that it must have free.
template <typename Use>
bool node_may_serve(const Node& node, const Use& use, const EffectiveRequest& request,
                    std::uint32_t cpus) {
  if (request.whole_nodes && use.jobs() > 0 && !use.shares_cores()) return false;
  if (request.memory_mode == MemoryMode::PerNode &&
      use.memory_mib() + request.memory_mib > node.memory_mib) {
    return false;
  }
  for (const EffectiveGres& gres : request.gres) {
    if (gres.per_node > 0 && free_units(node, use, gres) < gres.per_node) return false;
  }
  return has_cpus(node, use, request, cpus);
}

}  // namespace

void drop_unable(NodeSet& nodes, const Ledger& ledger, const EffectiveRequest& request,
                 const IdVector<NodeId, Node>& all) {
  for (auto i = nodes.find_first(); i != NodeSet::npos; i = nodes.find_next(i)) {
    const Node& node = all[id_at<NodeId>(i)];
    const Present now(node, ledger);
    if (!node_may_serve(node, now, request, request.cpus_of_each_node)) nodes.reset(i);
  }
}

std::optional<std::size_t> leaves_needed(const Node& node, const Ledger& ledger,
                                         const EffectiveRequest& request,
                                         std::span<const LeavingJob> leaving) {
  const std::uint32_t cpus = std::max(request.cpus_of_each_node, request.cpus_left_for_one);
  if (node_may_serve(node, Present(node, ledger), request, cpus)) return 0;
  Leaving left(node, ledger);
  for (std::size_t gone = 0; gone < leaving.size(); ++gone) {
    left.leave(leaving[gone]);
    if (node_may_serve(node, left, request, cpus)) return gone + 1;
  }
  return std::nullopt;
}

std::uint64_t free_cpus_of(const Node& node, std::size_t held_cores,
                           const EffectiveRequest& request) {
  const std::size_t cores = node.core_count();
  return (cores - std::min(cores, held_cores)) * usable_cpus_per_core(request, node);
}

std::uint64_t free_units_of(const Node& node, const Ledger& ledger, const EffectiveGres& wanted) {
  return free_units(node, Present(node, ledger), wanted);
}

std::uint64_t units_held(const Node& node, const NodeShare& share, const EffectiveGres& wanted) {
  std::uint64_t units = 0;
  for (const DeviceShare& held : share.devices) {
    const NodeGres& gres = node.gres[held.gres];
    if (gres.name != wanted.name) continue;
    const bool is_device = held.device < gres.devices.size();
    const bool is_other =
        is_device && wanted.type != kNoName && gres.devices[held.device].type != wanted.type;
    if (!is_other) units += held.units;
  }
  return units;
}

}  // namespace rehearse
