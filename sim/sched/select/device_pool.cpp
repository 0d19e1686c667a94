// sim/sched/select/device_pool.cpp — Slurm's orders of taking devices, step by step (gres.md §4).
#include "sim/sched/select/device_pool.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/sched/select/gres_nodes.hpp"

namespace rehearse {

DevicePool::DevicePool(const Scene& scene, const Node& node, std::size_t gres, NameId type,
                       const SocketSet& used)
    : scene_(scene),
      node_(node),
      gres_(node.gres[gres]),
      position_(gres),
      used_sockets_(used),
      pool_is_last_(has(scene.version, Change::UsedSocketsBeforeThePool)) {
  for (std::size_t i = 0; i < gres_.devices.size(); ++i) {
    if (type != kNoName && gres_.devices[i].type != type) continue;
    if (free_units(scene, node, gres, i) > 0) free_.set(i);
  }
}

void DevicePool::pick(std::size_t device) {
  picked_.set(device);
  ++count_;
}

/// Free devices bound to `socket` (none: to no socket) in index order, until `use` says no.
template <typename Use>
bool DevicePool::until_false(const std::optional<std::uint16_t>& socket, Use&& use) const {
  for (std::size_t i = 0; i < gres_.devices.size(); ++i) {
    if (gres_.devices[i].socket == socket && is_free(i) && !use(i)) return false;
  }
  return true;
}

/// Free devices of the pool and of each used socket ascending, or of each unused one.
template <typename Use>
bool DevicePool::until_false_beside(bool used, Use&& use) const {
  if (used && !pool_is_last_ && !until_false(std::nullopt, use)) return false;
  for (std::uint16_t socket = 0; socket < node_.sockets; ++socket) {
    if (used_sockets_.test(socket) == used && !until_false(socket, use)) return false;
  }
  return !used || !pool_is_last_ || until_false(std::nullopt, use);
}

std::vector<std::int64_t> DevicePool::link_scores() const {
  if (gres_.links.empty()) return {};
  std::vector<std::int64_t> scores(gres_.devices.size(), 0);
  std::int64_t best = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!is_free(i)) continue;
    picked_.for_each([&](std::size_t j) { scores[i] += gres_.links[i][j]; });
    best = std::max(best, scores[i]);
  }
  if (best <= 4) return scores;
  for (std::int64_t& score : scores) score /= (best + 3) / 4;
  return scores;
}

void DevicePool::pick_level(std::uint64_t wanted, bool used_first, bool used,
                            const std::vector<std::int64_t>& scores, std::int64_t level) {
  const auto take = [&](std::size_t device) {
    if (count_ >= wanted) return false;
    if (level == 0 || scores[device] >= level) pick(device);
    return true;
  };
  if (!until_false_beside(used, take) || used_first) return;
  until_false_beside(false, take);  // over all sockets at once
}

void DevicePool::pick_by_level(std::uint64_t wanted, bool used_first) {
  const std::vector<std::int64_t> scores = link_scores();
  const std::int64_t best =
      scores.empty() ? 0
                     : std::max<std::int64_t>(0, *std::max_element(scores.begin(), scores.end()));
  for (const bool used : {true, false}) {
    if (!used_first && !used) break;
    for (std::int64_t level = best; level >= 0 && count_ < wanted; --level) {
      pick_level(wanted, used_first, used, scores, level);
    }
  }
}

void DevicePool::pick_per_node(std::uint64_t wanted) {
  std::int32_t last = -1;  // the group just served: 0 the pool, 1 + n socket n
  until_false_beside(true, [&](std::size_t device) {
    const auto& socket = gres_.devices[device].socket;
    const std::int32_t group = socket ? 1 + std::int32_t{*socket} : 0;
    if (count_ >= wanted) return false;
    if (group != last) pick(device);
    last = group;
    return true;
  });
  pick_by_level(wanted, true);
}

void DevicePool::pick_per_socket(std::uint64_t per_socket, std::uint64_t wanted) {
  const std::uint64_t beside = per_socket * used_sockets_.count();
  const auto take_of = [&](bool used) {
    for (std::uint16_t socket = 0; socket < node_.sockets; ++socket) {
      if (used_sockets_.test(socket) != used) continue;
      std::uint64_t here = 0;
      until_false(socket, [&](std::size_t) { return ++here < per_socket; });
      if (!used && here < per_socket) continue;  // too few for a socket that the job is not on
      here = 0;
      until_false(socket, [&](std::size_t device) {
        if (here >= per_socket || count_ >= wanted) return false;
        pick(device);
        ++here;
        return true;
      });
    }
  };
  take_of(true);
  until_false(std::nullopt, [&](std::size_t device) {
    if (count_ < beside) pick(device);
    return count_ < beside;
  });
  take_of(false);
}

void DevicePool::pick_per_task(std::uint64_t per_task, const std::vector<std::uint32_t>& tasks) {
  std::uint64_t goal = 0;
  const auto take = [&](auto&& wanted) {
    for (std::size_t i = 0; i < gres_.devices.size() && count_ < goal; ++i) {
      if (is_free(i) && wanted(i)) pick(i);
    }
  };
  for (std::size_t socket = 0; socket < tasks.size(); ++socket) {
    if (tasks[socket] == 0) continue;
    goal += tasks[socket] * per_task;
    const auto here = [&](std::size_t i) { return gres_.devices[i].socket == socket; };
    take(here);
    take([&](std::size_t i) { return !gres_.devices[i].socket; });
  }
  pick_by_level(goal, false);
}

void DevicePool::pick_beside_cores(std::uint64_t target) {
  if (target > 1 && !gres_.links.empty()) {
    pick_linked(target);
  } else {
    until_false_beside(true, [&](std::size_t device) {
      if (count_ < target) pick(device);
      return count_ < target;
    });
  }
  if (count_ > 0) return;
  until_false_beside(false, [&](std::size_t device) {
    pick(device);
    return false;
  });
}

void DevicePool::pick_linked(std::uint64_t target) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < gres_.devices.size(); ++i) {
    if (is_free(i) && is_beside(i)) chosen.push_back(i);
  }
  std::int64_t best = -1;
  std::size_t first = 0;
  for (const std::size_t a : chosen) {
    for (const std::size_t b : chosen) {
      if (a < b && gres_.links[a][b] > best) {
        best = gres_.links[a][b];
        first = a;
      }
    }
  }
  while (chosen.size() > target) {
    auto worst = chosen.end();
    for (auto at = chosen.begin(); at != chosen.end(); ++at) {
      if (*at == first && best >= 0) continue;
      if (worst == chosen.end() || gres_.links[first][*at] < gres_.links[first][*worst]) worst = at;
    }
    chosen.erase(worst);
  }
  for (const std::size_t device : chosen) pick(device);
}

void DevicePool::pick_anywhere(std::uint64_t wanted) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < gres_.devices.size(); ++i) {
    if (is_free(i)) order.push_back(i);
  }
  if (!gres_.links.empty() && picked_.count() > 0) {
    std::size_t first = 0;
    while (!picked_.test(first)) ++first;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return gres_.links[first][a] > gres_.links[first][b];
    });
  }
  for (const std::size_t device : order) {
    if (count_ >= wanted) return;
    pick(device);
  }
}

void DevicePool::pick_in_order(std::uint64_t wanted) {
  for (std::size_t i = 0; i < gres_.devices.size() && count_ < wanted; ++i) {
    if (is_free(i)) pick(i);
  }
}

void DevicePool::pick_all() {
  pick_in_order(gres_.devices.size());
}

std::int32_t DevicePool::find_shared(std::uint64_t units) const {
  std::int32_t found = -1;
  const auto look = [&](std::size_t device) {
    if (free_units(scene_, node_, position_, device) >= units) {
      found = static_cast<std::int32_t>(device);
    }
    return found < 0;
  };
  if (!until_false_beside(true, look)) return found;
  // Before 23.11 nobody asks here of what type the GPU is, nor who holds it.
  const bool asks = scene_.version >= SlurmVersion{23, 11};
  for (std::size_t i = 0; i < gres_.devices.size(); ++i) {
    if (!asks && unused_units(scene_, node_, position_, i) >= units) {
      return static_cast<std::int32_t>(i);
    }
    if (asks && is_free(i) && !is_beside(i) && !look(i)) return found;
  }
  return -1;
}

}  // namespace rehearse
