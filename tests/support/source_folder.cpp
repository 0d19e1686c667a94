// tests/support/source_folder.cpp — the one object that knows its checkout.
#include "tests/support/source_folder.hpp"

namespace rehearse::test {

std::filesystem::path source_folder() {
  return REHEARSE_SOURCE_DIR;
}

}  // namespace rehearse::test
