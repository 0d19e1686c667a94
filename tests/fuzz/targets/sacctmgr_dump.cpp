// tests/fuzz/targets/sacctmgr_dump.cpp — sacctmgr dump.
#include "sim/config/accounting.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_sacctmgr_dump(std::string_view text) {
  Diagnostics found;
  (void)parse_sacctmgr_dump(text, "assoc.dump", found);
}

}  // namespace rehearse::test
