// sim/app/verb.hpp — one verb of the command line: its options, and what it does.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace rehearse {

/// Exit codes: scripts rely on them.
enum class Exit : int {
  Ok = 0,
  Failed = 1,
  Usage = 2,
  BadInput = 3,
  TargetMissed = 4,
  Interrupted = 130,
};

class Verb {
 public:
  virtual ~Verb() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// One line for the list of verbs: lower case, no full stop.
  [[nodiscard]] virtual std::string_view summary() const = 0;
  /// Declares the options. Help, man page and completion are made from these descriptions.
  virtual void describe(CLI::App& command) = 0;
  /// Does it. Wrong inputs leave as InputError, which only main catches.
  virtual Exit run() = 0;
  /// What it writes, as named by the options, and reads: files, site folders, scenarios. None of
  /// the former may be one of the latter (own_inputs.hpp).
  struct Files {
    std::vector<std::string> writes, reads;
  };
  [[nodiscard]] virtual Files files() const { return {}; }
  /// A verb of packagers, not of users: runs, but is not listed.
  [[nodiscard]] virtual bool is_hidden() const { return false; }
};

/// Options that mean the same wherever a verb prints a table.
struct TableOptions {
  bool parsable = false, no_header = false;

  /// Declares -P and -n.
  void describe(CLI::App& command);
};

std::unique_ptr<Verb> make_calibrate(), make_check(), make_collect(), make_compare(),
    make_explain(), make_export(), make_fit(), make_forecast(), make_gen(), make_import(),
    make_info(), make_query(), make_record(), make_report(), make_run(), make_show(), make_size(),
    make_sweep(), make_tune();
std::unique_ptr<Verb> make_completion(const CLI::App&root), make_man(const CLI::App&root);

/// Tells on stderr how the command line is wrong; the exit code of that. `hint` may be empty.
Exit usage_error(std::string_view verb, std::string_view what, std::string_view hint);

/// Every verb, in the order of `--help`. `root` is described by then to those that print it.
[[nodiscard]] std::vector<std::unique_ptr<Verb>> make_verbs(const CLI::App& root);

}  // namespace rehearse
