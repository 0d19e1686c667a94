// tests/unit/study/state_copy_test.cpp — a question to a copy leaves everything as it was.
#include "sim/study/state_copy.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

TEST(StateCopy, AnswersAndChangesNothingHere) {
  int state = 1;
  const std::string answer = ask_a_copy([&] {
    state = 2;
    return std::to_string(state);
  });
  EXPECT_EQ(answer, "2");
  EXPECT_EQ(state, 1);
}

TEST(StateCopy, PassesOnMoreThanAPipeHolds) {
  const std::string answer = ask_a_copy([] { return std::string(1'000'000, 'x'); });
  EXPECT_EQ(answer.size(), 1'000'000U);
}

}  // namespace
}  // namespace rehearse::test
