// tests/unit/core/error_test.cpp — findings read as people expect them.
#include "sim/core/error.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

TEST(Diagnostic, PrintsFileLineColumnThenTheHintOnItsOwnLine) {
  EXPECT_EQ(
      to_text({Severity::Error,
               {"slurm.conf", 4, 12},
               "'30' is not a duration",
               "write the unit: 30s, 5min, 36h"}),
      "slurm.conf:4:12: error: '30' is not a duration\n  hint: write the unit: 30s, 5min, 36h");
}

TEST(Diagnostics, ThrowsEveryFindingOfAFileAtOnce) {
  Diagnostics found;
  found.error({"a", 1, 1}, "one");
  found.warning({"a", 2, 1}, "two");
  found.error({"a", 3, 1}, "three");
  try {
    found.throw_if_errors();
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_EQ(error.findings().size(), 3U);
  }
}

}  // namespace
}  // namespace rehearse::test
