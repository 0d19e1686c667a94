// sim/config/word_list.cpp — words are told apart by what stands before their equals sign.
#include "sim/config/word_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

/// `bf_window` of `bf_window=2880`.
std::string_view word_name(std::string_view word) {
  return word.substr(0, word.find('='));
}

}  // namespace

std::string edited_list(std::string_view list, std::string_view words, bool add) {
  std::vector<std::string_view> items = split_list(list);
  for (const std::string_view word : split_list(words)) {
    const auto same = [&](std::string_view item) {
      return equals_ignoring_case(word_name(item), word_name(word));
    };
    const auto known = std::find_if(items.begin(), items.end(), same);
    if (!add) {
      std::erase_if(items, same);
    } else if (known != items.end()) {
      *known = word;
    } else {
      items.push_back(word);
    }
  }
  return fmt::format("{}", fmt::join(items, ","));
}

const ConfPair* last_pair(const ConfText& text, std::string_view key) {
  const ConfPair* last = nullptr;
  for (const ConfLine& line : text.lines) {
    for (const ConfPair& pair : line.pairs) {
      if (equals_ignoring_case(pair.key, "NodeName") ||
          equals_ignoring_case(pair.key, "PartitionName")) {
        break;
      }
      if (equals_ignoring_case(pair.key, key)) last = &pair;
    }
  }
  return last;
}

}  // namespace rehearse
