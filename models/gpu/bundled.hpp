// models/gpu/bundled.hpp — the texts of models/gpu/*.yaml, put into the program when it is built.
#pragma once

#include <span>
#include <string_view>

namespace rehearse {

struct BundledText {
  std::string_view name, text;
};

/// In the order of models/CMakeLists.txt. Written by scripts/bundle.cmake.
[[nodiscard]] std::span<const BundledText> bundled_gpu_models();

}  // namespace rehearse
