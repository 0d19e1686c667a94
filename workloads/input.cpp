// workloads/input.cpp — libarchive's filters around one raw entry.
#include "workloads/input.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/core/error.hpp"

namespace rehearse {
namespace {

struct FreeReader {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
struct FreeWriter {
  void operator()(archive* writer) const { archive_write_free(writer); }
};
struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

std::string complaint(archive* reader) {
  const char* text = archive_error_string(reader);
  return text != nullptr ? text : "unknown error of libarchive";
}

std::unique_ptr<archive, FreeReader> new_reader() {
  std::unique_ptr<archive, FreeReader> reader(archive_read_new());
  REHEARSE_CHECK(reader != nullptr, "libarchive gave no reader");
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_lzma(reader.get());
  archive_read_support_filter_zstd(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  return reader;
}

/// Closes what it opened; standard input stays open.
class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path) : name_(path.string()) {
    if (name_ == "-") {
      fd_ = STDIN_FILENO;
      return;
    }
    // Opened here and not by libarchive, so that a folder or a missing file is told as such.
    fd_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) {
      throw InputError({name_, 0, 0}, std::string("cannot be read: ") + std::strerror(errno));
    }
    struct stat kind {};
    if (::fstat(fd_, &kind) == 0 && S_ISCHR(kind.st_mode)) {  // which may have no end
      ::close(fd_);
      throw InputError({name_, 0, 0}, "is a device, not a file", "standard input is -");
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  /// Of a file, 0 of a pipe [bytes].
  [[nodiscard]] std::size_t size() const {
    struct stat kind {};
    const bool is_file = ::fstat(fd_, &kind) == 0 && S_ISREG(kind.st_mode);
    return is_file ? static_cast<std::size_t>(kind.st_size) : 0;
  }

 private:
  std::string name_;
  int fd_ = -1;
};

/// Job tables shrink to a tenth or a thirtieth. What grows to more than this many times its size,
/// and is large, was made to fill the memory.
constexpr std::uint64_t kMostGrowth = 250, kLargeText = std::uint64_t{1} << 28U;

constexpr std::size_t kPiece = std::size_t{1} << 18U;

}  // namespace

struct InputStream::File {
  Descriptor descriptor;
  std::unique_ptr<archive, FreeReader> reader;
  std::uint64_t length = 0;  ///< of the text, so far
  bool ended = false;
};

InputStream::InputStream(const std::filesystem::path& path)
    : name_(path == "-" ? "<stdin>" : path.string()),
      file_(new File{Descriptor(path), new_reader()}) {
  archive* const reader = file_->reader.get();
  archive_entry* entry = nullptr;
  int opened = archive_read_open_fd(reader, file_->descriptor.get(), kPiece);
  if (opened == ARCHIVE_OK) opened = archive_read_next_header(reader, &entry);
  file_->ended = opened == ARCHIVE_EOF;  // an empty file
  if (opened != ARCHIVE_OK && opened != ARCHIVE_WARN && opened != ARCHIVE_EOF) {
    throw InputError({name_, 0, 0}, "cannot be read: " + complaint(reader));
  }
}

InputStream::InputStream(InputText text, std::size_t piece)
    : name_(std::move(text.name)), text_(std::move(text.text)), piece_(piece) {}
InputStream::InputStream(InputStream&&) noexcept = default;
InputStream::~InputStream() = default;

std::size_t InputStream::size_in_file() const {
  return file_ == nullptr ? text_.size() : file_->descriptor.size();
}

bool InputStream::read_on(std::string& text) {
  if (file_ == nullptr) {
    if (at_ >= text_.size()) return false;
    if (text.empty() && at_ == 0 && piece_ >= text_.size()) {
      text.swap(text_);  // no second copy of a large text
      text_.clear();
    } else {
      text.append(text_, at_, piece_);
      at_ += std::min(piece_, text_.size() - at_);
    }
    return true;
  }
  if (file_->ended) return false;
  archive* const reader = file_->reader.get();
  const void* piece = nullptr;  // of the filter's own memory: copied once
  std::size_t size = 0;
  la_int64_t offset = 0;
  const int got = archive_read_data_block(reader, &piece, &size, &offset);
  if (got == ARCHIVE_EOF) {
    file_->ended = true;
    return false;
  }
  const bool is_there = got == ARCHIVE_OK || got == ARCHIVE_WARN;
  if (is_there) {
    text.append(static_cast<const char*>(piece), size);
    file_->length += size;
  }
  const auto packed = static_cast<std::uint64_t>(archive_filter_bytes(reader, -1));
  if (file_->length > kLargeText && file_->length / kMostGrowth > packed) {
    throw InputError({name_, 0, 0},
                     fmt::format("the first {} MiB grow to more than {} MiB of text",
                                 (packed >> 20U) + 1, kLargeText >> 20U),
                     "tables of jobs do not: if this one does, give it uncompressed");
  }
  if (!is_there) {
    throw InputError({name_, 0, 0}, "is damaged: " + complaint(reader),
                     "the file may have been cut; copy it again");
  }
  return true;
}

InputText read_input(const std::filesystem::path& path) {
  InputStream stream(path);
  InputText input{stream.name(), {}};
  // All of a text that is not compressed: growing by doubling touches twice the memory.
  input.text.reserve(stream.size_in_file() + kPiece);
  while (stream.read_on(input.text)) {
  }
  return input;
}

std::string compress_xz(const std::string& text) {
  std::unique_ptr<archive, FreeWriter> writer(archive_write_new());
  REHEARSE_CHECK(writer != nullptr, "libarchive gave no writer");
  archive_write_set_format_raw(writer.get());
  archive_write_add_filter_xz(writer.get());
  archive_write_set_filter_option(writer.get(), "xz", "compression-level", "6");
  archive_write_set_filter_option(writer.get(), "xz", "threads", "1");  // the same bytes everywhere
  archive_write_set_bytes_in_last_block(writer.get(), 1);
  std::string out;
  const auto append = [](archive*, void* to, const void* data, std::size_t size) -> la_ssize_t {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
  };
  int done = archive_write_open2(writer.get(), &out, nullptr, append, nullptr, nullptr);
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  if (done == ARCHIVE_OK) done = archive_write_header(writer.get(), entry.get());
  if (done == ARCHIVE_OK && !text.empty() &&
      archive_write_data(writer.get(), text.data(), text.size()) < 0) {
    done = ARCHIVE_FATAL;
  }
  if (done == ARCHIVE_OK) done = archive_write_close(writer.get());
  REHEARSE_CHECK(done == ARCHIVE_OK, "libarchive cannot compress: {}", complaint(writer.get()));
  return out;
}

}  // namespace rehearse
