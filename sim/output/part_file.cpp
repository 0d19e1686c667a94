// sim/output/part_file.cpp — a lock on the file itself tells who is writing.
#include "sim/output/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "sim/output/output_error.hpp"
#include "sim/output/output_place.hpp"

namespace rehearse {
namespace {

constexpr int kMostWriters = 64;

/// True if `path` is still the file behind `descriptor`: its writer may have put it in place since.
bool is_still(const std::filesystem::path& path, int descriptor) {
  struct stat named = {};
  struct stat held = {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &held) == 0 &&
         named.st_dev == held.st_dev && named.st_ino == held.st_ino;
}

/// False: somebody else has it. Of the open file, as libhdf5 has locks of its own on it; where a
/// file system knows no locks, it is as if nobody else wrote.
bool lock(int descriptor) {
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

/// What a link leads to is written, there already or not, and the link stays.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as the system's; a circle is then told by open()
  std::error_code failed;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, failed); ++i) {
    path = path.parent_path() / std::filesystem::read_symlink(path, failed);
  }
  return path;
}

}  // namespace

PartFile::PartFile(std::filesystem::path whole) : whole_(behind_links(std::move(whole))) {
  require_file(whole_);
  for (int writer = 1; writer <= kMostWriters; ++writer) {
    path_ = whole_;
    path_ += writer == 1 ? ".part" : fmt::format(".part{}", writer);
    if (take(path_)) return;
  }
  throw OutputError(whole_, fmt::format("cannot be written: {} runs write it", kMostWriters));
}

bool PartFile::take(const std::filesystem::path& path) {
  for (;;) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw OutputError(whole_, fmt::format("cannot be written: {}", std::strerror(errno)));
    }
    const bool is_taken = !lock(descriptor_);
    if (!is_taken && is_still(path, descriptor_)) {
      (void)::ftruncate(descriptor_, 0);
      return true;
    }
    ::close(descriptor_);
    descriptor_ = -1;
    if (is_taken) return false;
  }
}

PartFile::~PartFile() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  if (is_still(path_, descriptor_)) std::filesystem::remove(path_, ignored);
  ::close(descriptor_);
}

int PartFile::put_in_place() {
  if (std::rename(path_.c_str(), whole_.c_str()) != 0) return errno;
  ::close(std::exchange(descriptor_, -1));
  return 0;
}

}  // namespace rehearse
