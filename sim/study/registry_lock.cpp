// sim/study/registry_lock.cpp — flock(2) on REGISTRY.lock.
#include "sim/study/registry_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/core/error.hpp"
#include "sim/output/output_error.hpp"

namespace rehearse {
namespace {

/// True if the open file is still the one of that name: its holder may have removed it meanwhile.
bool is_named(int descriptor, const std::filesystem::path& file) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(file.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

}  // namespace

RegistryLock::RegistryLock(const std::filesystem::path& registry) : file_(registry) {
  file_ += ".lock";
  while (true) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw OutputError(file_, std::strerror(errno));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      ::close(descriptor_);
      throw InputError({registry.string(), 0, 0}, "another sweep is filling this registry",
                       "wait for it, or write another one: -o FILE");
    }
    if (is_named(descriptor_, file_)) return;
    ::close(descriptor_);
  }
}

RegistryLock::~RegistryLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

}  // namespace rehearse
