// tests/unit/models/job_classes_test.cpp — classes, the rules that give them, and what is told of
// wrong ones.
#include "models/runtime/job_classes.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sim/config/config_node.hpp"

namespace rehearse::test {
namespace {

class Classes : public testing::Test {
 protected:
  /// Reads the section; findings of the reader and of the classes as text.
  std::string read(const std::string& text) {
    Diagnostics found;
    const ConfigValue value = parse_yaml(text, "site.yaml", found);
    ConfigNode node(value, "", found);
    conf_ = {};
    read_performance(node, conf_);
    classes_.emplace(conf_, FiguresOfType{}, found);
    std::string told;
    for (const Diagnostic& each : found.all()) told += to_text(each) + "\n";
    return told;
  }

  static JobTraits job(std::string_view user, std::string_view account = {},
                       std::string_view name = {}, std::string_view gpu_type = {}) {
    return {user, account, {}, {}, name, {}, gpu_type};
  }

  [[nodiscard]] DeviceHere here(const std::string& type) const {
    return {type, classes_->figures(type).value_or(DeviceFigures{})};
  }

  PerformanceConf conf_;
  std::optional<JobClasses> classes_;
};

TEST_F(Classes, AreOffWithoutTheSection) {
  EXPECT_EQ(read("seed: 1\n"), "");
  EXPECT_FALSE(conf_.enabled);
  EXPECT_EQ(read("performance: {}\n"), "");
  EXPECT_TRUE(conf_.enabled);
  EXPECT_EQ(classes_->of(job({})).name, "medium");
}

TEST_F(Classes, AreGivenByTheFirstRuleThatFits) {
  EXPECT_EQ(read("performance:\n"
                 "  classes:\n"
                 "    - {name: train, preset: heavy-compute, memory_mib: 9000}\n"
                 "  rules:\n"
                 "    - {class: train, account: ml, name: 'train_*'}\n"
                 "    - {class: light, user: ann}\n"
                 "    - {class: host-bound, gpu_type: 'A100_1g*'}\n"),
            "");
  EXPECT_EQ(classes_->of(job("ann", "ml", "train_7")).name, "train");
  EXPECT_EQ(classes_->of(job("ann", "ml", "retrain_7")).name, "light");
  EXPECT_EQ(classes_->of(job("bob", {}, {}, "a100_1g.5gb")).name, "host-bound");
  EXPECT_EQ(classes_->of(job("bob")).name, "medium");
  EXPECT_EQ(classes_->of(job({}, "ml", "train_")).memory_mib, 9000);
}

TEST_F(Classes, PatternsAreGlobs) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*c?", "abbcbcd"));
  EXPECT_TRUE(matches("**b", "aab"));
  EXPECT_FALSE(matches("a?", "a"));
  EXPECT_FALSE(matches("a", "ab"));
  EXPECT_FALSE(matches("*a", "ab"));
}

TEST_F(Classes, OfUtilisationAloneFollowAmdahl) {
  EXPECT_EQ(read("performance:\n  classes: [{name: seen, u: 0.7}]\n  default_class: seen\n"), "");
  EXPECT_EQ(classes_->of(job({})).profile, profile_of_utilisation(700'000));
}

TEST_F(Classes, RunAtTheirMeasuredSpeedElseByTheFigures) {
  EXPECT_EQ(read("performance:\n"
                 "  devices:\n"
                 "    - {type: a100, sms: 108, bandwidth_gb_s: 1555, memory_mib: 40960}\n"
                 "    - {type: h100, sms: 132, bandwidth_gb_s: 3350, sm_speed: 2}\n"
                 "  classes:\n"
                 "    - {name: known, speed: {A100: 1, H100: 2.5}}\n"
                 "    - {name: told, h: 0.2, c: 0.8, b: 0, measured_on: a100}\n"),
            "");
  const JobClass& known = classes_->all()[0];
  const JobClass& told = classes_->all()[1];
  EXPECT_EQ(classes_->by_device(known, here("h100"), "a100"), 400'000);
  EXPECT_EQ(classes_->by_device(known, here("a100"), "h100"), 2'500'000);
  EXPECT_EQ(classes_->by_device(known, here("h100"), "h100"), kOne);
  // 0.2 + 0.8 · 108/(132 · 2) = 0.527273
  EXPECT_EQ(classes_->by_device(told, here("h100"), "a100"), 527'273);
  EXPECT_EQ(classes_->by_device(told, here("v100"), "a100"), kOne);  // not known
  EXPECT_EQ(classes_->by_device(told, here("h100"), ""), kOne);  // recorded on nobody knows what
}

TEST_F(Classes, TellEachBadValueWithItsPlace) {
  EXPECT_EQ(read("performance:\n"
                 "  interference: -1\n"
                 "  shard: sometimes\n"
                 "  default_class: mediun\n"
                 "  devices: [{sms: 5}, {type: a100}, {type: A100}]\n"
                 "  classes:\n"
                 "    - {name: x, h: 0.5, c: 0.2, b: 0.2}\n"
                 "    - {name: x, h: 0.5}\n"
                 "    - {name: y, preset: heavy, u: 1.5, speed: {a100: fast}}\n"
                 "    - {name: z, measured_on: v100}\n"
                 "  rules: [{class: q}, {user: ann}, {klass: x}]\n"),
            "site.yaml:2:17: error: performance.interference: -1 is out of range\n"
            "  hint: it must be 0 .. 10\n"
            "site.yaml:3:10: error: performance.shard: 'sometimes' is no such model\n"
            "  hint: one of pairwise_sum, proportional, fixed_penalty, none\n"
            "site.yaml:5:13: error: performance.devices[0].type: is not given\n"
            "  hint: the Type of gres.conf, as a100\n"
            "site.yaml:7:20: error: performance.classes[0].h: h + c + b is 0.9\n"
            "  hint: shares of run time that are host, SM and bandwidth bound; their sum is 1\n"
            "site.yaml:8:20: error: performance.classes[1].h: h, c and b must be given together\n"
            "  hint: shares of run time that are host, SM and bandwidth bound; their sum is 1\n"
            "site.yaml:9:35: error: performance.classes[2].u: 1.5 is out of range\n"
            "  hint: it must be 0 .. 1\n"
            "site.yaml:9:47: error: performance.classes[2].speed: 'fast' of a100 is no speed\n"
            "  hint: 0.01 .. 100, of types against each other: {a100: 1, h100: 1.9}\n"
            "site.yaml:11:23: error: performance.rules[1].class: is not given\n"
            "  hint: the name of a class\n"
            "site.yaml:11:36: error: performance.rules[2].class: is not given\n"
            "  hint: the name of a class\n"
            "site.yaml:11:37: error: performance.rules[2].klass: unknown key\n"
            "  hint: did you mean 'class'?\n"
            "site.yaml:5:44: error: device type 'A100' is there twice\n"
            "site.yaml:8:14: error: job class 'x' is there twice\n"
            "site.yaml:9:14: error: there is no preset 'heavy'\n"
            "  hint: one of host-bound, light, medium, heavy-bandwidth, heavy-compute, saturating\n"
            "site.yaml:10:14: error: measured_on: no figures of 'v100'\n"
            "  hint: a GPU model, MIG type or type of performance.devices\n"
            "site.yaml:11:19: error: there is no job class 'q'\n"
            "  hint: one of x, x, y, z, host-bound, light, medium, heavy-bandwidth, heavy-compute, "
            "saturating\n"
            "site.yaml:4:18: error: there is no job class 'mediun'\n"
            "  hint: did you mean 'medium'?\n");
}

}  // namespace
}  // namespace rehearse::test
