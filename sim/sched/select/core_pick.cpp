// sim/sched/select/core_pick.cpp — which cores of a node: in order, cyclic, packed by task, by
// socket (scheduling.md §6.7).
#include <algorithm>

#include "sim/sched/select/distribution.hpp"

namespace rehearse {
namespace {

/// The free cores of a node, taken socket by socket, lowest first.
class SocketCores {
 public:
  SocketCores(const Node& node, const CoreSet& from, std::uint32_t wanted)
      : from_(from),
        wanted_(wanted),
        next_(node.sockets),
        left_(node.sockets),
        is_short_(node.sockets, false) {
    for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
      const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
      next_[socket] = begin;
      left_[socket] =
          static_cast<std::uint32_t>(from.count_between(begin, begin + node.cores_per_socket));
    }
  }

  [[nodiscard]] bool is_done() const { return wanted_ == 0; }
  [[nodiscard]] std::uint32_t wanted() const { return wanted_; }
  [[nodiscard]] std::uint32_t left(std::uint32_t socket) const { return left_[socket]; }
  [[nodiscard]] const CoreSet& picked() const { return picked_; }
  /// One more was looked for there in vain.
  void note_short(std::uint32_t socket) { is_short_[socket] = true; }

  /// CR_Socket: with what was picked of a socket all cores behind it, whoever holds them, unless it
  /// was short; with `whole` all of every such socket.
  [[nodiscard]] CoreSet filled(const Node& node, bool whole) const {
    CoreSet all = picked_;
    for (std::uint32_t socket = 0; socket < node.sockets; ++socket) {
      const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
      if (next_[socket] == begin || (is_short_[socket] && !whole)) continue;
      CoreSet here = node.usable_cores();
      here.reset_between(0, whole ? begin : next_[socket]);
      here.reset_between(begin + node.cores_per_socket, node.core_count());
      all |= here;
    }
    return all;
  }

  void take(std::uint32_t socket, std::uint32_t count) {
    for (; count > 0 && wanted_ > 0 && left_[socket] > 0; --count) {
      while (!from_.test(next_[socket])) ++next_[socket];
      picked_.set(next_[socket]++);
      --left_[socket];
      --wanted_;
    }
  }

 private:
  const CoreSet& from_;
  std::uint32_t wanted_;
  std::vector<std::size_t> next_;
  std::vector<std::uint32_t> left_;
  std::vector<bool> is_short_;
  CoreSet picked_;
};

/// `--ntasks-per-socket`: of `from`, the last sockets that have room for the tasks, those first
/// that have it for as many as a socket may have.
CoreSet last_sockets(const EffectiveRequest& request, const Node& node, const CoreSet& from,
                     const CoreWish& wish) {
  CoreSet kept;
  std::uint32_t tasks = 0;
  for (const bool is_for_all : {true, false}) {
    for (std::uint32_t socket = node.sockets; socket-- > 0 && tasks < wish.tasks;) {
      const std::size_t begin = std::size_t{socket} * node.cores_per_socket;
      CoreSet here = from;
      here.reset_between(0, begin);
      here.reset_between(begin + node.cores_per_socket, node.core_count());
      const auto room = static_cast<std::uint32_t>(here.count()) * wish.cpus_per_core;
      const std::uint32_t fit = room / request.cpus_per_task;
      if ((fit >= request.ntasks_per_socket) != is_for_all) continue;
      tasks += std::min<std::uint32_t>(request.ntasks_per_socket, fit);
      kept |= here;
    }
  }
  return kept;
}

/// One core a socket in turn; sockets of `ahead` have had their first.
void take_cyclic(const Node& node, const std::vector<bool>& ahead, SocketCores& cores) {
  bool progress = true;
  for (std::uint32_t round = 0; !cores.is_done() && progress; ++round) {
    progress = false;
    for (std::uint32_t socket = 0; socket < node.sockets && !cores.is_done(); ++socket) {
      const bool skips = round == 0 && socket < ahead.size() && ahead[socket];
      if (cores.left(socket) > 0) {
        progress = true;
        if (!skips) cores.take(socket, 1);
      } else if (!skips) {
        cores.note_short(socket);
      }
    }
  }
}

/// With several CPUs a task, whole tasks go to the first socket that has room for their CPUs; of
/// cores that they have to themselves they take theirs as far as there are any.
void take_tasks(const Node& node, const EffectiveRequest& request, const CoreWish& wish,
                SocketCores& cores) {
  const std::uint32_t own = cores_per_task(request, wish.cpus_per_core);
  const std::uint32_t per_task = request.cpus_per_task;
  std::uint32_t tasks = wish.tasks;
  for (std::uint32_t socket = 0; socket < node.sockets && tasks > 0; ++socket) {
    const std::uint32_t fit = std::min(tasks, cores.left(socket) * wish.cpus_per_core / per_task);
    tasks -= fit;
    const std::uint32_t shared = (fit * per_task + wish.cpus_per_core - 1) / wish.cpus_per_core;
    cores.take(socket, own > 0 ? fit * own : shared);
  }
}

/// The fullest socket that holds them all, else one after the other, the emptiest first.
void take_block(const Node& node, SocketCores& cores) {
  const std::uint32_t all = cores.wanted();
  while (!cores.is_done()) {
    std::uint32_t best = 0;
    for (std::uint32_t socket = 1; socket < node.sockets; ++socket) {
      const std::uint32_t mine = cores.left(socket);
      const std::uint32_t other = cores.left(best);
      const bool holds = mine >= all;
      const bool other_holds = other >= all;
      if (holds != other_holds ? holds : (holds ? mine < other : mine > other)) best = socket;
    }
    if (cores.left(best) == 0) return;
    cores.take(best, cores.wanted());
  }
}

}  // namespace

CoreSet pick_cores(const Scene& scene, const Node& node, const CoreSet& from,
                   const CoreWish& wish) {
  const bool fills = scene.unit == ConsumableUnit::Cpu || scene.request.block_cores;
  const bool by_socket = scene.request.ntasks_per_socket > 0 && !fills;
  const CoreSet open = by_socket ? last_sockets(scene.request, node, from, wish) : from;
  // Of more than there are, as of --mincpus, none is looked for in vain.
  const auto there = static_cast<std::uint32_t>(open.count());
  SocketCores cores{node, open, std::min(wish.cores, there)};
  const bool packs = scene.request.cpus_per_task > 1 && !by_socket;
  for (std::uint32_t socket = 0; socket < wish.required_sockets.size() && !packs; ++socket) {
    if (wish.required_sockets[socket]) cores.take(socket, 1);
  }
  if (fills) {
    take_block(node, cores);
  } else if (packs) {
    take_tasks(node, scene.request, wish, cores);
  }
  take_cyclic(node, wish.required_sockets, cores);
  if (scene.unit == ConsumableUnit::Socket) return cores.filled(node, fills);
  return cores.picked();
}

}  // namespace rehearse
