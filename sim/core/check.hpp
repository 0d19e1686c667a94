// sim/core/check.hpp — the program is wrong: say what was found, and stop.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace rehearse {

/// Prints the failed claim with what was found, then aborts. In every build.
[[noreturn]] void check_failed(const char* file, int line, const char* claim,
                               std::string_view found);

}  // namespace rehearse

/// REHEARSE_CHECK(condition, "what was found, as a format", values…). No input may reach it.
#define REHEARSE_CHECK(condition, ...)                                                    \
  do {                                                                                    \
    if (!(condition)) [[unlikely]]                                                        \
      ::rehearse::check_failed(__FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__)); \
  } while (false)
