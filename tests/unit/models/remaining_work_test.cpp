// tests/unit/models/remaining_work_test.cpp — work is neither lost nor won when speeds change.
#include "models/runtime/remaining_work.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace rehearse::test {
namespace {

constexpr Duration kSecond{1'000'000};
const Time kBegin{Duration{1'700'000'000'500'000}};

Stretch twice() {
  return {kOne, 2 * kOne};
}

TEST(RemainingWork, EndsWhenItsWorkIsDone) {
  RemainingWork run(100 * kSecond, kBegin);
  EXPECT_EQ(run.end(), kBegin + 100 * kSecond);
  run.go_at(twice());
  EXPECT_EQ(run.end(), kBegin + 200 * kSecond);
}

TEST(RemainingWork, GoesOnAtAnotherSpeed) {
  RemainingWork run(100 * kSecond, kBegin);
  run.advance(kBegin + 40 * kSecond);  // 60 left
  run.go_at(twice());
  run.advance(kBegin + 80 * kSecond);  // 40 left
  run.go_at({500'000, 500'000});
  EXPECT_EQ(run.end(), kBegin + 100 * kSecond);
  run.advance(*run.end());
  EXPECT_EQ(run.done(), 100 * kSecond);
  EXPECT_EQ(run.pace().reference, 100 * kSecond);
  EXPECT_EQ(run.pace().by_neighbours, 20 * kSecond);
  EXPECT_EQ(run.pace().by_device, -20 * kSecond);
}

TEST(RemainingWork, DoesNothingBeforeItBeginsNorWhileItStandsStill) {
  RemainingWork run(100 * kSecond, kBegin);
  run.advance(kBegin - 3 * kSecond);
  EXPECT_EQ(run.done(), Duration{0});
  run.pause(kBegin - kSecond);  // a second before its begin
  EXPECT_FALSE(run.end());
  run.resume(kBegin + 9 * kSecond);
  EXPECT_EQ(run.end(), kBegin + 110 * kSecond);
  run.pause(kBegin + 60 * kSecond);
  run.advance(kBegin + 70 * kSecond);
  EXPECT_EQ(run.done(), 50 * kSecond);
  run.resume(kBegin + 100 * kSecond);
  EXPECT_EQ(run.end(), kBegin + 150 * kSecond);
}

TEST(RemainingWork, StaysDoneOnceItIs) {
  RemainingWork run(100 * kSecond, kBegin);
  run.advance(kBegin + 100 * kSecond + Duration{7});
  run.go_at(twice());
  EXPECT_EQ(run.end(), kBegin + 100 * kSecond);
  run.pause(kBegin + 101 * kSecond);
  run.resume(kBegin + 111 * kSecond);
  EXPECT_EQ(run.end(), kBegin + 110 * kSecond);
  EXPECT_EQ(run.done(), 100 * kSecond);
}

TEST(RemainingWork, WithoutAnEndOfItsOwnIsOnlyCounted) {
  RemainingWork run(std::nullopt, kBegin);
  run.go_at(twice());
  EXPECT_FALSE(run.end());
  run.advance(kBegin + 10 * kSecond);
  EXPECT_EQ(run.pace().reference, 5 * kSecond);
  EXPECT_EQ(run.pace().by_neighbours, 5 * kSecond);
}

RC_GTEST_PROP(RemainingWorkProperty, IsConservedWhateverTheSpeeds, ()) {
  const auto work = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000);
  const auto spans = *rc::gen::container<std::vector<std::int64_t>>(
      rc::gen::inRange<std::int64_t>(1, 100'000'000'000));
  RemainingWork run(Duration{work}, kBegin);
  Time now = kBegin;
  double by_hand = 0;
  std::int64_t changes = 1;
  for (const std::int64_t span : spans) {
    const auto slowdown = *rc::gen::inRange<Millionths>(kOne, 20 * kOne);
    run.advance(now);
    run.go_at({kOne, slowdown});
    if (run.end() && *run.end() <= now + Duration{span}) break;
    now += Duration{span};
    by_hand += static_cast<double>(span) * 1e6 / static_cast<double>(slowdown);
    ++changes;
  }
  run.advance(now);
  RC_ASSERT(std::abs(static_cast<double>(run.done().count()) - by_hand) <
            1e-6 * by_hand + static_cast<double>(changes) + 1);
  const Time end = *run.end();
  RC_ASSERT(end >= kBegin + Duration{work});  // no speed was above the reference's
  run.advance(end);
  RC_ASSERT(run.done() == Duration{work});
  const RunPace pace = run.pace();
  const Duration sum = pace.reference + pace.by_device + pace.by_neighbours;
  RC_ASSERT(sum - (end - kBegin) <= Duration{2} && (end - kBegin) - sum <= Duration{2});
}

}  // namespace
}  // namespace rehearse::test
