// sim/core/bitset.cpp — a set that changes its size: in place or not, zero behind its end.
#include "sim/core/bitset.hpp"

namespace rehearse {

void Bitset::resize(std::size_t size) {
  const std::size_t before = stored();
  const bool was_in_place = size_ <= kInPlace;
  size_ = size;
  if (size > kInPlace) {
    words_.resize(stored(), 0);
    if (was_in_place) std::copy_n(in_place_.begin(), before, words_.begin());
  } else if (was_in_place) {
    for (std::size_t w = before; w < stored(); ++w) in_place_[w] = 0;
  } else {
    std::copy_n(words_.begin(), stored(), in_place_.begin());
    words_.clear();
  }
  clear_tail();
}

void Bitset::set(std::size_t first, std::size_t count, bool value) {
  while (count > 0) {
    const std::size_t here = std::min(count, 64 - first % 64);
    const std::uint64_t all = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    std::uint64_t& word = data()[first / 64];
    word = value ? word | all << first % 64 : word & ~(all << first % 64);
    first += here;
    count -= here;
  }
}

}  // namespace rehearse
