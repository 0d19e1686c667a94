// sim/output/output_place.cpp — the folder of a file that is to be written, as the system sees it.
#include "sim/output/output_place.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sim/core/error.hpp"
#include "sim/output/output_error.hpp"

namespace rehearse {

namespace {

[[noreturn]] void refuse_place(const std::filesystem::path& path, int reason) {
  throw OutputError(path,
                    fmt::format("cannot be written: {}", std::generic_category().message(reason)));
}

}  // namespace

void require_writable(const std::filesystem::path& path) {
  const auto refuse = [&](int reason) { refuse_place(path, reason); };
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) refuse(EISDIR);
  if (path.has_parent_path() && !path.has_filename()) refuse(EISDIR);  // `folder/`
  if (std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed)) {
    return;  // a device or a pipe
  }
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, failed)) {
    refuse(std::filesystem::exists(folder, failed) ? ENOTDIR : ENOENT);
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(errno);
}

void require_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::path known = std::filesystem::absolute(folder);
  while (!std::filesystem::exists(known, failed) && known.has_relative_path()) {
    known = known.parent_path();
  }
  if (!std::filesystem::is_directory(known, failed)) refuse_place(folder, ENOTDIR);
  if (::access(known.c_str(), W_OK | X_OK) != 0) refuse_place(folder, errno);
}

void require_file(const std::filesystem::path& path) {
  std::error_code failed;
  const auto kind = std::filesystem::status(path, failed).type();
  using enum std::filesystem::file_type;
  if (kind == block || kind == character || kind == fifo || kind == socket || kind == unknown) {
    throw OutputError(path, "is no file, and would be replaced by one; without -o none is written");
  }
  require_writable(path);
}

void require_absent(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, failed))) return;
  throw InputError({path.string(), 0, 0}, "is there already", "--force writes over it");
}

}  // namespace rehearse
