// sim/sched/select/device_pool.cpp — Slurm's orders of taking devices, step by step (gres.md §4).
#include "sim/sched/select/device_pool.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/sched/select/gres_nodes.hpp"

namespace rehearse {

DevicePool::DevicePool(const Scene& scene, const Node& node, std::size_t gres, NameId type,
                       std::vector<bool> used_sockets)
    : gres_(node.gres[gres]),
      free_(gres_.devices.size(), 0),
      picked_(gres_.devices.size(), false),
      used_sockets_(std::move(used_sockets)),
      pool_is_last_(has(scene.version, Change::UsedSocketsBeforeThePool)) {
  for (std::size_t i = 0; i < free_.size(); ++i) {
    if (type != kNoName && gres_.devices[i].type != type) continue;
    free_[i] = free_units(scene, node, gres, i);
  }
}

DevicePool::Place DevicePool::place_of(std::size_t device) const {
  const auto& socket = gres_.devices[device].socket;
  if (!socket) return Place::Pool;
  return used_sockets_[*socket] ? Place::Used : Place::Unused;
}

void DevicePool::pick(std::size_t device) {
  picked_[device] = true;
  ++count_;
}

std::vector<std::uint16_t> DevicePool::picked() const {
  std::vector<std::uint16_t> devices;
  for (std::size_t i = 0; i < picked_.size(); ++i) {
    if (picked_[i]) devices.push_back(static_cast<std::uint16_t>(i));
  }
  return devices;
}

std::vector<std::size_t> DevicePool::beside(bool used) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const Place place = place_of(i);
    const bool wanted = used ? place != Place::Unused : place == Place::Unused;
    if (wanted && is_free(i)) order.push_back(i);
  }
  const auto rank = [&](std::size_t device) {
    const auto& socket = gres_.devices[device].socket;
    if (!socket) return pool_is_last_ ? INT32_MAX : 0;
    return 1 + std::int32_t{*socket};
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

std::vector<std::int64_t> DevicePool::link_scores() const {
  std::vector<std::int64_t> scores(free_.size(), 0);
  if (gres_.links.empty()) return scores;
  std::int64_t best = 0;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    if (!is_free(i)) continue;
    for (std::size_t j = 0; j < free_.size(); ++j) {
      if (picked_[j]) scores[i] += gres_.links[i][j];
    }
    best = std::max(best, scores[i]);
  }
  if (best <= 4) return scores;
  for (std::int64_t& score : scores) score /= (best + 3) / 4;
  return scores;
}

void DevicePool::pick_by_level(std::uint64_t wanted, bool used_first) {
  const std::vector<std::int64_t> scores = link_scores();
  const std::int64_t best =
      scores.empty() ? 0
                     : std::max<std::int64_t>(0, *std::max_element(scores.begin(), scores.end()));
  for (const bool used : {true, false}) {
    if (!used_first && !used) break;
    for (std::int64_t level = best; level >= 0; --level) {
      std::vector<std::size_t> order = beside(used);
      if (!used_first) {  // over all sockets at once
        const std::vector<std::size_t> rest = beside(false);
        order.insert(order.end(), rest.begin(), rest.end());
      }
      for (const std::size_t device : order) {
        if (count_ >= wanted) return;
        if (scores[device] >= level || level == 0) pick(device);
      }
    }
  }
}

void DevicePool::pick_per_node(std::uint64_t wanted) {
  std::int32_t last = -1;  // the group just served: 0 the pool, 1 + n socket n
  for (const std::size_t device : beside(true)) {
    const auto& socket = gres_.devices[device].socket;
    const std::int32_t group = socket ? 1 + std::int32_t{*socket} : 0;
    if (count_ >= wanted) return;
    if (group == last) continue;
    pick(device);
    last = group;
  }
  pick_by_level(wanted, true);
}

void DevicePool::pick_per_socket(std::uint64_t per_socket, std::uint64_t wanted) {
  for (std::size_t socket = 0; socket < used_sockets_.size(); ++socket) {
    if (!used_sockets_[socket]) continue;
    std::uint64_t here = 0;
    for (std::size_t i = 0; i < free_.size() && here < per_socket && count_ < wanted; ++i) {
      if (!is_free(i) || gres_.devices[i].socket != socket) continue;
      pick(i);
      ++here;
    }
  }
  for (std::size_t i = 0; i < free_.size() && count_ < wanted; ++i) {
    if (is_free(i) && place_of(i) == Place::Pool) pick(i);
  }
}

void DevicePool::pick_per_task(std::uint64_t per_task, const std::vector<std::uint32_t>& tasks) {
  std::uint64_t goal = 0;
  const auto take = [&](auto&& wanted) {
    for (std::size_t i = 0; i < free_.size() && count_ < goal; ++i) {
      if (is_free(i) && wanted(i)) pick(i);
    }
  };
  for (std::size_t socket = 0; socket < tasks.size(); ++socket) {
    goal += tasks[socket] * per_task;
    const auto here = [&](std::size_t i) { return gres_.devices[i].socket == socket; };
    const auto pool = [&](std::size_t i) { return place_of(i) == Place::Pool; };
    if (pool_is_last_) take(here);
    take([&](std::size_t i) { return pool(i) || (!pool_is_last_ && here(i)); });
  }
  pick_by_level(goal, false);
}

void DevicePool::pick_beside_cores(std::uint64_t target) {
  if (target > 1 && !gres_.links.empty()) {
    pick_linked(target);
  } else {
    for (const std::size_t device : beside(true)) {
      if (count_ >= target) return;
      pick(device);
    }
  }
  if (count_ > 0 || target == 0) return;
  const std::vector<std::size_t> others = beside(false);
  if (!others.empty()) pick(others.front());
}

void DevicePool::pick_linked(std::uint64_t target) {
  std::vector<std::size_t> chosen = beside(true);
  std::sort(chosen.begin(), chosen.end());
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
  const auto first =
      static_cast<std::size_t>(std::find(picked_.begin(), picked_.end(), true) - picked_.begin());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    if (is_free(i)) order.push_back(i);
  }
  if (!gres_.links.empty() && first < free_.size()) {
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
  for (std::size_t i = 0; i < free_.size() && count_ < wanted; ++i) {
    if (is_free(i)) pick(i);
  }
}

void DevicePool::pick_all() {
  pick_in_order(free_.size());
}

std::int32_t DevicePool::find_shared(std::uint64_t units) const {
  for (const bool used : {true, false}) {
    std::vector<std::size_t> order = beside(used);
    if (!used) std::sort(order.begin(), order.end());
    for (const std::size_t device : order) {
      if (free_[device] >= units) return static_cast<std::int32_t>(device);
    }
  }
  return -1;
}

}  // namespace rehearse
