// sim/config/conf_lexer.hpp — Slurm's configuration syntax: lines, comments, continuation, escapes,
// Include, and KEY=VALUE pairs with the place of each (formats.md §1).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

/// A place in one of the files of a ConfText; line 0: the file as a whole.
struct ConfPlace {
  std::uint32_t file = 0, line = 0, column = 0;
};

/// One KEY=VALUE; quotes are removed, case is kept.
struct ConfPair {
  std::string key;
  char op = '=';  ///< or one of + - * /, which slurm.conf does not use
  std::string value;
  ConfPlace key_at, value_at;
};

/// The pairs of one logical line, never empty.
struct ConfLine {
  std::vector<ConfPair> pairs;
};

/// A file with its includes, in order of reading.
struct ConfText {
  std::vector<ConfLine> lines;
  std::vector<std::pair<std::string, std::string>> sources;  ///< file, text; the main file first

  [[nodiscard]] SourcePosition position(ConfPlace place) const {
    return {sources[place.file].first, place.line, place.column};
  }
};

/// Reads `text`; `name` stands in messages and Include paths are relative to `directory`.
[[nodiscard]] ConfText lex_conf(std::string_view text, const std::string& name,
                                const std::filesystem::path& directory, Diagnostics& found);

/// The whole file. False: it cannot be read, is no regular file, or has more than 256 MiB.
[[nodiscard]] bool read_text_file(const std::filesystem::path& path, std::string& text);

}  // namespace rehearse
