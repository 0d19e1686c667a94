// tests/fuzz/entry.cpp — what libFuzzer calls; built once a target, which REHEARSE_FUZZ_TARGET
// names.
#include <cstddef>
#include <cstdint>

#include "sim/core/error.hpp"
#include "tests/fuzz/targets.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    rehearse::test::REHEARSE_FUZZ_TARGET(text);
  } catch (const rehearse::InputError&) {
    return 0;  // what is wrong with it was told
  }
  return 0;
}
