// sim/output/text_file.cpp — stdio, and libarchive's filters around one raw entry.
#include "sim/output/text_file.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "sim/output/output_error.hpp"
#include "sim/output/part_file.hpp"

namespace rehearse {
namespace {

struct FreeArchive {
  void operator()(archive* writer) const { archive_write_free(writer); }
};
struct FreeArchiveEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

/// `gz`, `xz`, `zst`; empty: as it is.
std::string compression_of(const std::filesystem::path& path) {
  const std::string end = path.extension().string();
  return end == ".gz" || end == ".xz" || end == ".zst" ? end.substr(1) : std::string();
}

la_ssize_t append_to(archive*, void* file, const void* data, std::size_t size) {
  const std::size_t done = std::fwrite(data, 1, size, static_cast<std::FILE*>(file));
  return done == size ? static_cast<la_ssize_t>(size) : -1;
}

}  // namespace

struct TextFile::State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  State(State&&) = delete;
  State& operator=(State&&) = delete;
  ~State() {
    filter.reset();  // which still writes
    if (file == nullptr || file == stdout) return;
    std::fclose(file);
  }

  std::filesystem::path path;
  std::optional<PartFile> part;  // none: a device or a pipe, which is no file
  std::FILE* file = nullptr;
  std::unique_ptr<archive, FreeArchive> filter;

  [[noreturn]] void fail(int error) const {
    throw OutputError(path, std::string("cannot be written: ") + std::strerror(error));
  }
  void open_filter(const std::string& compression);
};

void TextFile::State::open_filter(const std::string& compression) {
  filter.reset(archive_write_new());
  archive* const out = filter.get();
  if (out == nullptr) fail(ENOMEM);
  archive_write_set_format_raw(out);
  if (compression == "gz") {
    archive_write_add_filter_gzip(out);
    archive_write_set_filter_option(out, "gzip", "timestamp", nullptr);  // the same bytes tomorrow
  } else if (compression == "xz") {
    archive_write_add_filter_xz(out);
    archive_write_set_filter_option(out, "xz", "threads", "1");  // the same bytes everywhere
  } else {
    archive_write_add_filter_zstd(out);
  }
  archive_write_set_bytes_in_last_block(out, 1);
  int done = archive_write_open2(out, file, nullptr, append_to, nullptr, nullptr);
  const std::unique_ptr<archive_entry, FreeArchiveEntry> entry(archive_entry_new());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  if (done == ARCHIVE_OK) done = archive_write_header(out, entry.get());
  if (done == ARCHIVE_OK) return;
  const char* const why = archive_error_string(out);
  throw OutputError(path, std::string("cannot be compressed: ") + (why != nullptr ? why : "?"));
}

TextFile::TextFile(std::filesystem::path path, Packing packing)
    : state_(std::make_unique<State>()) {
  state_->path = std::move(path);
  if (state_->path == "-") {
    state_->file = stdout;
    return;
  }
  std::error_code none;
  const auto kind = std::filesystem::status(state_->path, none).type();
  const bool is_file = kind == std::filesystem::file_type::not_found ||
                       kind == std::filesystem::file_type::regular ||
                       kind == std::filesystem::file_type::directory;  // which the rename refuses
  if (is_file) state_->part.emplace(state_->path);
  state_->file = std::fopen((is_file ? state_->part->path() : state_->path).c_str(), "wbe");
  if (state_->file == nullptr) state_->fail(errno);
  const std::string compression =
      packing == Packing::ByName ? compression_of(state_->path) : std::string();
  if (!compression.empty()) state_->open_filter(compression);
}

TextFile::~TextFile() = default;

void TextFile::write(std::string_view text) {
  if (text.empty()) return;
  errno = 0;
  const bool is_done = state_->filter
                           ? archive_write_data(state_->filter.get(), text.data(), text.size()) >= 0
                           : std::fwrite(text.data(), 1, text.size(), state_->file) == text.size();
  if (!is_done) state_->fail(errno != 0 ? errno : EIO);
}

void TextFile::commit() {
  errno = 0;
  if (state_->filter && archive_write_close(state_->filter.get()) != ARCHIVE_OK) {
    state_->fail(errno != 0 ? errno : EIO);
  }
  std::FILE* const file = std::exchange(state_->file, nullptr);
  if (file == stdout) {
    if (std::fflush(stdout) != 0) state_->fail(errno);
    return;
  }
  int error = std::fflush(file) != 0 ? errno : 0;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  if (error == 0 && state_->part) error = state_->part->put_in_place();
  if (error != 0) state_->fail(error);
}

void write_text_file(const std::filesystem::path& path, std::string_view text,
                     TextFile::Packing packing) {
  TextFile file(path, packing);
  file.write(text);
  file.commit();
}

}  // namespace rehearse
