// tests/unit/core/name_pool_test.cpp — a name is stored once and keeps its id.
#include "sim/core/name_pool.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

TEST(NamePool, GivesTheSameIdToTheSameName) {
  NamePool names;
  const NameId alice = names.intern("alice");
  EXPECT_NE(names.intern("bob"), alice);
  EXPECT_EQ(names.intern(std::string("ali") + "ce"), alice);
  EXPECT_EQ(names.text(alice), "alice");
}

TEST(NamePool, HoldsTheEmptyNameFromTheStart) {
  NamePool names;
  EXPECT_EQ(names.intern(""), kNoName);
  EXPECT_EQ(names.size(), 1U);
}

TEST(NamePool, KeepsNamesAliveWhenItIsMoved) {
  NamePool names;
  for (int i = 0; i < 1000; ++i) names.intern("user" + std::to_string(i));
  NamePool moved = std::move(names);
  EXPECT_EQ(moved.text(*moved.find("user999")), "user999");
  EXPECT_FALSE(moved.find("nobody").has_value());
}

}  // namespace
}  // namespace rehearse::test
