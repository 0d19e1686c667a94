// sim/output/sha256.hpp — SHA-256 (FIPS 180-4), for the inputs named in a result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rehearse {

/// Takes bytes in any number of pieces.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 hexadecimal digits, lower case. Nothing may be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;
};

[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace rehearse
