// sim/sched/select/device_pool.hpp — the free devices of one GRES on one node, while a job picks
// from them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// Devices that a request may have, in index order, by the socket they are bound to.
class DevicePool {
 public:
  /// `used_sockets`: by socket, whether the job has a core there.
  DevicePool(const Scene& scene, const Node& node, std::size_t gres, NameId type,
             std::vector<bool> used_sockets);

  /// Devices picked so far, ascending.
  [[nodiscard]] std::vector<std::uint16_t> picked() const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// gres.md §4.1: one of the pool and of each used socket, then by links, then the other sockets.
  void pick_per_node(std::uint64_t wanted);
  /// §4.2.
  void pick_per_socket(std::uint64_t per_socket, std::uint64_t wanted);
  /// §4.3; `tasks`: by socket.
  void pick_per_task(std::uint64_t per_task, const std::vector<std::uint32_t>& tasks);
  /// §4.4, the first walk.
  void pick_beside_cores(std::uint64_t target);
  /// §4.4, the second walk: any socket, best linked to the first device first.
  void pick_anywhere(std::uint64_t wanted);
  /// §4.6: index order.
  void pick_in_order(std::uint64_t wanted);
  void pick_all();

  /// §4.5: the first device with `units` free, used sockets first; none: −1.
  [[nodiscard]] std::int32_t find_shared(std::uint64_t units) const;

 private:
  enum class Place : std::uint8_t { Pool, Used, Unused };
  [[nodiscard]] Place place_of(std::size_t device) const;
  [[nodiscard]] bool is_free(std::size_t device) const {
    return free_[device] > 0 && !picked_[device];
  }
  void pick(std::size_t device);
  /// Devices of the pool and of each used (or unused) socket ascending, each in index order.
  [[nodiscard]] std::vector<std::size_t> beside(bool used) const;
  void pick_by_level(std::uint64_t wanted, bool used_first);
  [[nodiscard]] std::vector<std::int64_t> link_scores() const;
  void pick_linked(std::uint64_t target);

  const NodeGres& gres_;
  std::vector<std::uint64_t> free_;
  std::vector<bool> picked_;
  std::vector<bool> used_sockets_;
  bool pool_is_last_ = false;  ///< else first
  std::uint64_t count_ = 0;
};

}  // namespace rehearse
