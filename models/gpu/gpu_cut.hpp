// models/gpu/gpu_cut.hpp — how one GPU is cut: into MIG instances, or not at all (MIG off).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/mig_geometry.hpp"

namespace rehearse {

struct GpuCut {
  bool whole = false;  ///< MIG is off: one device, the GPU
  MigLayout layout;    ///< empty if whole
  friend bool operator==(const GpuCut&, const GpuCut&) = default;
};

/// `whole`, or the layout as to_text() has it.
[[nodiscard]] std::string to_text(const GpuModel& model, const GpuCut& cut);

/// The words of a layout (`whole` alone, `3g.20gb`, `2*1g.5gb`, `3g.20gb:4`), placed as the driver
/// would. What no GPU of the model can be is an error at `where`, with the nearest that can;
/// `head` is who asks, `node` one of the nodes.
struct CutQuestion {
  const GpuModel& model;
  const std::vector<std::string>& words;
  const SourcePosition& where;
  std::string_view head, node;
};
[[nodiscard]] std::optional<GpuCut> understand_cut(const CutQuestion& asked, Diagnostics& found);

/// `1g.5gb, 2g.10gb, …` of a model.
[[nodiscard]] std::string profile_names(const GpuModel& model);
/// `3g.20gb:4,1g.5gb` as they were asked for.
[[nodiscard]] std::string to_text(const GpuModel& model, const std::vector<MigWish>& wishes);

}  // namespace rehearse
