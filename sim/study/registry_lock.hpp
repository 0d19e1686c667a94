// sim/study/registry_lock.hpp — one sweep a registry: a lock file beside it, which goes with its
// holder.
#pragma once

#include <filesystem>

namespace rehearse {

/// Held as long as it lives; the system gives it back when the process ends, however it ends. A
/// lock of this machine: workers on other hosts never open the registry.
class RegistryLock {
 public:
  /// Throws InputError where another process holds it.
  explicit RegistryLock(const std::filesystem::path& registry);
  RegistryLock(const RegistryLock&) = delete;
  RegistryLock& operator=(const RegistryLock&) = delete;
  RegistryLock(RegistryLock&&) = delete;
  RegistryLock& operator=(RegistryLock&&) = delete;
  ~RegistryLock();

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace rehearse
