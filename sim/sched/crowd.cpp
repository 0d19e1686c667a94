// sim/sched/crowd.cpp — adding one to the count of a node, and summing the planes.
#include "sim/sched/crowd.hpp"

#include <algorithm>
#include <bit>

namespace rehearse {

Crowd::Crowd(const Departure* begin, const Departure* end) {
  for (const Departure* each = begin; each != end; ++each) {
    words_ = std::max(words_, std::size_t{each->first_word} + 1);
  }
  for (auto& plane : planes_) plane.assign(words_, 0);
  for (const Departure* each = begin; each != end; ++each) {
    if (each->first_word > each->last_word) continue;  // nowhere
    const std::size_t w = each->first_word;
    const std::uint64_t held = each->mask != 0 ? each->mask : each->job->allocated_nodes.word(w);
    std::uint64_t carry = held & (~held + 1);  // its first node
    for (auto& plane : planes_) {
      const std::uint64_t before = plane[w];
      plane[w] = before ^ carry;
      carry &= before;
    }
  }
}

bool Crowd::surely_exceeds(std::size_t most, const std::uint64_t* nodes) const {
  std::size_t sum = 0;
  for (std::size_t p = 0; p < kPlanes; ++p) {
    std::size_t of_plane = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      of_plane += static_cast<std::size_t>(std::popcount(nodes[w] & planes_[p][w]));
    }
    sum += of_plane << p;
    if (sum > most) return true;
  }
  return false;
}

}  // namespace rehearse
