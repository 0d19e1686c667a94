// models/gpu/gpu_type.hpp — the Type of a GPU as sites and AutoDetect write it, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rehearse {

/// The MIG part of a Type: `3g.20gb`, `1g.5gb+me` (gres.md §5.3).
struct MigTypeText {
  std::uint32_t compute = 0;
  std::uint64_t gib = 0;  ///< as written
  bool media = false;     ///< +me
};

struct GpuTypeText {
  std::string base;  ///< the model's part: lower case, `-` as `_`, without `nvidia_`; may be empty
  std::optional<MigTypeText> mig;
};

/// `nvidia_a100_3g.20gb` → a100, 3g.20gb. A compute instance (`1c.3g.20gb`) counts as its whole GPU
/// instance.
[[nodiscard]] GpuTypeText split_gpu_type(std::string_view type);

/// Only the MIG part, which must be all of the text; none: it is no name of a profile.
[[nodiscard]] std::optional<MigTypeText> parse_mig_name(std::string_view text);

}  // namespace rehearse
