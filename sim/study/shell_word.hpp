// sim/study/shell_word.hpp — a word as a shell wants it.
#pragma once

#include <string>

namespace rehearse {

/// For a shell: quoted only where it must be.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace rehearse
