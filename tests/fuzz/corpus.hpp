// tests/fuzz/corpus.hpp — corpora as text: one input a line, escaped as C does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rehearse::test {

/// The inputs of corpus/TARGET.txt. Lines that begin with `# ` are comments; a byte is itself, or
/// one of `\n \t \r \\ \xNN`. Throws std::runtime_error for another escape.
[[nodiscard]] std::vector<std::string> read_corpus(std::string_view target);

}  // namespace rehearse::test
