# scripts/version.cmake — writes OUTPUT (sim/app/version.hpp's functions) when the commit has changed.
execute_process(COMMAND git describe --always --dirty --exclude * WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Written by scripts/version.cmake at build time.
#include "sim/app/version.hpp"
namespace rehearse {
std::string_view version_text() { return "rehearse @RELEASE@ (@commit@)"; }
std::string_view release_text() { return "@RELEASE@"; }
std::string_view commit_text() { return "@commit@"; }
std::string_view compiler_text() { return "@COMPILER@"; }
std::string_view build_type_text() { return "@BUILD_TYPE@"; }
}  // namespace rehearse
]])
