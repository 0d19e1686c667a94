// tests/fuzz/targets/gres_conf.cpp — gres.conf, and Gres= of nodes.
#include "sim/config/gres_conf.hpp"

#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_gres_conf(std::string_view text) {
  Diagnostics found;
  (void)parse_gres_conf(text, "gres.conf", "/nonexistent", found);
  (void)parse_gres_spec(text, {"slurm.conf", 1, 1}, found);
  (void)parse_gres_count(text);
}

}  // namespace rehearse::test
