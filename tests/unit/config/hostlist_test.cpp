// tests/unit/config/hostlist_test.cpp — host lists out and back, and the ones that must be refused.
#include "sim/config/hostlist.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "sim/config/suggest.hpp"

namespace rehearse::test {
namespace {

using Names = std::vector<std::string>;

Names expanded(std::string_view text) {
  const HostlistResult result = expand_hostlist(text);
  EXPECT_EQ(result.error, "") << text;
  return result.hosts;
}

TEST(Hostlist, ExpandsInOrderWithThePaddingOfTheFirstNumber) {
  EXPECT_EQ(expanded("n[001-003]"), (Names{"n001", "n002", "n003"}));
  EXPECT_EQ(expanded("n[9-11]"), (Names{"n9", "n10", "n11"}));
  EXPECT_EQ(expanded("n[09-10,7],x"), (Names{"n09", "n10", "n7", "x"}));
  EXPECT_EQ(expanded("n2,n1,n2"), (Names{"n2", "n1", "n2"}));
}

TEST(Hostlist, ExpandsSeveralGroupsFromLeftToRight) {
  EXPECT_EQ(expanded("r[0-1]n[1-2]"), (Names{"r0n1", "r0n2", "r1n1", "r1n2"}));
}

TEST(Hostlist, NothingStandsForNothing) {
  EXPECT_TRUE(expanded("").empty());
}

TEST(Hostlist, SaysWhyItIsInvalid) {
  const auto error = [](std::string_view text) { return expand_hostlist(text).error; };
  EXPECT_EQ(error("n[1-2]-ib"), "nothing may follow the last ']', but '-ib' does");
  EXPECT_EQ(error("n[01-16,20]x"), "nothing may follow the last ']', but 'x' does");
  EXPECT_EQ(error("n[5-2]"), "the range '5-2' runs backwards");
  EXPECT_EQ(error("n[1-2"), "'[' without ']'");
  EXPECT_EQ(error("n1-2]"), "']' without '['");
  EXPECT_EQ(error("n[]"), "the brackets are empty");
  EXPECT_EQ(error("n[a-b]"), "'a-b' is not a number or a range of numbers");
  EXPECT_EQ(error("n[1-]"), "'1-' is not a number or a range of numbers");
  EXPECT_EQ(error("n[1,]"), "'' is not a number or a range of numbers");
  EXPECT_EQ(error("n1 n2"), "blanks are not allowed inside a host list");
  EXPECT_TRUE(expand_hostlist("n[1-2]-ib,n3").hosts.empty());  // the whole list is refused
}

TEST(Hostlist, RefusesBombsWithoutExpandingThem) {
  const auto error = [](std::string_view text) { return expand_hostlist(text).error; };
  EXPECT_EQ(error("n[0-999999999999]"),
            "the range '0-999999999999' has 1000000000000 hosts; at most 65536 are allowed in one "
            "range");
  EXPECT_EQ(error("n[0-65536]"),
            "the range '0-65536' has 65537 hosts; at most 65536 are allowed in one range");
  EXPECT_EQ(error("a[0-65535]b[0-65535]"), "the list stands for more than 4194304 hosts");
  EXPECT_EQ(error("a[0-65535]b[0-65535]c[1-2]"),
            "the leading bracket groups stand for more than 65536 prefixes");
  EXPECT_EQ(error("n[99999999999999999999]"),
            "'99999999999999999999' is not a number or a range of numbers");
  EXPECT_EQ(expanded("n[0-65535]").size(), 65536U);
}

TEST(Hostlist, CompressesAsSlurmPrints) {
  EXPECT_EQ(compress_hostlist({"a1", "a2", "a3", "a5"}), "a[1-3,5]");
  EXPECT_EQ(compress_hostlist({"n1"}), "n1");
  EXPECT_EQ(compress_hostlist({"n9", "n10", "n11"}), "n[9-11]");
  EXPECT_EQ(compress_hostlist({"n08", "n09", "n10"}), "n[08-10]");
  EXPECT_EQ(compress_hostlist({"n01", "n2"}), "n01,n2");
  EXPECT_EQ(compress_hostlist({"login", "n1", "n2", "x7"}), "login,n[1-2],x7");
  EXPECT_EQ(compress_hostlist({"r0n1", "r0n2", "r1n1"}), "r0n[1-2],r1n1");
  EXPECT_EQ(compress_hostlist({}), "");
}

RC_GTEST_PROP(Hostlist, ExpandingWhatWasCompressedGivesTheSameNames, ()) {
  const auto picks = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
      rc::gen::tuple(rc::gen::inRange(0, 4), rc::gen::inRange(0, 120), rc::gen::inRange(0, 5)));
  Names names;
  for (const auto& [prefix, number, width] : picks) {
    std::string digits = std::to_string(number);
    if (digits.size() < static_cast<std::size_t>(width)) {
      digits.insert(0, static_cast<std::size_t>(width) - digits.size(), '0');
    }
    const Names prefixes = {"n", "gpu-", "r1n", "login"};
    names.push_back(prefixes[static_cast<std::size_t>(prefix)] + (width == 4 ? "" : digits));
  }
  if (*rc::gen::arbitrary<bool>()) std::sort(names.begin(), names.end(), natural_less);
  const HostlistResult back = expand_hostlist(compress_hostlist(names));
  RC_ASSERT(back.error.empty());
  RC_ASSERT(back.hosts == names);
}

RC_GTEST_PROP(Hostlist, AnyTextIsExpandedOrRefused, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("n0123456789[],- \t\x01")));
  const HostlistResult result = expand_hostlist(text);
  RC_ASSERT(result.error.empty() || result.hosts.empty());
}

TEST(NaturalOrder, ComparesDigitsAsNumbers) {
  EXPECT_TRUE(natural_less("n2", "n10"));
  EXPECT_FALSE(natural_less("n10", "n2"));
  EXPECT_TRUE(natural_less("a10", "b2"));
  EXPECT_TRUE(natural_less("n1", "n1a"));
  EXPECT_TRUE(natural_less("r1n9", "r1n10"));
  EXPECT_TRUE(natural_less("n1", "n01"));
  EXPECT_FALSE(natural_less("n7", "n7"));
}

RC_GTEST_PROP(NaturalOrder, IsAStrictOrder, ()) {
  const auto word = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab0129")));
  const std::string a = *word, b = *word, c = *word;
  RC_ASSERT(!(natural_less(a, b) && natural_less(b, a)));
  RC_ASSERT(a == b || natural_less(a, b) || natural_less(b, a));
  RC_ASSERT(!(natural_less(a, b) && natural_less(b, c)) || natural_less(a, c));
}

TEST(DidYouMean, NamesTheNearestWord) {
  constexpr std::string_view kWords[] = {"PriorityWeightAge", "PriorityWeightQOS", "MaxTime"};
  EXPECT_EQ(did_you_mean("PriorityWieghtAge", kWords), "did you mean 'PriorityWeightAge'?");
  EXPECT_EQ(did_you_mean("maxtme", kWords), "did you mean 'MaxTime'?");
  EXPECT_EQ(did_you_mean("Nothing", kWords), "");
  EXPECT_EQ(did_you_mean("", kWords), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'M'), kWords), "");
}

}  // namespace
}  // namespace rehearse::test
