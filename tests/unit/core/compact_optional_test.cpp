// tests/unit/core/compact_optional_test.cpp — it says what std::optional says, in half the space.
#include "sim/core/compact_optional.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "sim/core/time.hpp"

namespace rehearse {
namespace {

using Count = CompactOptional<std::uint64_t>;
using Instant = CompactOptional<SlurmTime>;

TEST(CompactOptional, IsAsLargeAsItsValue) {
  EXPECT_EQ(sizeof(Count), sizeof(std::uint64_t));
  EXPECT_EQ(sizeof(Instant), sizeof(SlurmTime));
}

TEST(CompactOptional, TurnsIntoStdOptionalAndBack) {
  const std::array<std::optional<std::uint64_t>, 3> values{std::nullopt, 0, 5};
  for (const auto& value : values) {
    const Count compact = value;
    EXPECT_EQ(compact.has_value(), value.has_value());
    EXPECT_EQ(std::optional<std::uint64_t>(compact), value);
    EXPECT_EQ(compact.value_or(7), value.value_or(7));
  }
}

TEST(CompactOptional, ComparesAsStdOptionalDoes) {
  const std::array<std::optional<std::uint64_t>, 3> values{std::nullopt, 0, 5};
  for (const auto& a : values) {
    for (const auto& b : values) {
      EXPECT_EQ(Count(a) == Count(b), a == b);
      EXPECT_EQ(Count(a) == b, a == b);
      EXPECT_EQ(b == Count(a), a == b);
      EXPECT_EQ(Count(a) < Count(b), a < b);
      EXPECT_EQ(std::optional<std::uint64_t>(std::max(Count(a), Count(b))), std::max(a, b));
    }
  }
}

TEST(CompactOptional, OfTimesTheFirstSecondOfTheEpochIsOne) {
  Instant at;
  EXPECT_FALSE(at);
  at = from_epoch_seconds(0);
  ASSERT_TRUE(at);
  *at += Seconds{9};
  EXPECT_EQ(at, from_epoch_seconds(9));
  at.reset();
  EXPECT_EQ(at, std::nullopt);
}

}  // namespace
}  // namespace rehearse
