// sim/study/registry_rewrite.cpp — VACUUM INTO beside it, then a rename.
#include "sim/study/registry_rewrite.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "sim/output/output_error.hpp"

namespace rehearse {
namespace {

/// VACUUM INTO leaves the new file to the system's cache: a power cut must not find its name
/// without its bytes.
void sync(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = descriptor < 0 || ::fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0) ::close(descriptor);
  if (error != 0) throw OutputError(file, std::strerror(error));
}

}  // namespace

void rewrite(SqlDatabase& database) {
  const std::filesystem::path file = std::filesystem::canonical(database.file());  // a link stays
  std::filesystem::path made = file;
  made += ".part";
  std::filesystem::remove(made);
  try {
    SqlStatement copy = database.prepare("VACUUM INTO ?");
    copy.bind(0, std::string_view(made.native())).run();
    // VACUUM counts itself in the cookie: where a sweep is killed between the rename and its end
    // the next one rewrites once more, and is to come to the same bytes. No journal: nothing stays
    // behind.
    SqlDatabase(made, SqlDatabase::Open::ToWrite)
        .execute("PRAGMA journal_mode = OFF; PRAGMA schema_version = 1;");
    sync(made);
    std::filesystem::permissions(made, std::filesystem::status(file).permissions());
    std::filesystem::rename(made, file);
  } catch (const std::exception&) {
    std::error_code ignored;
    std::filesystem::remove(made, ignored);
    throw;
  }
}

}  // namespace rehearse
