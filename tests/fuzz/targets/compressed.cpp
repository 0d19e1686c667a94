// tests/fuzz/targets/compressed.cpp — whatever may be a compressed stream.
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/text_in_a_file.hpp"
#include "workloads/input.hpp"

namespace rehearse::test {

void fuzz_compressed(std::string_view text) {
  (void)read_input(TextInAFile(text).path());
}

}  // namespace rehearse::test
