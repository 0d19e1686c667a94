// sim/app/command_line.hpp — from words to a verb: parsing, help, and what was probably meant.
#pragma once

#include "sim/app/verb.hpp"

namespace rehearse {

/// Parses and runs. Usage errors are printed here; InputError passes through.
[[nodiscard]] Exit run_command_line(int argc, const char* const* argv);

}  // namespace rehearse
