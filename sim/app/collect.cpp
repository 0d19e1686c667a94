// sim/app/collect.cpp — `rehearse collect`: the script that gathers a site on a login node, run or
// printed.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/verb.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

/// Beside an installed binary (../share/rehearse), or in the tree that it was built in.
std::optional<fs::path> find_script() {
  std::error_code failed;
  const fs::path binary = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return std::nullopt;
  const fs::path folder = binary.parent_path();
  for (const fs::path& candidate :
       {folder / "../share/rehearse/collect.py", folder / "../../scripts/collect.py"}) {
    if (fs::is_regular_file(candidate, failed)) return fs::canonical(candidate, failed);
  }
  return std::nullopt;
}

class Collect final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "collect"; }
  [[nodiscard]] std::string_view summary() const override {
    return "gather a site folder on a login node; or print the script that does, which needs no "
           "Rehearse";
  }

  void describe(CLI::App& command) override {
    command.footer(
        "\nOn a machine without Rehearse: rehearse collect --script > collect.py, and there\n"
        "python3 collect.py -o mysite --anonymize (Python 3.6, Slurm's commands in PATH).");
    command.add_flag("--script", script_, "print the script instead of running it");
    const auto text = [&](const char* option, const char* what, const char* type) {
      command.add_option(option, values_.emplace_back(option, "").second, what)->type_name(type);
    };
    values_.reserve(6);
    text("--output,-o", "the folder to be made", "SITE");
    text("--start", "jobs from here on; default: 60 days ago", "TIME");
    text("--end", "… to here; default: now", "TIME");
    text("--step", "so much is asked of slurmdbd at once, 6h or 1d; default: 1d", "SPAN");
    text("--pause", "seconds between two questions; default: 1", "S");
    text("--conf-dir", "where slurm.conf is; default: what scontrol says", "DIR");
    command.add_option("--key", key_, "the key of the pseudonyms, made if absent (0600)")
        ->type_name("FILE");
    command.add_flag("--anonymize", anonymize_,
                     "users, accounts, jobs, reservations, groups and wckeys as keyed pseudonyms");
    command.add_flag("--anonymize-hosts", hosts_, "names of nodes, too");
    command.add_flag("--anonymize-queues", queues_, "names of partitions and QOS, too");
  }

  Exit run() override {
    const auto script = find_script();
    if (!script) {
      fmt::print(stderr,
                 "rehearse collect: error: the script is not there\n"
                 "  hint: it is scripts/collect.py of the source tree, installed into "
                 "share/rehearse\n");
      return Exit::Failed;
    }
    if (script_) {
      std::ifstream stream(*script, std::ios::binary);
      std::cout << stream.rdbuf();
      return std::cout.good() ? Exit::Ok : Exit::Failed;
    }
    return hand_over(*script);
  }

 private:
  /// Becomes the script: its exit codes are those of a verb. Comes back only if it cannot.
  Exit hand_over(const fs::path& script) const {
    std::vector<std::string> words{"python3", script.string()};
    for (const auto& [option, value] : values_) {
      const std::string name = option.substr(0, option.find(','));
      if (!value.empty()) words.push_back(fmt::format("{}={}", name, value));
    }
    if (!key_.empty()) words.push_back("--key=" + key_);
    if (anonymize_) words.emplace_back("--anonymize");
    if (hosts_) words.emplace_back("--anonymize-hosts");
    if (queues_) words.emplace_back("--anonymize-queues");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp("python3", arguments.data());
    fmt::print(stderr, "rehearse collect: error: python3: {}\n  hint: apt-get install python3\n",
               std::strerror(errno));
    return Exit::Failed;
  }

  std::vector<std::pair<std::string, std::string>> values_;
  std::string key_;
  bool script_ = false, anonymize_ = false, hosts_ = false, queues_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_collect() {
  return std::make_unique<Collect>();
}

}  // namespace rehearse
