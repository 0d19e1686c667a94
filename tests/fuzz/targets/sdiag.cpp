// tests/fuzz/targets/sdiag.cpp — sdiag's output.
#include "sim/config/sdiag_table.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/text_in_a_file.hpp"

namespace rehearse::test {

void fuzz_sdiag(std::string_view text) {
  Diagnostics found;
  (void)read_sdiag(TextInAFile(text).path(), found);
}

}  // namespace rehearse::test
