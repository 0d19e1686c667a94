// sim/output/text_file.hpp — a text that is written whole or not at all, compressed by its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace rehearse {

/// Writes to a temporary file beside `path`; commit() makes it `path`. Destroyed without commit, it
/// leaves nothing. `-` is standard output; devices and pipes are written to as they are. Names that
/// end in .gz, .xz or .zst are compressed; the same text gives the same bytes. Failures throw
/// OutputError with the system's reason.
class TextFile {
 public:
  enum class Packing : std::uint8_t { ByName, AsItIs };  ///< AsItIs: what is packed already
  explicit TextFile(std::filesystem::path path, Packing packing = Packing::ByName);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  TextFile(TextFile&&) = delete;
  TextFile& operator=(TextFile&&) = delete;

  void write(std::string_view text);
  /// Nothing may be written afterwards.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The whole of `text` as `path`, or nothing.
void write_text_file(const std::filesystem::path& path, std::string_view text,
                     TextFile::Packing packing = TextFile::Packing::ByName);

}  // namespace rehearse
