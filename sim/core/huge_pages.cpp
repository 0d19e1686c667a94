// sim/core/huge_pages.cpp — Linux: madvise() of the whole large pages within.
#include "sim/core/huge_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>

#include <memory>
#endif

namespace rehearse {

void prefer_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
  constexpr std::size_t kPage = std::size_t{2} << 20U;
  if (bytes < 4 * kPage || std::align(kPage, kPage, begin, bytes) == nullptr) return;
  madvise(begin, bytes / kPage * kPage, MADV_HUGEPAGE);  // refused: small pages it is
#endif
}

}  // namespace rehearse
