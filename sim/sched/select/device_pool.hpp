// sim/sched/select/device_pool.hpp — the free devices of one GRES on one node, while a job picks
// from them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// Devices that a request may have, in index order, by the socket they are bound to.
class DevicePool {
 public:
  /// `used`: sockets where the job has a core.
  DevicePool(const Scene& scene, const Node& node, std::size_t gres, NameId type,
             const SocketSet& used);

  [[nodiscard]] const DeviceSet& picked() const { return picked_; }
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

  /// §4.5: the first device with `units` free beside the cores, else of the node, there one of
  /// which GPU jobs hold the GPU, too (before 23.11); none: −1.
  [[nodiscard]] std::int32_t find_shared(std::uint64_t units) const;

 private:
  [[nodiscard]] bool is_free(std::size_t device) const {
    return free_.test(device) && !picked_.test(device);
  }
  [[nodiscard]] bool is_beside(std::size_t device) const {
    const auto& socket = gres_.devices[device].socket;
    return !socket || used_sockets_.test(*socket);
  }
  void pick(std::size_t device);
  template <typename Use>
  bool until_false(const std::optional<std::uint16_t>& socket, Use&& use) const;
  template <typename Use>
  bool until_false_beside(bool used, Use&& use) const;
  void pick_level(std::uint64_t wanted, bool used_first, bool used,
                  const std::vector<std::int64_t>& scores, std::int64_t level);
  void pick_by_level(std::uint64_t wanted, bool used_first);
  [[nodiscard]] std::vector<std::int64_t> link_scores() const;
  void pick_linked(std::uint64_t target);

  const Scene& scene_;
  const Node& node_;
  const NodeGres& gres_;
  std::size_t position_;  ///< of gres_ among the node's
  DeviceSet free_;        ///< of the type asked for, with units that nobody holds
  DeviceSet picked_;
  SocketSet used_sockets_;
  bool pool_is_last_ = false;  ///< else first
  std::uint64_t count_ = 0;
};

}  // namespace rehearse
