// workloads/input.hpp — the text of a trace, however it was compressed: whole, or piece by piece.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace rehearse {

struct InputText {
  std::string name;  ///< for findings: the path as given, or "<stdin>"
  std::string text;
};

/// A text that is read a piece at a time. gzip, xz, zstd, bzip2 and lzma are known by their
/// content, never by the name.
class InputStream {
 public:
  /// Opens a file, or standard input for `-`. Throws InputError: no such file, not readable, a
  /// device.
  explicit InputStream(const std::filesystem::path& path);
  /// Of what is in memory already. `piece`: given at a time [bytes].
  explicit InputStream(InputText text, std::size_t piece = std::string::npos);
  InputStream(InputStream&&) noexcept;
  ~InputStream();

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Of the file as it is, compressed or not, or of what is in memory; of a pipe: 0 [bytes].
  [[nodiscard]] std::size_t size_in_file() const;
  /// Appends the next piece to `text`. False: there was no more. Throws InputError: damaged, or
  /// made to fill the memory.
  bool read_on(std::string& text);

 private:
  struct File;

  std::string name_;
  std::unique_ptr<File> file_;  ///< none: the text is in `text_`
  std::string text_;
  std::size_t piece_ = 0, at_ = 0;
};

/// The whole text of a stream. Throws InputError, as InputStream does.
[[nodiscard]] InputText read_input(const std::filesystem::path& path);

/// `text` as an .xz stream: the same bytes for the same text.
[[nodiscard]] std::string compress_xz(const std::string& text);

}  // namespace rehearse
