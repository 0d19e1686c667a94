// models/gpu/recut_packed.cpp — instances beside those that jobs hold, each where it leaves the
// largest legal profile free.
//
// Single instances can be made and destroyed while others of the GPU are busy, if positions allow
// (gpu-models.md §2.5). Of several GPUs the one is taken that loses the fewest memory slices of its
// largest free profile; so the small ones gather, and whole halves and GPUs stay for large ones.
#include <algorithm>

#include "models/gpu/recut.hpp"

namespace rehearse {
namespace {

class RecutPacked final : public RecutPolicy {
 public:
  [[nodiscard]] std::optional<MigLayout> fit(
      const GpuModel& model, const MigLayout& held,
      const std::vector<std::uint32_t>& wanted) const override {
    std::vector<std::uint32_t> order = wanted;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return model.profiles[a].memory_slices > model.profiles[b].memory_slices;
    });
    MigLayout layout = held;
    for (const std::uint32_t profile : order) {
      std::optional<MigLayout> best;
      std::uint32_t most = 0;
      for (const std::uint32_t start : model.profiles[profile].starts) {
        const MigInstance more{start, profile};
        if (!may_join(model, layout, more)) continue;
        MigLayout made = layout;
        made.insert(std::upper_bound(made.begin(), made.end(), more), more);
        const std::uint32_t left = largest_free(model, made);
        if (best && left <= most) continue;
        most = left;
        best = std::move(made);
      }
      if (!best) return std::nullopt;
      layout = std::move(*best);
    }
    return layout;
  }

  [[nodiscard]] std::uint32_t loss(const GpuModel& model, const MigLayout& before,
                                   const MigLayout& after) const override {
    const std::uint32_t had = largest_free(model, before), has = largest_free(model, after);
    return had > has ? had - has : 0;
  }
};

}  // namespace

std::unique_ptr<RecutPolicy> make_recut_packed() {
  return std::make_unique<RecutPacked>();
}

}  // namespace rehearse
