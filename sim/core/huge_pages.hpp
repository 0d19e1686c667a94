// sim/core/huge_pages.hpp — large tables in large pages: memory that is filled once costs a page
// fault for every 2 MiB and not for every 4 KiB.
#pragma once

#include <cstddef>

namespace rehearse {

/// Advice for memory that is reserved and will be filled. Nothing depends on it: where a system has
/// no large pages, or the memory is less than a few of them, nothing happens.
void prefer_huge_pages(void* begin, std::size_t bytes) noexcept;

/// The same for what a vector or a string has reserved.
template <typename Container>
void prefer_huge_pages(Container& reserved) noexcept {
  prefer_huge_pages(reserved.data(), reserved.capacity() * sizeof(typename Container::value_type));
}

}  // namespace rehearse
