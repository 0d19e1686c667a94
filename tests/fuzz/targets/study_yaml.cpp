// tests/fuzz/targets/study_yaml.cpp — a study.
#include "sim/study/study_conf.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_study_yaml(std::string_view text) {
  Diagnostics found;
  (void)parse_study(text, "study.yaml", found);
}

}  // namespace rehearse::test
