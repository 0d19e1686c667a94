// sim/config/logical_line.hpp — physical lines become logical ones: comments off, continued lines
// joined, escapes undone, and every byte still knows its line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse {

struct LinePlace {
  std::uint32_t line = 0, column = 0;
};

struct LogicalLine {
  std::string text;
  bool has_nul = false;  ///< NUL bytes were replaced by blanks
  LinePlace first_nul;

  /// Line and column of the byte at `offset`.
  [[nodiscard]] LinePlace place(std::size_t offset) const;

  /// From `offset` on, text stands in this order from `at` on.
  struct Piece {
    std::size_t offset = 0;
    LinePlace at;
  };
  std::vector<Piece> pieces;
};

/// Hands out the logical lines of a text (formats.md §1.1).
class LineReader {
 public:
  LineReader(std::string_view text, std::uint32_t first_column)
      : rest_(text), column_(first_column) {}

  /// False at the end of the text.
  bool next(LogicalLine& line);

 private:
  bool append_physical_line(LogicalLine& line);

  std::string_view rest_;
  std::uint32_t line_ = 0;
  std::uint32_t column_;  // of the first byte of the next line: not 1 behind a byte order mark
};

}  // namespace rehearse
