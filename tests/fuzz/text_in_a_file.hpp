// tests/fuzz/text_in_a_file.hpp — bytes as a file that is on no disk, for readers that open one.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rehearse::test {

class TextInAFile {
 public:
  explicit TextInAFile(std::string_view text) : fd_(::memfd_create("input", MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error("no file in memory");
    while (!text.empty()) {
      const ssize_t wrote = ::write(fd_, text.data(), text.size());
      if (wrote <= 0) throw std::runtime_error("a file in memory cannot be written");
      text.remove_prefix(static_cast<std::size_t>(wrote));
    }
  }
  ~TextInAFile() { ::close(fd_); }
  TextInAFile(const TextInAFile&) = delete;
  TextInAFile& operator=(const TextInAFile&) = delete;

  [[nodiscard]] std::filesystem::path path() const {
    return "/proc/self/fd/" + std::to_string(fd_);
  }

 private:
  int fd_;
};

}  // namespace rehearse::test
