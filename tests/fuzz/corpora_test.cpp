// tests/fuzz/corpora_test.cpp — what fuzzing found stays mended: each corpus, and some changes of
// it, in every build.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/rng.hpp"
#include "tests/fuzz/corpus.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {
namespace {

void read_one(const NamedTarget& target, const std::string& text) {
  try {
    target.read(text);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.findings().empty());
  }
}

std::size_t below(Rng& rng, std::size_t end) {
  return static_cast<std::size_t>(rng.between(0, static_cast<std::int64_t>(end) - 1));
}

/// One input with a few bytes changed, dropped, repeated, or a part of another put in.
std::string changed(std::string text, const std::string& other, Rng& rng) {
  for (std::int64_t count = rng.between(1, 4); count > 0 && !text.empty(); --count) {
    const std::size_t at = below(rng, text.size());
    switch (rng.between(0, 4)) {
      case 0:
        text[at] = static_cast<char>(rng.between(0, 255));
        break;
      case 1:
        text.erase(at, below(rng, 16) + 1);
        break;
      case 2:
        text.insert(at, text.substr(at, below(rng, 16) + 1));
        break;
      case 3:
        text.insert(at, other.substr(other.empty() ? 0 : below(rng, other.size()), 16));
        break;
      default:
        text.insert(at, "99999999999999999999", below(rng, 20) + 1);
    }
  }
  return text;
}

class Corpus : public ::testing::TestWithParam<std::size_t> {
 protected:
  const NamedTarget& target = kFuzzTargets.at(GetParam());
  const std::vector<std::string> inputs = read_corpus(target.name);
};

TEST_P(Corpus, IsReadWithoutAFault) {
  ASSERT_FALSE(inputs.empty());
  for (const std::string& text : inputs) read_one(target, text);
}

TEST_P(Corpus, IsReadWithoutAFaultWhereBytesChange) {
  Rng rng(1, target.name);
  for (int i = 0; i < 300; ++i) {
    const std::string text = inputs[below(rng, inputs.size())];
    read_one(target, changed(text, inputs[below(rng, inputs.size())], rng));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Corpus, ::testing::Range<std::size_t>(0, kFuzzTargets.size()),
                         [](const auto& one) { return std::string(kFuzzTargets[one.param].name); });

}  // namespace
}  // namespace rehearse::test
