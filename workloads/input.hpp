// workloads/input.hpp — a trace as one piece of text, however it was compressed.
#pragma once

#include <filesystem>
#include <string>

namespace rehearse {

struct InputText {
  std::string name;  ///< for findings: the path as given, or "<stdin>"
  std::string text;
};

/// Reads a file, or standard input for `-`. gzip, xz, zstd, bzip2 and lzma are known by their
/// content, never by the name. Throws InputError: no such file, not readable, a device, damaged, or
/// made to fill the memory.
[[nodiscard]] InputText read_input(const std::filesystem::path& path);

/// `text` as an .xz stream: the same bytes for the same text.
[[nodiscard]] std::string compress_xz(const std::string& text);

}  // namespace rehearse
