// sim/study/tuning/tune_conf.cpp — the keys of `tune:`.
#include "sim/study/tuning/tune_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr std::array<std::string_view, 2> kMethods{"nsga2", "random"};
constexpr std::array<std::string_view, 2> kSplits{"alternate", "first_half"};
constexpr std::uint64_t kMostPopulation = 10000, kMostDays = 366, kMostFront = 1000;
constexpr double kLeastLevel = 0.5, kMostLevel = 0.999;

/// The position of the word under `key`; where there is none, what it was.
std::size_t read_word(ConfigNode& node, std::string_view key, std::size_t value,
                      std::span<const std::string_view> words) {
  std::string word(words[value]);
  node.read(key, word);
  const auto at = std::find(words.begin(), words.end(), word);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  const std::string hint = did_you_mean(word, words);
  node.fail(key, fmt::format("'{}' is not known here", shortened(word)),
            hint.empty() ? fmt::format("{}", fmt::join(words, " or ")) : hint);
  return value;
}

}  // namespace

std::string_view to_text(TuneMethod method) {
  return kMethods[static_cast<std::size_t>(method)];
}

std::string_view to_text(WeekSplit split) {
  return kSplits[static_cast<std::size_t>(split)];
}

void read_tune(ConfigNode node, TuneConf& tune) {
  tune.method = static_cast<TuneMethod>(
      read_word(node, "method", static_cast<std::size_t>(tune.method), kMethods));
  node.read("population", tune.population, {4, kMostPopulation});
  tune.split = static_cast<WeekSplit>(
      read_word(node, "split", static_cast<std::size_t>(tune.split), kSplits));
  node.read("days", tune.days, {1, kMostDays});
  node.read("front", tune.front, {1, kMostFront});
  node.read("level", tune.level, {kLeastLevel, kMostLevel});
  node.read("unstarted", tune.unstarted, {0, 1});
  node.finish();
}

}  // namespace rehearse
