// tests/unit/core/rng_test.cpp — chance is the same everywhere, and streams do not meet.
#include "sim/core/rng.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace rehearse::test {
namespace {

TEST(Rng, RepeatsItsStreamForTheSameSeedPurposeAndIndex) {
  Rng a{7, "failure/node", 3}, b{7, "failure/node", 3};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, GivesDifferentStreamsToDifferentPurposesAndIndexes) {
  std::set<std::uint64_t> first;
  first.insert(Rng{7, "a", 0}.next());
  first.insert(Rng{7, "b", 0}.next());
  first.insert(Rng{7, "a", 1}.next());
  first.insert(Rng{8, "a", 0}.next());
  EXPECT_EQ(first.size(), 4U);
}

TEST(Rng, DrawsEveryValueOfARangeAboutEquallyOften) {
  Rng rng{1, "test/between"};
  std::array<int, 6> seen{};
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) ++seen[static_cast<std::size_t>(rng.between(0, 5))];
  // Chi-squared of 5 degrees of freedom: 20.5 is exceeded once in a thousand seeds.
  double chi = 0;
  for (const int n : seen) chi += (n - kDraws / 6.0) * (n - kDraws / 6.0) / (kDraws / 6.0);
  EXPECT_LT(chi, 20.5);
}

TEST(Rng, KeepsUniformBelowOne) {
  Rng rng{1, "test/uniform"};
  for (int i = 0; i < 10000; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
  }
}

}  // namespace
}  // namespace rehearse::test
