// sim/output/seal.cpp — the seal: `rehearse-seal 1 HASH`, HASH over all bytes before it.
#include "sim/output/seal.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"

namespace rehearse::seal {
namespace {

constexpr std::string_view kMark = "\nrehearse-seal 1 ";
constexpr std::size_t kBytes = kMark.size() + 16 + 1;  // sixteen digits, a line end

std::uint64_t little_endian(const char* bytes, std::size_t count) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < count; ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return word;
}

/// Of the first `size` bytes, eight at a time: one changed word always changes the answer. Nothing:
/// fewer can be read.
std::optional<std::string> seal_of(std::ifstream& file, std::uint64_t size) {
  constexpr std::size_t kPiece = std::size_t{1} << 18;  // of eight bytes a word
  std::vector<char> piece(kPiece);
  Fingerprint all;
  all.add(size);
  file.clear();
  file.seekg(0);
  for (std::uint64_t left = size; left > 0;) {
    const std::size_t here = left < kPiece ? static_cast<std::size_t>(left) : kPiece;
    if (!file.read(piece.data(), static_cast<std::streamsize>(here))) return std::nullopt;
    std::size_t at = 0;
    for (; at + 8 <= here; at += 8) all.add(little_endian(&piece[at], 8));
    if (at < here) all.add(little_endian(&piece[at], here - at));
    left -= here;
  }
  return fmt::format("{}{:016x}\n", kMark, all.value());
}

/// Where the HDF5 file ends by its own superblock (format specification, II.A: versions 2 and 3,
/// the ones that Writer writes). Nothing: it is of another kind.
std::optional<std::uint64_t> end_by_superblock(std::ifstream& file) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  std::array<char, 48> head{};
  file.clear();
  file.seekg(0);
  if (!file.read(head.data(), head.size())) return std::nullopt;
  const bool is_ours = std::string_view(head.data(), 8) == kSignature &&
                       (head[8] == 2 || head[8] == 3) && head[9] == 8;
  if (!is_ours) return std::nullopt;
  return little_endian(&head[28], 8);
}

}  // namespace

void require_stored(const std::filesystem::path& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (!std::filesystem::is_other(status)) return;
  throw InputError({path.string(), 0, 0}, "is no regular file, and a result is not read in order",
                   "write what it gives into a file first");
}

std::string put_on(const std::filesystem::path& path) {
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  if (failed) return failed.message();
  std::ifstream file(path, std::ios::binary);
  const auto seal = seal_of(file, size);
  if (!seal) return std::strerror(errno);
  std::ofstream end(path, std::ios::binary | std::ios::app);
  end << *seal << std::flush;
  return end ? "" : std::strerror(errno);
}

bool is_on(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string last(kBytes, '\0');
  return file.seekg(-static_cast<std::streamoff>(kBytes), std::ios::end) &&
         file.read(last.data(), static_cast<std::streamsize>(kBytes)) && last.starts_with(kMark);
}

std::string what_is_broken(const std::filesystem::path& path) {
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  if (failed || !file) return "";
  std::string last(kBytes, '\0');
  if (size >= kBytes) {
    file.seekg(static_cast<std::streamoff>(size - kBytes));
    if (!file.read(last.data(), static_cast<std::streamsize>(kBytes))) return "";
  }
  if (last.starts_with(kMark)) {
    const auto seal = seal_of(file, size - kBytes);
    return seal && *seal != last ? "the file is damaged: its bytes are not those that were written"
                                 : "";
  }
  const auto end = end_by_superblock(file);
  if (!end || *end == size) return "";
  if (*end > size) {
    return fmt::format("the file is cut: of {} bytes {} are there", *end, size);
  }
  return fmt::format("the file is damaged: {} bytes stand behind its end, and they are no seal",
                     size - *end);
}

}  // namespace rehearse::seal
