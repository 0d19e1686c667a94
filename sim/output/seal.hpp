// sim/output/seal.hpp — a line behind a result that says what its bytes were.
//
// libhdf5 checks its metadata but not its texts and heaps, and follows damaged ones out of bounds.
// So the bytes of a result are held against their seal before libhdf5 sees them. What reads HDF5
// reads nothing behind the file's end; who opens a result to write in it takes the seal off.
#pragma once

#include <filesystem>
#include <string>

namespace rehearse::seal {

/// Throws InputError where `path` is a pipe or a device: a result is read out of order, and opening
/// a pipe may wait for ever.
void require_stored(const std::filesystem::path& path);

/// Appends the seal to a closed HDF5 file. Returns the system's reason where it cannot; empty:
/// done.
[[nodiscard]] std::string put_on(const std::filesystem::path& path);

/// Does the file end with a seal, broken or not?
[[nodiscard]] bool is_on(const std::filesystem::path& path);

/// What is wrong with the file, in words; empty where it is whole, has no seal (from before there
/// were seals, or written in since), or cannot be read at all, which opening it will tell.
[[nodiscard]] std::string what_is_broken(const std::filesystem::path& path);

}  // namespace rehearse::seal
