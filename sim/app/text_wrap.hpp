// sim/app/text_wrap.hpp — sentences in lines that fit a terminal.
#pragma once

#include <string>
#include <string_view>

namespace rehearse {

inline constexpr std::size_t kLineWidth = 100;

/// `text` broken at blanks into lines of at most kLineWidth, each ended; those after the first
/// begin with `indent`. A word that is too long stays whole.
[[nodiscard]] std::string wrapped(std::string_view text, std::string_view indent);

}  // namespace rehearse
