// tests/unit/config/conf_words_test.cpp — tests/data/conf_words.txt: single lines of slurm.conf at
// which a real slurmctld stopped, or which it took (formats.md §6.7).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sim/config/gres_conf.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/unit/config/conf_support.hpp"

namespace rehearse::test {
namespace {

/// `LINE | stops`, or `LINE | runs` and what scontrol shows; `? LINE`: told otherwise here.
struct Asked {
  std::string line, answer;
  bool differs = false;
};

std::vector<Asked> asked() {
  std::ifstream file(source_folder() / "tests/data/conf_words.txt");
  std::vector<Asked> all;
  for (std::string row; std::getline(file, row);) {
    const bool differs = row.starts_with("? ");
    const std::size_t bar = row.rfind(" | ");
    const std::size_t from = differs ? 2 : 0;
    all.push_back({row.substr(from, bar - from), row.substr(bar + 3), differs});
  }
  return all;
}

bool stops(const Read& read) {
  const auto says = [](const std::string& text) {
    return text.find("slurmctld stops at it") != std::string::npos;
  };
  return !read.errors.empty() || std::any_of(read.others.begin(), read.others.end(), says);
}

std::string shown_of(const Read& read) {
  std::string text;
  std::vector<LicenseConf> all = read.conf.licenses;
  std::sort(all.begin(), all.end(),
            [](const LicenseConf& a, const LicenseConf& b) { return a.name < b.name; });
  for (const LicenseConf& each : all) text += " " + each.name + "=" + std::to_string(each.count);
  return text;
}

TEST(ConfWords, AreRefusedAndTakenAsBySlurmctld) {
  const std::vector<Asked> all = asked();
  EXPECT_GT(all.size(), 180U);
  for (const Asked& one : all) {
    if (one.line.starts_with("Gres=")) continue;
    const Read read = read_amid(one.line);
    EXPECT_EQ(stops(read), (one.answer == "stops") != one.differs) << one.line;
    if (one.line.starts_with("Licenses=") && one.answer != "stops") {
      EXPECT_EQ("runs" + shown_of(read), one.answer) << one.line;
    }
  }
}

TEST(ConfWords, OfExitCodesAreToldWhereSlurmctldGoesOn) {
  const Read read = read_amid("RequeueExit=1,256");
  EXPECT_TRUE(read.errors.empty());
  const auto tells = [](const std::string& text) {
    return text.find("warning: RequeueExit: '1,256' is no list of exit codes; slurmctld starts") !=
           std::string::npos;
  };
  EXPECT_TRUE(std::any_of(read.others.begin(), read.others.end(), tells));
}

TEST(ConfWords, OfGresAreCountedAsBySlurmctld) {
  for (const Asked& one : asked()) {
    if (!one.line.starts_with("Gres=")) continue;
    Diagnostics found;
    std::uint64_t count = 0;
    for (const GresSpec& spec : parse_gres_spec(one.line.substr(5), {"f", 1, 1}, found)) {
      count += spec.count;
    }
    EXPECT_FALSE(found.has_errors()) << one.line;
    std::uint64_t shown = 0;
    Diagnostics ignored;
    for (const GresSpec& spec : parse_gres_spec(one.answer.substr(5), {"f", 1, 1}, ignored)) {
      shown += spec.count;
    }
    EXPECT_EQ(count, shown) << one.line;
  }
}

}  // namespace
}  // namespace rehearse::test
