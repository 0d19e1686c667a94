// sim/app/record.cpp — `rehearse record`: hands the site to the recorder, which runs a real
// slurmctld.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/verb.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

/// The recorder: beside an installed binary (../share/rehearse), or in the tree that it was built
/// in.
std::optional<fs::path> find_recorder() {
  std::error_code failed;
  const fs::path binary = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return std::nullopt;
  const fs::path folder = binary.parent_path();
  for (const fs::path& candidate : {folder / "../share/rehearse/reference/record.py",
                                    folder / "../../scripts/reference/record.py"}) {
    if (fs::is_regular_file(candidate, failed)) return fs::canonical(candidate, failed);
  }
  return std::nullopt;
}

class Record final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "record"; }
  [[nodiscard]] std::string_view summary() const override {
    return "run Debian's real slurmctld over a site on an accelerated clock (needs root)";
  }

  void describe(CLI::App& command) override {
    command
        .add_option("SITE", site_,
                    "a folder with slurm.conf, accounts (sacctmgr.txt, or assoc.dump and qos.txt) "
                    "and jobs (jobs.csv: submit_s,user,runtime_s,args; or sacct.txt with "
                    "SubmitLine). Needs root, python3 and Debian's slurmctld, slurmd, slurmdbd, "
                    "slurm-client, slurm-wlm-mysql-plugin, munge, mariadb-server, gcc, libc6-dev")
        ->required();
    command
        .add_option("-o,--output", output_,
                    "the recording, a site folder that `run` replays; default: SITE's name with "
                    ".recorded")
        ->type_name("OUT_DIR");
    command.add_option("--rate", rate_, "times as fast as the clock, 1 to 200; default 60")
        ->type_name("N");
    command
        .add_option("--sample", sample_,
                    "seconds between samples of sprio, sshare, squeue and sinfo; 0: none; default "
                    "900")
        ->type_name("S");
    command
        .add_option("--debug-flags", debug_flags_,
                    "further DebugFlags of slurmctld, for its log: Gang, Reservation, License …")
        ->type_name("FLAGS");
    command
        .add_option("--port-base", port_base_,
                    "the first of consecutive ports, one for each node and two; default: where "
                    "enough are free")
        ->type_name("P");
  }

  Exit run() override {
    const auto recorder = find_recorder();
    if (!recorder) {
      fmt::print(stderr,
                 "rehearse record: error: the recorder is not there\n"
                 "  hint: it is scripts/reference/record.py of the source tree, installed into "
                 "share/rehearse\n");
      return Exit::Failed;
    }
    return hand_over(*recorder);
  }

 private:
  /// Becomes the recorder: its exit codes are those of a verb. Comes back only if it cannot.
  Exit hand_over(const fs::path& recorder) const {
    std::vector<std::string> words{"python3", recorder.string()};
    const auto add = [&](const char* option, const std::string& value) {
      if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
    };
    add("--output", output_);
    add("--rate", rate_);
    add("--sample", sample_);
    add("--debug-flags", debug_flags_);
    add("--port-base", port_base_);
    words.insert(words.end(), {"--", site_});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp("python3", arguments.data());
    fmt::print(stderr, "rehearse record: error: python3: {}\n  hint: apt-get install python3\n",
               std::strerror(errno));
    return Exit::Failed;
  }

  std::string site_, output_, rate_, sample_, debug_flags_, port_base_;
};

}  // namespace

std::unique_ptr<Verb> make_record() {
  return std::make_unique<Record>();
}

}  // namespace rehearse
