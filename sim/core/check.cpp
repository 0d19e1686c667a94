// sim/core/check.cpp — the end of a program that is wrong.
#include "sim/core/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace rehearse {

void check_failed(const char* file, int line, const char* claim, std::string_view found) {
  fmt::print(stderr, "{}:{}: rehearse is wrong: {} does not hold: {}\n", file, line, claim, found);
  std::abort();
}

}  // namespace rehearse
