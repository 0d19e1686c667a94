// sim/config/text_scan.hpp — the small readers that every text format of this room needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse::text {

/// A part of a text and where in it the part begins.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;
};

/// Splits at every `separator`; an empty text is one empty piece.
[[nodiscard]] std::vector<Piece> split_at(std::string_view text, char separator);

/// Decimal digits only, nothing else; none on overflow.
[[nodiscard]] std::optional<std::uint64_t> parse_decimal(std::string_view text);
[[nodiscard]] std::optional<std::uint32_t> parse_decimal32(std::string_view text);

/// A finite floating-point number that takes the whole text; free of any locale.
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

/// True if `text` is, in any letter case, a beginning of `word` of at least `least` characters.
[[nodiscard]] bool abbreviates(std::string_view text, std::string_view word, std::size_t least);

/// `where` moved `offset` columns to the right on its line.
[[nodiscard]] SourcePosition shifted(SourcePosition where, std::size_t offset);

/// The lines of a text without their ends (LF or CRLF); a byte order mark is dropped.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// The whole file; an unreadable one is an error in `found`.
[[nodiscard]] std::optional<std::string> read_file(const std::filesystem::path& path,
                                                   Diagnostics& found);

}  // namespace rehearse::text
