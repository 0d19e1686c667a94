// tests/fuzz/targets/cgroup_conf.cpp — cgroup.conf.
#include "sim/config/cgroup_conf.hpp"

#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/text_in_a_file.hpp"

namespace rehearse::test {

void fuzz_cgroup_conf(std::string_view text) {
  Diagnostics found;
  (void)read_cgroup_conf(TextInAFile(text).path(), found);
}

}  // namespace rehearse::test
