// tests/unit/sched/recorded_shares_test.cpp — our ranks from a real controller's usage are its
// ranks.
//
// tests/data/accounting/fairtree has `sshare -a -l -P` of a recorded slurmctld 22.05.8. RawUsage
// there is cut to a whole number, so ratios agree only as far as that allows; ranks agree exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/config/accounting.hpp"
#include "sim/config/text.hpp"
#include "sim/sched/priority/fair_tree.hpp"
#include "sim/sched/priority/usage.hpp"
#include "tests/support/source_folder.hpp"

namespace rehearse::test {
namespace {

namespace fs = std::filesystem;

struct ShareRow {
  std::string account, user;
  double shares_norm = 0, raw = 0;
  std::string fair_share, level_fs;
};

std::vector<ShareRow> read_sample(const fs::path& path) {
  std::ifstream in(path);
  std::vector<ShareRow> rows;
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with('#') || line.starts_with("Account|")) continue;
    std::vector<std::string> fields{""};
    for (const char c : line) {
      if (c == '|') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    rows.push_back({std::string(trimmed(fields[0])), fields[1], std::stod(fields[3]),
                    std::stod(fields[4]), fields[7], fields[8]});
  }
  return rows;
}

class RecordedShares : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedShares, ComeOutOfTheRecordedUsage) {
  const fs::path folder = source_folder() / "tests/data/accounting/fairtree";
  Diagnostics found;
  NamePool names;
  const TresTable tres({"gres/gpu"});
  AccountBook book = make_account_book(read_accounting(folder, found), tres, names, found);
  const std::vector<ShareRow> rows =
      read_sample(folder / (std::string(GetParam()) + ".sshare.txt"));
  ASSERT_EQ(rows.size(), 15U);
  std::vector<UsageRow> usage;
  for (const ShareRow& row : rows) usage.push_back({row.account, row.user, "", row.raw});
  load_usage(book, usage, names, found);
  ASSERT_TRUE(found.all().empty()) << to_text(found.all()[0]);
  FairTree(book).update();

  for (const ShareRow& row : rows) {
    SCOPED_TRACE(row.account + "/" + row.user);
    const auto id = book.find(names.intern(row.account), names.intern(row.user), kNoName);
    ASSERT_TRUE(id.has_value());
    const Association& a = book.associations[*id];
    EXPECT_NEAR(a.shares_norm, row.shares_norm, 5e-7);
    if (!row.user.empty()) {
      EXPECT_NEAR(a.fair_share, std::stod(row.fair_share), 5e-7);
    }
    if (row.level_fs == "inf") {
      EXPECT_TRUE(std::isinf(a.level_fs));
    } else if (!row.level_fs.empty()) {
      const double told = std::stod(row.level_fs);
      // Up to seven users' fractions were cut from the sums.
      EXPECT_NEAR(static_cast<double>(a.level_fs), told, told * (7.0 / row.raw + 1e-6) + 5e-7);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, RecordedShares,
                         ::testing::Values("0000000", "0000900", "0001800", "0005400", "0010800",
                                           "0018000", "0025200", "0030600"));

}  // namespace
}  // namespace rehearse::test
