// models/gpu/recut_on_demand.cpp — an idle GPU is cut as the head of the queue asks, anywhere on
// it.
//
// A GPU on which a job holds an instance is left as it is until that job has gone. Of several idle
// GPUs the first is taken.
#include "models/gpu/recut.hpp"

namespace rehearse {
namespace {

class RecutOnDemand final : public RecutPolicy {
 public:
  [[nodiscard]] std::optional<MigLayout> fit(
      const GpuModel& model, const MigLayout& held,
      const std::vector<std::uint32_t>& wanted) const override {
    if (!held.empty()) return std::nullopt;
    std::vector<MigWish> wishes;
    for (const std::uint32_t profile : wanted) wishes.push_back({profile, std::nullopt});
    return place(model, wishes);
  }

  [[nodiscard]] std::uint32_t loss(const GpuModel& /*model*/, const MigLayout& /*before*/,
                                   const MigLayout& /*after*/) const override {
    return 0;
  }
};

}  // namespace

std::unique_ptr<RecutPolicy> make_recut_on_demand() {
  return std::make_unique<RecutOnDemand>();
}

}  // namespace rehearse
