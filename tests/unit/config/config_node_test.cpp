// tests/unit/config/config_node_test.cpp — YAML is strict: keys, units, places, limits.
#include "sim/config/config_node.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "tests/unit/config/findings.hpp"

namespace rehearse::test {
namespace {

struct Sample {
  std::string name = "x";
  bool flag = false;
  std::uint64_t count = 3;
  double price = 1.5;
  Duration span{1000000};
  std::vector<std::string> list;
  std::map<std::string, std::string> table;
  Duration inner{0};
};

Sample read_sample(const std::string& yaml, Diagnostics& found) {
  Sample sample;
  const ConfigValue value = parse_yaml(yaml, "f.yaml", found);
  ConfigNode node(value, "", found);
  node.read("name", sample.name);
  node.read("flag", sample.flag);
  node.read("count", sample.count, {1, 10});
  node.read("price", sample.price, {0.0, std::nullopt});
  node.read("span", sample.span, {Duration{1000000}, std::nullopt});
  node.read("list", sample.list);
  node.read("table", sample.table);
  ConfigNode child = node.child("child");
  child.read("inner", sample.inner);
  child.finish();
  node.finish();
  return sample;
}

std::string told(const std::string& yaml) {
  Diagnostics found;
  (void)read_sample(yaml, found);
  return all_text(found);
}

TEST(ConfigNode, ReadsEveryKind) {
  Diagnostics found;
  const Sample sample = read_sample(
      "name: a b\nflag: true\ncount: 7\nprice: 2.25\nspan: 90s\nlist: [a, 'b=c']\n"
      "table: {origin: here}\nchild:\n  inner: 5min\n",
      found);
  EXPECT_EQ(all_text(found), "");
  EXPECT_EQ(sample.name, "a b");
  EXPECT_TRUE(sample.flag);
  EXPECT_EQ(sample.count, 7U);
  EXPECT_DOUBLE_EQ(sample.price, 2.25);
  EXPECT_EQ(sample.span, Duration{90000000});
  EXPECT_EQ(sample.list, (std::vector<std::string>{"a", "b=c"}));
  EXPECT_EQ(sample.table.at("origin"), "here");
  EXPECT_EQ(sample.inner, Duration{300000000});
}

TEST(ConfigNode, AnEmptyFileKeepsEveryDefault) {
  Diagnostics found;
  const Sample sample = read_sample("# nothing\n", found);
  EXPECT_EQ(all_text(found), "");
  EXPECT_EQ(sample.count, 3U);
}

struct Broken {
  const char* yaml;
  const char* finding;
};
class BrokenYaml : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenYaml, IsToldExactly) {
  EXPECT_EQ(told(GetParam().yaml), GetParam().finding);
}
INSTANTIATE_TEST_SUITE_P(
    Yaml, BrokenYaml,
    ::testing::Values(
        Broken{
            "span: 30\n",
            "f.yaml:1:7: error: span: '30' is not a duration\n  hint: write the unit: 30s, 5min, "
            "36h, 2d"},
        Broken{"span: 10ms\n",
               "f.yaml:1:7: error: span: 10ms is out of range\n  hint: it must be >= 1s"},
        Broken{"name: a\n\ncuont: 4\n",
               "f.yaml:3:1: error: cuont: unknown key\n  hint: did you mean 'count'?"},
        Broken{"child:\n  iner: 5s\n",
               "f.yaml:2:3: error: child.iner: unknown key\n  hint: did you mean 'inner'?"},
        Broken{"count: 4\nname: a\ncount: 5\n",
               "f.yaml:3:1: error: count: the key is already on line 1"},
        Broken{"count: many\n", "f.yaml:1:8: error: count: 'many' is not a whole number"},
        Broken{"count: 11\n",
               "f.yaml:1:8: error: count: 11 is out of range\n  hint: it must be 1 .. 10"},
        Broken{"count: -1\n", "f.yaml:1:8: error: count: '-1' is not a whole number"},
        Broken{"price: nan\n", "f.yaml:1:8: error: price: 'nan' is not a number"},
        Broken{"flag: yes\n", "f.yaml:1:7: error: flag: 'yes' is neither true nor false"},
        Broken{"name: [a]\n", "f.yaml:1:7: error: name: a list where a text is wanted"},
        Broken{"name:\n", "f.yaml:1:1: error: name: nothing where a text is wanted"},
        Broken{"list: a\n",
               "f.yaml:1:7: error: list: a single value where a list is wanted\n  hint: write [a]"},
        Broken{"child: 5\n",
               "f.yaml:1:8: error: child: a single value where a map of keys is wanted\n  hint: "
               "write key: value"},
        Broken{"- a\n- b\n",
               "f.yaml:1:1: error: a list where a map of keys is wanted\n  hint: write key: value"},
        Broken{"name: a\n---\nname: b\n",
               "f.yaml:3:1: error: a second document\n  hint: one file holds one"}));

TEST(BrokenYaml, WhatIsNotYamlHasItsPlace) {
  Diagnostics found;
  (void)parse_yaml("a: [1, 2\nb: 3\n", "f.yaml", found);
  ASSERT_EQ(found.error_count(), 1U);
  EXPECT_EQ(found.all()[0].where.line, 2U);
  EXPECT_TRUE(found.all()[0].what.starts_with("not YAML: "));
}

TEST(BrokenYaml, AnEmptyFileHasItsNameAsItsPlace) {
  Diagnostics found;
  EXPECT_EQ(parse_yaml("", "f.yaml", found).where.file, "f.yaml");
  EXPECT_EQ(found.error_count(), 0U);
}

TEST(BrokenYaml, AnAliasBombIsRefused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 0; j < 9; ++j) bomb += ", " + last;
    bomb += "]\n";
  }
  Diagnostics found;
  (void)parse_yaml(bomb, "f.yaml", found);
  EXPECT_EQ(all_text(found),
            "f.yaml: error: more than 4000000 values, 100000 of them by aliases, or 64 levels\n"
            "  hint: do aliases repeat each other?");
}

TEST(BrokenYaml, ManyValuesThatAreWrittenOutAreNoBomb) {
  std::string list = "a: [0";
  for (int i = 1; i < 150'000; ++i) list += ", 1";  // as of a generator fitted to a large site
  Diagnostics found;
  const ConfigValue value = parse_yaml(list + "]\n", "f.yaml", found);
  EXPECT_EQ(all_text(found), "");
  EXPECT_EQ(value.members.at(0).value.items.size(), 150'000U);
}

TEST(BrokenYaml, EndlessNestingIsRefused) {
  Diagnostics found;
  (void)parse_yaml(std::string(5000, '['), "f.yaml", found);
  EXPECT_TRUE(found.has_errors());
}

TEST(DurationText, EveryUnitBothWays) {
  for (const auto& [text, count] :
       {std::pair{"10us", 10LL}, std::pair{"250ms", 250000LL}, std::pair{"30s", 30000000LL},
        std::pair{"5min", 300000000LL}, std::pair{"36h", 129600000000LL},
        std::pair{"2d", 172800000000LL}, std::pair{"0s", 0LL}}) {
    EXPECT_EQ(parse_duration(text), Duration{count});
    EXPECT_EQ(format_duration(Duration{count}), text);
  }
  EXPECT_EQ(parse_duration("1.5h"), Duration{5400000000});
  EXPECT_EQ(parse_duration("0.000001s"), Duration{1});
  for (const char* bad : {"", "30", "s", "30 parsecs", "-5s", "1.s", ".5s", "0.0000001s", "1e3s",
                          "99999999999999999999d", "200000000d"}) {
    EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
  }
}

RC_GTEST_PROP(DurationText, ComesBackAsItWas, ()) {
  const Duration span{*rc::gen::inRange<std::int64_t>(0, 1000000000000000)};
  RC_ASSERT(parse_duration(format_duration(span)) == span);
}

RC_GTEST_PROP(Yaml, TakesAnyBytes, (const std::string& bytes)) {
  Diagnostics found;
  (void)read_sample(bytes, found);
  (void)parse_duration(bytes);
}

RC_GTEST_PROP(Yaml, TakesHalfRightWords, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", ": ", "\n", "  ", "- ", "[", "]", "{", "}", "&x ", "*x",
                                    "'", "\"", "|", "? ", "---\n", "<<", "!t ", "count: 5\n", "#"));
  std::string text;
  for (const std::string& word : words) text += word;
  Diagnostics found;
  (void)read_sample(text, found);
}

}  // namespace
}  // namespace rehearse::test
