// sim/config/word_list.hpp — one word of a comma list more, another or less, as += and -= do it.
#pragma once

#include <string>
#include <string_view>

#include "sim/config/conf_lexer.hpp"

namespace rehearse {

/// `list` with `words` added (a word of the same name, as bf_window of `bf_window=2880`, is
/// replaced) or, without `add`, taken away.
[[nodiscard]] std::string edited_list(std::string_view list, std::string_view words, bool add);

/// The pair that sets a global key, the last of several; null: none does.
[[nodiscard]] const ConfPair* last_pair(const ConfText& text, std::string_view key);

}  // namespace rehearse
