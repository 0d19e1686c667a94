// tests/fuzz/targets/topology_conf.cpp — topology.conf.
#include "sim/config/topology_conf.hpp"

#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_topology_conf(std::string_view text) {
  Diagnostics found;
  (void)parse_topology_conf(text, "topology.conf", "/nonexistent", found);
}

}  // namespace rehearse::test
