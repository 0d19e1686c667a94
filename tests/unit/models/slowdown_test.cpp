// tests/unit/models/slowdown_test.cpp — the worked values of gpu-models.md, and forms that can be
// calculated by hand.
#include "models/runtime/slowdown.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/runtime/job_classes.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kA100Bandwidth = 1'555'000;

/// An instance of an A100-40GB (§7): its SMs, and so many of eight memory slices.
constexpr DeviceFigures instance(std::int64_t sms, std::int64_t slices) {
  return {sms, kA100Bandwidth * slices / 8, 0, kOne};
}

WorkProfile preset(const char* name) {
  return find_preset(name)->profile;
}

Millionths slowdown_on(const char* name, const DeviceFigures& device) {
  return alone(on_device(preset(name), device, kA100Instance7g));
}

std::vector<Stretch> together(const std::vector<WorkProfile>& jobs, SharingRules rules) {
  std::vector<Sharer> sharers;
  for (const WorkProfile& job : jobs) sharers.push_back({job, kOne});
  return stretches(sharers, rules);
}

WorkProfile busy(Millionths u, Millionths w) {
  return {0, 600'000, 400'000, u, w};
}

// ---- §6.1: one job alone ----------------------------------------------------------------------

TEST(AloneOnADevice, HasTheWorkedValuesOfTheMediumClass) {
  EXPECT_EQ(slowdown_on("medium", instance(14, 1)), 4'240'000);
  EXPECT_EQ(slowdown_on("medium", instance(28, 2)), 2'370'000);
  EXPECT_NEAR(static_cast<double>(slowdown_on("medium", instance(42, 4))), 1'586'667, 1);
  EXPECT_EQ(slowdown_on("medium", instance(56, 4)), 1'435'000);
  EXPECT_NEAR(static_cast<double>(slowdown_on("medium", {108, kA100Bandwidth, 0, kOne})), 975'926,
              1);
}

TEST(AloneOnADevice, IsTheReferenceItself) {
  for (const ClassPreset& each : class_presets()) {
    EXPECT_EQ(alone(on_device(each.profile, kA100Instance7g, kA100Instance7g)), kOne) << each.name;
  }
}

TEST(AloneOnADevice, ReproducesTheMeasuredTransformerOnOneSlice) {
  // §4.2: MISO's transformer/32 at 0.163 of its speed on 1g.5gb, heavy and bandwidth-led: below
  // 1/7, as bandwidth is an eighth.
  const double speed = 1e6 / static_cast<double>(slowdown_on("heavy-bandwidth", instance(14, 1)));
  EXPECT_NEAR(speed, 0.163, 0.163 * 0.11);  // the 90th percentile of the fit's error
}

TEST(AloneOnADevice, GainsNothingFromThreeToFourSlicesButSms) {
  const WorkProfile of_memory{0, 0, kOne, 0, 0};
  EXPECT_EQ(alone(on_device(of_memory, instance(42, 4), kA100Instance7g)),
            alone(on_device(of_memory, instance(56, 4), kA100Instance7g)));
}

TEST(AloneOnADevice, IsQuickerOnAQuickerGeneration) {
  const WorkProfile compute{200'000, 800'000, 0, kOne, 0};
  // 0.2 + 0.8 · 98/196 · 1/2 = 0.4
  EXPECT_EQ(alone(on_device(compute, {196, 0, 0, 2 * kOne}, kA100Instance7g)), 400'000);
}

TEST(AloneOnADevice, UsesLessOfALargerDeviceAndAtMostAllOfASmall) {
  const WorkProfile here =
      on_device(busy(800'000, 400'000), {196, 3'110'000, 0, kOne}, kA100Instance7g);
  EXPECT_EQ(here.sm_use, 400'000);
  EXPECT_EQ(here.bandwidth_use, 200'000);
  EXPECT_EQ(on_device(busy(800'000, 400'000), instance(14, 1), kA100Instance7g).sm_use, kOne);
}

TEST(AloneOnADevice, OfUnknownFiguresIsAsTheReference) {
  EXPECT_EQ(on_device(preset("medium"), {}, kA100Instance7g), preset("medium"));
}

TEST(UtilisationAlone, GivesAmdahlsShare) {
  EXPECT_EQ(profile_of_utilisation(kOne).compute, 750'000);
  EXPECT_EQ(profile_of_utilisation(500'000).compute, 285'000);
  EXPECT_EQ(profile_of_utilisation(100'000).compute, 0);
  EXPECT_EQ(alone(profile_of_utilisation(700'000)), kOne);
}

// ---- §6.2: time slices ------------------------------------------------------------------------

TEST(TimeSlices, AddThePairs) {
  // 1 + 0.36 · 0.5 · 0.4 + 0.44 · 0.2 · 0.1 = 1.0808
  const auto two = together({busy(500'000, 200'000), busy(400'000, 100'000)}, {});
  EXPECT_EQ(two[0].in_all, 1'080'800);
  EXPECT_EQ(two[1].in_all, 1'080'800);
  EXPECT_EQ(two[0].by_device, kOne);
  // A third of u = 0.1, w = 0: + 0.36 · 0.5 · 0.1 for the first, 0.36 · 0.1 · 0.9 for itself.
  const auto three =
      together({busy(500'000, 200'000), busy(400'000, 100'000), busy(100'000, 0)}, {});
  EXPECT_EQ(three[0].in_all, 1'098'800);
  EXPECT_EQ(three[2].in_all, 1'032'400);
}

TEST(TimeSlices, LeaveAJobAloneAsItIs) {
  for (const SharingModel model : {SharingModel::None, SharingModel::PairwiseSum,
                                   SharingModel::Proportional, SharingModel::FixedPenalty}) {
    const auto one = together({busy(kOne, 800'000)}, {model});
    EXPECT_EQ(one[0].in_all, kOne);
  }
}

TEST(TimeSlices, OfSaturatedJobsComeToTheMeasuredSumOfSpeeds) {
  // Two of u = 1, w = 0.8: 1 + 0.36 + 0.44 · 0.64 = 1.6416, a sum of speeds of 1.218, below the
  // 1.30 that cuts; four are cut: 4/(1 + 3 · 0.6416) = 1.367 > 1.30, so each has 4/1.30.
  const auto two = together({busy(kOne, 800'000), busy(kOne, 800'000)}, {});
  EXPECT_EQ(two[0].in_all, 1'641'600);
  const auto four = together(std::vector<WorkProfile>(4, busy(kOne, 800'000)), {});
  EXPECT_NEAR(static_cast<double>(four[0].in_all), 4e6 / 1.3, 4);
}

TEST(TimeSlices, OfFullKernelsAreProportional) {
  const SharingRules rules{SharingModel::Proportional};
  EXPECT_EQ(together({busy(kOne, 0), busy(kOne, 0)}, rules)[0].in_all, 2 * kOne);
  EXPECT_EQ(together({busy(300'000, 0), busy(600'000, 0)}, rules)[0].in_all, kOne);
  EXPECT_EQ(together({busy(700'000, 0), busy(600'000, 0)}, rules)[1].in_all, 1'300'000);
}

// ---- §6.3: MPS --------------------------------------------------------------------------------

TEST(Mps, HasTheWorkedValueOfTwoMediumJobs) {
  // k = 0.54/0.5, z = 1: 0.50 + 0.26 · 1.08 + 0.24 · 1.05 = 1.0328
  const auto two = together({preset("medium"), preset("medium")}, {SharingModel::Mps});
  EXPECT_EQ(two[0].in_all, 1'032'800);
}

TEST(Mps, HasTheWorkedValueOfTwoSaturatingJobs) {
  // k = 2, z = 1.6: 0.6 · 2 + 0.4 · 1.6 · 1.05 = 1.872
  const auto two = together({preset("saturating"), preset("saturating")}, {SharingModel::Mps});
  EXPECT_EQ(two[0].in_all, 1'872'000);
  EXPECT_NEAR(2e6 / static_cast<double>(two[0].in_all), 1.07, 0.005);
}

TEST(Mps, CapsAJobThatIsAlone) {
  // u = 1 within 25 %: k = 4: 0.6 · 4 + 0.4 = 2.8, and none of it is a neighbour's.
  const std::vector<Sharer> one{{preset("saturating"), 250'000}};
  const auto alone_in_it = stretches(one, {SharingModel::Mps});
  EXPECT_EQ(alone_in_it[0].in_all, 2'800'000);
  EXPECT_EQ(alone_in_it[0].by_device, 2'800'000);
}

TEST(Mps, TakesThePercentageOfTheGpusCount) {
  EXPECT_EQ(mps_cap(25, 100), 250'000);
  EXPECT_EQ(mps_cap(200, 1300), 150'000);  // gres.md §5.1
  EXPECT_EQ(mps_cap(200, 1200), 160'000);
  EXPECT_EQ(mps_cap(200, 1100), 180'000);
  EXPECT_EQ(mps_cap(1, 1300), 10'000);
  EXPECT_EQ(mps_cap(200, 100), kOne);
}

TEST(Mps, SharesFairly) {
  using List = std::vector<Millionths>;
  EXPECT_EQ(fair_parts(List{200'000, 300'000}), (List{200'000, 300'000}));
  EXPECT_EQ(fair_parts(List{kOne, 200'000, kOne}), (List{400'000, 200'000, 400'000}));
  EXPECT_EQ(fair_parts(List{kOne, kOne, kOne}), (List{333'333, 333'333, 333'333}));
  EXPECT_EQ(fair_parts(List{}), List{});
}

TEST(FixedPenalty, IsThatOfEachFurtherJob) {
  const auto three =
      together(std::vector<WorkProfile>(3, busy(300'000, 0)), {SharingModel::FixedPenalty});
  EXPECT_EQ(three[0].in_all, 1'300'000);
}

// ---- What holds for all ------------------------------------------------------------------------

TEST(Interference, ScalesWhatNeighboursCostAndNothingElse) {
  const std::vector<Sharer> two{{preset("saturating"), 250'000}, {preset("saturating"), 250'000}};
  const auto at = [&](Millionths scale) {
    return stretches(two, {SharingModel::Mps, 150'000, scale})[0].in_all;
  };
  EXPECT_EQ(at(0), 2'800'000);  // the cap stays
  EXPECT_EQ(at(kOne), 2'400'000 + 672'000);
  EXPECT_EQ(at(2 * kOne) - at(kOne), at(kOne) - at(0));
}

TEST(Sharing, DoesNotDependOnTheOrderOfTheJobs) {
  const std::vector<const char*> names{"saturating", "medium", "light", "heavy-compute"};
  std::vector<std::size_t> order{0, 1, 2, 3};
  for (const SharingModel model : {SharingModel::PairwiseSum, SharingModel::Proportional,
                                   SharingModel::Mps, SharingModel::FixedPenalty}) {
    std::vector<Millionths> first;
    do {
      std::vector<WorkProfile> jobs;
      for (const std::size_t each : order) jobs.push_back(preset(names[each]));
      const auto all = together(jobs, {model});
      std::vector<Millionths> by_name(names.size());
      for (std::size_t i = 0; i < order.size(); ++i) by_name[order[i]] = all[i].in_all;
      if (first.empty()) first = by_name;
      EXPECT_EQ(by_name, first);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Sharing, LetsADeviceDoAtMostOnePointThree) {
  for (const SharingModel model : {SharingModel::PairwiseSum, SharingModel::Proportional,
                                   SharingModel::Mps, SharingModel::FixedPenalty}) {
    const auto all = together(std::vector<WorkProfile>(10, preset("medium")), {model});
    double use = 0;
    for (const Stretch& each : all) use += 0.54 * 1e6 / static_cast<double>(each.in_all);
    EXPECT_LE(use, 1.30001);
  }
}

TEST(DeviceMemory, IsFullAtItsCapacity) {
  const DeviceFigures device{0, 0, 4864, kOne};
  EXPECT_TRUE(fits_memory(4864, 1, 0, device));
  EXPECT_FALSE(fits_memory(4865, 1, 0, device));
  EXPECT_FALSE(fits_memory(4800, 2, 40, device));
  EXPECT_TRUE(fits_memory(1'000'000, 9, 500, {}));
}

}  // namespace
}  // namespace rehearse::test
