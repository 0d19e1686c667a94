// tests/unit/models/recut_test.cpp — what policies cut for the head of a queue, by hand from the
// table of placements (gpu-models.md §2.2, §2.4).
#include "models/gpu/recut.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/models/gpu_site.hpp"

namespace rehearse::test {
namespace {

class Recuts : public GpuSite {
 protected:
  /// Two A100-40 of one node, both cut as said; the policy may cut 1g, 2g, 3g and 4g.
  void two_gpus(const std::vector<std::string>& layout, const std::string& gres) {
    mig("n0", "0-1", layout);
    inputs_.site.gpu.mig.policy = MigPolicy::OnDemand;
    inputs_.site.gpu.mig.profiles = {"1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb"};
    build("NodeName=n0 " + gres + "\n");
    plan_ = MigPlan(*cluster_, inventory_, layouts_, {}, found_);
    ASSERT_EQ(all_text(found_), "");
    for (const ChangingGpu& gpu : plan_.gpus()) {
      now_.push_back(
          {&gpu, gpu.begin, std::vector<bool>(gpu.begin.layout.size(), false), true, true});
    }
  }
  void wish(const std::string& profile, std::uint64_t each = 1) {
    DeviceWish wish;
    wish.type = names_.intern("a100-40_" + profile);
    wish.each = each;
    wish.where = NodeSet(1);
    wish.where.set(0);
    wishes_.push_back(wish);
  }
  /// `0 3g.20gb:0,…`
  std::vector<std::string> cuts(MigPolicy policy) {
    std::vector<std::string> lines;
    for (const auto& [gpu, cut] : recut(*make_recut_policy(policy), now_, others_, wishes_)) {
      lines.push_back(std::to_string(gpu) + " " + to_text(*now_[gpu].gpu->model, cut));
    }
    return lines;
  }
  void all_of_ones() { two_gpus({"7*1g.5gb"}, "Gres=gpu:a100-40_1g.5gb:14"); }

  MigPlan plan_;
  std::vector<GpuNow> now_;
  std::vector<DeviceWish> wishes_;
  OtherDevices others_;
};

using Lines = std::vector<std::string>;

TEST_F(Recuts, LeaveWhatServesTheQueueAsItIs) {
  all_of_ones();
  wish("1g.5gb", 14);
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{});
  EXPECT_EQ(cuts(MigPolicy::Packed), Lines{});
}

TEST_F(Recuts, OnDemandCutTheFirstIdleGpuAndFillItWithTheLargest) {
  // A 4g lies at 0 alone; the other half takes a 3g.
  all_of_ones();
  wish("4g.20gb");
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{"0 4g.20gb:0,3g.20gb:4"});
}

TEST_F(Recuts, OnDemandWaitForAGpuThatIsHeld) {
  all_of_ones();
  now_[0].held[0] = true;
  wish("4g.20gb");
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{"1 4g.20gb:0,3g.20gb:4"});
  now_[1].held[6] = true;
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{});
}

TEST_F(Recuts, PackedCutBesideWhatIsHeldWhereTheLargestProfileStaysFree) {
  // Held at 0: a 2g may lie at 2 or 4; at 2 the upper half stays free for a 3g.
  all_of_ones();
  now_[0].held[0] = true;
  now_[1].may_change = false;
  wish("2g.10gb");
  EXPECT_EQ(cuts(MigPolicy::Packed), Lines{"0 1g.5gb:0,1g.5gb:1,2g.10gb:2,3g.20gb:4"});
}

TEST_F(Recuts, PackedGatherOnTheGpuThatLosesLeast) {
  // GPU 0 is idle: a 2g there leaves 4 of 8 slices to the largest profile. GPU 1 holds a 1g at 0:
  // its largest free profile has 4 slices, with the 2g at 2 still.
  all_of_ones();
  now_[1].held[0] = true;
  wish("2g.10gb");
  EXPECT_EQ(cuts(MigPolicy::Packed), Lines{"1 1g.5gb:0,1g.5gb:1,2g.10gb:2,3g.20gb:4"});
}

TEST_F(Recuts, KeepWhatEarlierJobsWereDealt) {
  // Three 1g of GPU 0 are for the first job: a 4g needs slices 0 to 3, three 1g have 4 to 6.
  all_of_ones();
  now_[1].may_change = now_[1].in_service = false;
  wish("1g.5gb", 3);
  wish("4g.20gb");
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{"0 4g.20gb:0,1g.5gb:4,1g.5gb:5,1g.5gb:6"});
}

TEST_F(Recuts, DoNotCutForAJobWhoseOtherDevicesAreNotToBeHad) {
  all_of_ones();
  wish("4g.20gb", 3);  // one a GPU: two at most
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{});
}

TEST_F(Recuts, UseDevicesOfGpusThatNeverChangeFirst) {
  all_of_ones();
  others_[{NodeId{0}, names_.intern("a100-40_4g.20gb")}] = 1;
  wish("4g.20gb");
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{});
  wish("4g.20gb");
  EXPECT_EQ(cuts(MigPolicy::OnDemand), Lines{"0 4g.20gb:0,3g.20gb:4"});
}

RC_GTEST_FIXTURE_PROP(Recuts, AreLegalKeepWhatIsHeldAndAreTheSameAgain, ()) {
  all_of_ones();
  for (GpuNow& gpu : now_) {
    for (std::size_t i = 0; i < gpu.held.size(); ++i) gpu.held[i] = *rc::gen::arbitrary<bool>();
  }
  const std::vector<std::string> profiles = {"1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb"};
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    wish(*rc::gen::elementOf(profiles), *rc::gen::inRange<std::uint64_t>(1, 4));
  }
  for (const MigPolicy policy : {MigPolicy::OnDemand, MigPolicy::Packed}) {
    for (const auto& [at, cut] : recut(*make_recut_policy(policy), now_, others_, wishes_)) {
      RC_ASSERT(is_legal(*now_[at].gpu->model, cut.layout));
      for (std::size_t i = 0; i < now_[at].held.size(); ++i) {
        const MigInstance held = now_[at].cut.layout[i];
        const bool stays =
            std::find(cut.layout.begin(), cut.layout.end(), held) != cut.layout.end();
        RC_ASSERT(!now_[at].held[i] || stays);
        RC_ASSERT(policy != MigPolicy::OnDemand || !now_[at].held[i]);
      }
    }
    RC_ASSERT(cuts(policy) == cuts(policy));
  }
}

}  // namespace
}  // namespace rehearse::test
