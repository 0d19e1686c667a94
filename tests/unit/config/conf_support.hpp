// tests/unit/config/conf_support.hpp — a small valid cluster around the lines that a test is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/slurm_conf.hpp"

namespace rehearse::test {

inline constexpr std::string_view kHead = "ClusterName=c\nSlurmctldHost=h\n";
inline constexpr std::string_view kTail =
    "NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\n";

/// What a reading gave and what it said, a finding a text.
struct Read {
  SlurmConf conf;
  std::vector<std::string> errors, others;
};

inline Read read_text(std::string_view text, const std::vector<std::string>& set = {},
                      SlurmVersion version = {}) {
  Diagnostics found;
  Read result{parse_slurm_conf(text, "slurm.conf", ".", set, found, version), {}, {}};
  for (const Diagnostic& finding : found.all()) {
    (finding.severity == Severity::Error ? result.errors : result.others)
        .push_back(to_text(finding));
  }
  return result;
}

/// The lines of the test stand at line 3, between a valid head and a valid tail.
inline Read read_amid(std::string_view lines, const std::vector<std::string>& set = {}) {
  return read_text(std::string(kHead) + std::string(lines) + "\n" + std::string(kTail), set);
}

/// The lines of the test with nodes n1, n2 but no partition: it brings its own.
inline Read read_partition_lines(std::string_view lines) {
  return read_text(std::string(kHead) + "NodeName=n[1-2] CPUs=4\n" + std::string(lines) + "\n");
}

}  // namespace rehearse::test
