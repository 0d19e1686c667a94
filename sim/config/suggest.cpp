// sim/config/suggest.cpp — edit distance with swaps of neighbours, as fingers make them.
#include "sim/config/suggest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kLongestWord = 64;  // longer words are not typing errors

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kLongestWord + 1>;
  Row before_last{}, last{}, now{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = now;
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  std::size_t least = word.size() / 3 + 1;  // at most a third of the word may be wrong
  std::string_view nearest;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {  // of equals the first stays
      least = distance;
      nearest = candidate;
    }
  }
  if (nearest.empty()) return {};
  return "did you mean '" + std::string(nearest) + "'?";
}

}  // namespace rehearse
