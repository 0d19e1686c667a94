// tests/fuzz/targets/conditions.cpp — expressions of --fail-if and --target.
#include "sim/core/error.hpp"
#include "sim/study/comparison/condition.hpp"
#include "sim/study/sizing/target.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_conditions(std::string_view text) {
  try {
    (void)parse_condition(text);
  } catch (const ConditionError&) {
  }
  try {
    (void)read_target(text);
  } catch (const ConditionError&) {
  }
}

}  // namespace rehearse::test
