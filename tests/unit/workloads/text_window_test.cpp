// tests/unit/workloads/text_window_test.cpp — a text read in pieces is the text read at once.
#include "workloads/text_window.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "reading.hpp"
#include "tests/support/rows_told.hpp"

namespace rehearse::test {
namespace {

TEST(TextWindow, LetsGoWhatWasReadAndReadsOn) {
  TextWindow window(InputStream(InputText{"rows", "abcdefghij"}, 2), 3);
  EXPECT_EQ(window.text(), "");
  EXPECT_TRUE(window.slide(0));
  EXPECT_EQ(window.text(), "abcd");
  EXPECT_TRUE(window.slide(3));
  EXPECT_EQ(window.text(), "def") << "as much as is asked for";
  EXPECT_TRUE(window.slide(0));
  EXPECT_EQ(window.text(), "defghij") << "twice what was left, were it there";
}

TEST(TextWindow, GrowsToTwiceOfWhatIsNotYetRead) {
  TextWindow window(InputStream(InputText{"rows", std::string(100, 'x')}, 1), 1);
  for (const std::size_t size : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 100U}) {
    EXPECT_TRUE(window.slide(0));
    EXPECT_EQ(window.text().size(), size);
  }
  EXPECT_FALSE(window.slide(0));
  EXPECT_FALSE(window.slide(100));
  EXPECT_TRUE(window.text().empty());
}

TEST(TextWindow, OfATextInMemoryIsAllOfIt) {
  TextWindow window(std::string_view("abc"));
  EXPECT_EQ(window.text(), "abc");
  EXPECT_FALSE(window.slide(1));
  EXPECT_EQ(window.text(), "bc");
}

TEST(TextWindow, HoldsAHundredLinesWithoutAnEnd) {
  std::string text = "JobID|Submit|SubmitLine\n";
  for (int job = 1; job < 9; ++job) {
    text += std::to_string(job) + "|2026-01-01T00:00:00|sbatch --wrap=a";
    for (int line = 0; line < 20 * job; ++line) text += "\nline " + std::to_string(line);
    text += '\n';
  }
  const std::string whole = table_told(TextWindow(text));
  for (std::size_t piece = 1; piece < 300; piece += 7) {
    ASSERT_EQ(table_told(in_pieces(text, piece)), whole) << piece;
  }
}

TEST(TextWindow, GivesEveryShippedSampleAlike) {
  for (const char* name :
       {"eagle_array.txt", "fox_day.txt", "fox_live.txt", "jobanalyzer.csv", "recorded_arrays.txt",
        "recorded_never_started.txt", "recorded_requeues.txt"}) {
    const std::string text = read_input(sample(std::string("sacct/") + name)).text;
    const std::string whole = table_told(TextWindow(text));
    for (const std::size_t piece : {1U, 2U, 3U, 61U, 4096U}) {
      ASSERT_EQ(table_told(in_pieces(text, piece)), whole) << name << ' ' << piece;
    }
  }
}

const std::string kTable =
    "\xef\xbb\xbfJobID|JobName|Submit|SubmitLine\n\n1|a|2026-01-01T00:00:00|sbatch x\n"
    "1.batch|b|2026-01-01T00:00:00|\r\n \n2|torn\nname|2026-01-01T00:00:00|sbatch --wrap=\"a\nb\"\n"
    "3|a|b|2026-01-01T00:00:00|sbatch y\n4|cut\n5|e|2026-01-01T00:00:00|z";
const std::string kJson =
    R"({"meta": {"a": "jobs [{"}, "jobs": [ {"job_id": 1, "name": "a\"]}\\", "tres": {}},
 {"job_id": 2, "user": "u"}, 7, "x", {"job_id": {"set": true, "number": 3}}
 ], "errors": []})";

/// Of any bytes in their place.
std::string changed(std::string text) {
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text[at] = *rc::gen::elementOf(std::string("|\n\",=\\[]{}0 \r") + '\0');
        break;
      case 1:
        text.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
        break;
      default:
        text.insert(at, text.substr(at, 20) + (at % 2 == 0 ? "\n" : ""));
        break;
    }
    if (text.empty()) break;
  }
  return text;
}

RC_GTEST_PROP(TextWindow, ReadsTablesInPiecesAsAtOnce, ()) {
  const std::string text = changed(kTable);
  const auto piece = *rc::gen::inRange<std::size_t>(1, 40);
  RC_ASSERT(table_told(in_pieces(text, piece)) == table_told(TextWindow(text)));
}

RC_GTEST_PROP(TextWindow, ReadsJsonInPiecesAsAtOnce, ()) {
  const std::string text = changed(kJson);
  const auto piece = *rc::gen::inRange<std::size_t>(1, 40);
  RC_ASSERT(json_told(in_pieces(text, piece)) == json_told(TextWindow(text)));
}

}  // namespace
}  // namespace rehearse::test
