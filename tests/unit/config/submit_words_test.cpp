// tests/unit/config/submit_words_test.cpp — tests/data/submit_words.txt: words of --begin, --time
// and --dependency, and what a real sbatch and slurmctld made of each.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sim/config/sbatch_args.hpp"
#include "sim/config/time_words.hpp"
#include "sim/config/units.hpp"
#include "tests/support/source_folder.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kMinute = 60;

/// As scontrol prints a TimeLimit.
std::string limit_text(Minutes limit) {
  if (limit == kUnlimited) return "UNLIMITED";
  const std::int64_t days = limit.count() / 1440;
  const std::int64_t hours = limit.count() / kMinute % 24;
  char text[32];
  std::snprintf(text, sizeof(text), "%02d:%02d:00", static_cast<int>(hours),
                static_cast<int>(limit.count() % kMinute));
  return (days > 0 ? std::to_string(days) + "-" : "") + text;
}

std::string begin_of(const std::string& word) {
  const SlurmTime now = TimeZone::utc().read("2027-01-15T08:05:00").value();
  const auto at = read_time_words(word, now, TimeZone::utc());
  if (!at) return "refused";
  if (*at <= now) return "now";
  const bool counts = to_lower(word).starts_with("now");
  return counts ? "now+" + std::to_string((*at - now).count()) : TimeZone::utc().print(*at);
}

std::string limit_of(const std::string& word) {
  const auto limit = parse_time_minutes(word);
  return limit ? limit_text(*limit == Minutes{0} ? kUnlimited : *limit) : "refused";
}

std::string dependency_of(const std::string& option) {
  Diagnostics found;
  const SbatchArgs args = parse_submit_line("sbatch '" + option + "' a.sh", {}, found);
  return found.all().empty() ? args.dependency : "refused";
}

TEST(SubmitWords, AreTakenAndRefusedAsBySbatch) {
  std::ifstream file(source_folder() / "tests/data/submit_words.txt");
  std::size_t count = 0;
  for (std::string row; std::getline(file, row); ++count) {
    const bool differs = row.starts_with("? ");  // told otherwise here
    const std::size_t from = differs ? 2 : 0;
    const std::size_t bar = row.rfind(" | ");
    const std::string option = row.substr(from, bar - from);
    const std::string told = row.substr(bar + 3);
    const std::string word = option.substr(option.find('=') + 1);
    const bool depends = option.starts_with("--dependency");
    const std::string ours = option.starts_with("--time") ? limit_of(word)
                             : depends                    ? dependency_of(option)
                                                          : begin_of(word);
    const bool same =
        depends ? (ours == "refused") == (told == "refused") : ours == told;  // texts are kept
    EXPECT_NE(same, differs) << option << ": " << ours << ", there " << told;
  }
  EXPECT_GT(count, 200U);
}

}  // namespace
}  // namespace rehearse::test
