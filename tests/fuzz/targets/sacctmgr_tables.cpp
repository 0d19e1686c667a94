// tests/fuzz/targets/sacctmgr_tables.cpp — sacctmgr show assoc, qos and event; sshare.
#include "sim/config/accounting.hpp"
#include "sim/config/site_conf.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/text_in_a_file.hpp"

namespace rehearse::test {

void fuzz_sacctmgr_tables(std::string_view text) {
  Diagnostics found;
  (void)parse_assoc_table(text, "assoc.txt", found);
  (void)parse_qos_table(text, "qos.txt", found);
  (void)parse_usage_table(text, "usage.txt", found);
  const TextInAFile file(text);
  (void)read_node_events(file.path(), found);
  (void)read_runtimes(file.path(), found);
}

}  // namespace rehearse::test
