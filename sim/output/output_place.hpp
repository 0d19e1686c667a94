// sim/output/output_place.hpp — may a file be written there? Asked before the work, not after it.
#pragma once

#include <filesystem>

namespace rehearse {

/// Throws OutputError where `path` can become no file: its folder is not there or may not be
/// written into, or it is a folder itself. A disk that fills up later is told by the writer.
void require_writable(const std::filesystem::path& path);

/// The same of files in a folder, which is made if it is not there, with those above it.
void require_folder(const std::filesystem::path& folder);

/// The same of a result, which is written beside its place and then put there. Throws OutputError
/// where that would put a file in the place of a device, a pipe or a socket.
void require_file(const std::filesystem::path& path);

/// Throws InputError where anything has this name, also a link that leads nowhere.
void require_absent(const std::filesystem::path& path);

}  // namespace rehearse
