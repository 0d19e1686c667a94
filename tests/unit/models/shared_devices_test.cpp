// tests/unit/models/shared_devices_test.cpp — neighbours that come, go, sleep and grow.
#include "models/runtime/shared_devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace rehearse::test {
namespace {

using Stands = SharedDevices::Stands;

Occupant busy(std::uint32_t job, HeldAs held_as = HeldAs::Shard) {
  Occupant made;
  made.job = job;
  made.held_as = held_as;
  made.here = {0, 600'000, 400'000, kOne, 800'000};
  return made;
}

SharedDevices usual(std::int64_t context_mib = 0) {
  return {{SharingModel::PairwiseSum}, {SharingModel::Mps}, context_mib};
}

TEST(SharedDevices, StretchesThoseWhoComputeBesideEachOther) {
  SharedDevices devices = usual();
  const std::uint32_t gpu = devices.add({}, Stands::ForOne);
  devices.enter(gpu, busy(1));
  EXPECT_EQ(devices.stretch(gpu, 1).in_all, kOne);
  devices.enter(gpu, busy(2));
  EXPECT_EQ(devices.stretch(gpu, 1).in_all, 1'641'600);
  EXPECT_EQ(devices.neighbours(gpu, 1), 1U);
  devices.set_awake(gpu, 2, false);
  EXPECT_EQ(devices.stretch(gpu, 1).in_all, kOne);
  devices.set_awake(gpu, 2, true);
  devices.leave(gpu, 1);
  EXPECT_EQ(devices.stretch(gpu, 2).in_all, kOne);
}

TEST(SharedDevices, AreUnderMpsWhereAllAreItsClients) {
  SharedDevices devices = usual();
  const std::uint32_t gpu = devices.add({}, Stands::ForOne);
  devices.enter(gpu, busy(1, HeldAs::Mps));
  devices.enter(gpu, busy(2, HeldAs::Mps));
  EXPECT_EQ(devices.stretch(gpu, 1).in_all, 1'872'000);
  devices.enter(gpu, busy(3, HeldAs::Gpu));  // a GPU lent both ways
  // 1 + 2 · 0.6416, cut to a use of 1.30: three jobs at 1.30/3 each.
  EXPECT_NEAR(static_cast<double>(devices.stretch(gpu, 1).in_all), 3e6 / 1.3, 3);
}

TEST(SharedDevices, MultiplyTheDeviceWithTheNeighbours) {
  SharedDevices devices = usual();
  const std::uint32_t gpu = devices.add({}, Stands::ForOne);
  Occupant slow = busy(1);
  slow.by_device = 2 * kOne;
  devices.enter(gpu, slow);
  devices.enter(gpu, busy(2));
  EXPECT_EQ(devices.stretch(gpu, 1).by_device, 2 * kOne);
  EXPECT_EQ(devices.stretch(gpu, 1).in_all, 2 * 1'641'600);
}

TEST(SharedDevices, ThatAreOnlyCountedHaveNoNeighbours) {
  SharedDevices devices = usual();
  const std::uint32_t gpus = devices.add({0, 0, 100, kOne}, Stands::ForMany);
  for (const std::uint32_t job : {1U, 2U}) {
    Occupant each = busy(job, HeldAs::Gpu);
    each.memory_mib = 80;
    each.has_grown = true;
    devices.enter(gpus, each);
  }
  EXPECT_EQ(devices.stretch(gpus, 1).in_all, kOne);
  EXPECT_EQ(devices.neighbours(gpus, 1), 0U);
  EXPECT_TRUE(devices.has_memory(gpus, 1));
}

TEST(SharedDevices, RunOutOfMemoryByWhatHasGrown) {
  SharedDevices devices = usual(10);
  const std::uint32_t gpu = devices.add({0, 0, 100, kOne}, Stands::ForOne);
  Occupant first = busy(1), second = busy(2);
  first.memory_mib = second.memory_mib = 45;
  devices.enter(gpu, first);
  devices.enter(gpu, second);
  devices.set_grown(gpu, 1);
  EXPECT_TRUE(devices.has_memory(gpu, 1));  // 45 and a context of 10
  devices.set_grown(gpu, 2);
  EXPECT_FALSE(devices.has_memory(gpu, 2));  // 90 and two of them
  SharedDevices of_clients = usual(10);
  const std::uint32_t other = of_clients.add({0, 0, 100, kOne}, Stands::ForOne);
  first.held_as = second.held_as = HeldAs::Mps;
  first.has_grown = second.has_grown = true;
  of_clients.enter(other, first);
  of_clients.enter(other, second);
  EXPECT_TRUE(of_clients.has_memory(other, 2));  // 90, and clients share one context
}

TEST(SharedDevices, DoNotRememberTheOrderOfArrival) {
  std::vector<std::uint32_t> order{1, 2, 3, 4};
  do {
    SharedDevices devices = usual();
    const std::uint32_t gpu = devices.add({}, Stands::ForOne);
    for (const std::uint32_t job : order) {
      Occupant each = busy(job);
      each.here.sm_use = job * 100'000;
      devices.enter(gpu, each);
    }
    EXPECT_EQ(devices.stretch(gpu, 4).in_all,
              kOne + 36 * 4 * 6 * 100 + 44 * 3 * 6'400);  // 0.36 · 0.4 · 0.6 + 0.44 · 3 · 0.64
    EXPECT_EQ(devices.occupants(gpu).front().job, 1U);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace rehearse::test
