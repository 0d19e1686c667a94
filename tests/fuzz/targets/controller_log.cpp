// tests/fuzz/targets/controller_log.cpp — slurmctld.log.
#include "workloads/controller_log.hpp"

#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_controller_log(std::string_view text) {
  const ControllerLog log = read_controller_log(text, TimeZone::utc());
  (void)clean_up_times(log);
}

}  // namespace rehearse::test
