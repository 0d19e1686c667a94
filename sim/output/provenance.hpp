// sim/output/provenance.hpp — how a result was made: enough to make it again, nothing of when or
// where.
//
// Compiler, flags and build type are not kept: the same bytes come from every build. They are
// printed by `rehearse --version`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/site_changes.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"

namespace rehearse {

/// One input file. `text` is empty for what is too large to keep (the jobs).
struct InputFile {
  std::string role;    ///< `slurm.conf`, `gres.conf`, `assoc.dump`, `jobs` …
  std::string name;    ///< as given, relative to the site
  std::string sha256;  ///< of its bytes, hexadecimal
  std::uint64_t bytes = 0;
  std::string text;
};

struct Provenance {
  std::string version, commit;                               ///< of this program
  std::string command_line;                                  ///< as typed, quoted where needed
  std::string slurm_version;                                 ///< emulated
  std::vector<std::pair<std::string, std::uint64_t>> seeds;  ///< by purpose
  std::vector<InputFile> inputs;
  std::string configuration;  ///< resolved, as JSON
};

[[nodiscard]] InputFile make_input(std::string role, std::string name, std::string text);

/// What holds for a run beside its files.
struct RunContext {
  std::vector<SiteChange> changes;  ///< of --set and of a scenario, beyond slurm.conf
  /// Jobs that the trace has running or pending at --from, and the run does not.
  std::uint64_t running_before = 0, pending_before = 0;
  std::vector<std::string> replayed;  ///< words of SchedulerParameters in whose place a record acts
};

/// `{"slurm.conf": {key: text …}, "nodes": n, …}`: every global key after --set, and site.yaml's
/// with the differences of the emulated release from 22.05. What of the context there is none of
/// is left out.
[[nodiscard]] std::string configuration_json(const SlurmConf& conf, const SiteConf& site,
                                             const RunContext& context);

}  // namespace rehearse
