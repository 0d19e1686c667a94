// tests/unit/study/pass_orders_test.cpp — which facts of a second may have been before a pass.
#include "sim/study/pass_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rehearse::test {
namespace {

using Runs = std::vector<std::size_t>;

TEST(PassOrders, AreOneWhereNothingIsOpen) {
  const auto orders = possible_orders({}, StartedBy::Backfill);
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_EQ(orders[0].loop, StartedBy::Backfill);
  EXPECT_TRUE(orders[0].ended.empty());
}

TEST(PassOrders, BeginWithEndsFirstAndTheirNodesClean) {
  OpenFacts facts;
  facts.ends = {7};
  const auto orders = possible_orders(facts, StartedBy::Main);
  ASSERT_EQ(orders.size(), 3U);
  EXPECT_EQ(orders[0].ended, (Runs{7}));
  EXPECT_EQ(orders[0].cleaned, (Runs{7}));
  EXPECT_EQ(orders[1].ended, (Runs{7}));
  EXPECT_TRUE(orders[1].cleaned.empty()) << "COMPLETING when the pass came";
  EXPECT_TRUE(orders[2].ended.empty()) << "still running when the pass came";
}

TEST(PassOrders, KeepSubmissionsInOrderAndThoseThatTheRecordingProves) {
  OpenFacts facts;
  facts.submitted_min = 1;
  facts.submitted_max = 3;
  const auto orders = possible_orders(facts, StartedBy::Main);
  ASSERT_EQ(orders.size(), 3U);
  EXPECT_EQ(orders[0].submitted, 3U);
  EXPECT_EQ(orders[2].submitted, 1U);
}

TEST(PassOrders, LetAnotherLoopStartAllOrNothingFirst) {
  OpenFacts facts;
  facts.earlier = {1};
  facts.others = {2, 3};
  const auto orders = possible_orders(facts, StartedBy::Main);
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[0].started, (Runs{1}));
  EXPECT_EQ(orders[1].started, (Runs{1, 2, 3}));
}

TEST(PassOrders, TreatLikeFactsAlikeWhereThereAreTooMany) {
  OpenFacts facts;
  for (std::size_t run = 0; run < 12; ++run) facts.ends.push_back(run);
  facts.submitted_max = 40;
  const auto orders = possible_orders(facts, StartedBy::Main);
  EXPECT_EQ(orders.size(), 6U);
  EXPECT_TRUE(std::all_of(orders.begin(), orders.end(), [](const PassQuestion& order) {
    return order.ended.empty() || order.ended.size() == 12;
  }));
}

}  // namespace
}  // namespace rehearse::test
