// sim/sched/preempt/none.cpp — PreemptType=preempt/none: nobody is preempted.
#include "sim/sched/preempt/registry.hpp"

namespace rehearse {
namespace {

class PreemptNone final : public PreemptPlugin {
 public:
  [[nodiscard]] bool may_preempt(const PreemptSide& /*preemptor*/,
                                 const PreemptSide& /*victim*/) const override {
    return false;
  }
  [[nodiscard]] bool has_prey(const PreemptSide& /*preemptor*/) const override { return false; }
  [[nodiscard]] PreemptMode mode_of(const Job& /*victim*/) const override {
    return PreemptMode::Off;
  }
  [[nodiscard]] std::uint64_t rank_of(const Job& /*victim*/) const override { return 0; }
  [[nodiscard]] Seconds grace_of(const Job& /*victim*/) const override { return Seconds{0}; }
};

}  // namespace

std::unique_ptr<PreemptPlugin> make_preempt_none(const Cluster& /*cluster*/) {
  return std::make_unique<PreemptNone>();
}

}  // namespace rehearse
