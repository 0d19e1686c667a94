// sim/config/suggest.hpp — "did you mean": the known word nearest to what was written.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rehearse {

/// `did you mean 'x'?` for the candidate of least edit distance (case-insensitive, at most a third
/// of the word's length), else an empty text.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

}  // namespace rehearse
