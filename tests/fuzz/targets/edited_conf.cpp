// tests/fuzz/targets/edited_conf.cpp — one slurm.conf after another, as a reconfiguration has them.
//
// What follows a line `====` is the later one. Claims: of the same file nothing is new; what a
// reconfiguration takes it has taken the first time.
#include <stdexcept>

#include "sim/config/reconfiguration.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {
namespace {

void claim(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

SlurmConf read(std::string_view text, Diagnostics& found) {
  return parse_slurm_conf(text, "slurm.conf", "/nonexistent", {}, found);
}

std::vector<std::string> kept(const SlurmConf& running, const SlurmConf& file) {
  std::vector<std::string> what;
  for (const KeptSetting& each : kept_settings(running, file)) what.push_back(each.what);
  return what;
}

}  // namespace

void fuzz_edited_conf(std::string_view text) {
  constexpr std::string_view kThen = "\n====\n";
  const std::size_t end = text.find(kThen);
  if (end == std::string_view::npos) return;
  Diagnostics found;
  SlurmConf running = read(text.substr(0, end), found);
  const SlurmConf file = read(text.substr(end + kThen.size()), found);
  if (found.has_errors()) return;  // nothing is read again
  if (running.nodes.size() > 1000 || file.nodes.size() > 1000) return;
  claim(kept(file, file).empty(), "a file differs from itself");
  claim(changed_partitions(file, file).empty(), "a partition differs from itself");
  const std::vector<std::string> before = kept(running, file);
  reconfigure(running, file);
  claim(kept(running, file) == before, "a reconfiguration changes what it does not follow");
  for (const PartitionConf* each : changed_partitions(running, file)) {
    claim(find_partition(file, each->name) == each, "a changed partition is not the file's");
  }
}

}  // namespace rehearse::test
