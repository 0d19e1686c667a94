// sim/config/word_choice.hpp — a key of site.yaml that takes one of a few words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {

/// A word of site.yaml and what it means.
template <typename Value>
struct WordChoice {
  std::string_view word;
  Value value;
};

/// One of a few words; the default is the word of the value that is there. Any other is told.
template <typename Value, std::size_t N>
void read_word(ConfigNode& node, std::string_view key, Value& value,
               const std::array<WordChoice<Value>, N>& choices) {
  std::string text;
  std::vector<std::string_view> words;
  for (const WordChoice<Value>& choice : choices) {
    if (choice.value == value) text = choice.word;
    words.push_back(choice.word);
  }
  node.read(key, text);
  const auto at =
      std::find_if(choices.begin(), choices.end(),
                   [&](const WordChoice<Value>& choice) { return choice.word == text; });
  if (at != choices.end()) {
    value = at->value;
    return;
  }
  const std::string near = did_you_mean(text, words);
  node.fail(key, fmt::format("{} is not known", shown(text)),
            near.empty() ? fmt::format("one of {}", fmt::join(words, ", ")) : near);
}

}  // namespace rehearse
