// sim/app/completion.cpp — shell completion, made from the same descriptions as --help.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/app/verb.hpp"

namespace rehearse {
namespace {

struct Choice {
  std::string word, description;
};

std::vector<Choice> verbs_of(const CLI::App& root) {
  std::vector<Choice> verbs;
  for (const CLI::App* command : root.get_subcommands({})) {
    if (command->get_group().empty()) continue;
    verbs.push_back({command->get_name(), command->get_description()});
  }
  return verbs;
}

std::vector<Choice> options_of(const CLI::App& command) {
  std::vector<Choice> options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty() || option->get_positional()) continue;
    for (const std::string& name : option->get_snames()) {
      options.push_back({"-" + name, option->get_description()});
    }
    for (const std::string& name : option->get_lnames()) {
      options.push_back({"--" + name, option->get_description()});
    }
  }
  return options;
}

std::string words(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) text += (text.empty() ? "" : " ") + choice.word;
  return text;
}

/// For single quotes of a shell: a quote ends, is escaped, begins again.
std::string shell_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

void print_bash(const CLI::App& root) {
  fmt::print(
      "# rehearse completion bash > ~/.local/share/bash-completion/completions/rehearse\n"
      "_rehearse() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='{} {}'\n  else\n"
      "    case ${{COMP_WORDS[1]}} in\n",
      words(verbs_of(root)), words(options_of(root)));
  for (const Choice& verb : verbs_of(root)) {
    fmt::print("      {}) words='{}' ;;\n", verb.word,
               words(options_of(*root.get_subcommand(verb.word))));
  }
  fmt::print(
      "    esac\n  fi\n  if [ \"$COMP_CWORD\" -gt 1 ] && [[ $word != -* ]]; then\n"
      "    COMPREPLY=()  # a site, a file: bash's own\n    return\n  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}}\n"
      "complete -o default -F _rehearse rehearse\n");
}

/// In _describe and _arguments a colon or a bracket has a meaning.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : shell_quoted(text))
    out += c == ':' || c == '[' || c == ']' ? fmt::format("\\{}", c) : std::string(1, c);
  return out;
}

void print_zsh(const CLI::App& root) {
  fmt::print("#compdef rehearse\n_rehearse() {{\n  local -a verbs\n  verbs=(\n");
  for (const Choice& verb : verbs_of(root)) {
    fmt::print("    '{}:{}'\n", verb.word, zsh_text(verb.description));
  }
  fmt::print(
      "  )\n  if (( CURRENT == 2 )); then\n    _describe 'verb' verbs\n    return\n  fi\n  case "
      "$words[2] in\n");
  for (const Choice& verb : verbs_of(root)) {
    fmt::print("    {})\n      _arguments \\\n", verb.word);
    for (const Choice& option : options_of(*root.get_subcommand(verb.word))) {
      fmt::print("        '{}[{}]' \\\n", option.word, zsh_text(option.description));
    }
    fmt::print("        '*:file:_files' ;;\n");
  }
  fmt::print("  esac\n}}\n_rehearse \"$@\"\n");
}

/// `-x` is fish's -s x, `--long` its -l long.
std::string fish_option(std::string_view word) {
  return word.starts_with("--") ? fmt::format("-l {}", word.substr(2))
                                : fmt::format("-s {}", word.substr(1));
}

void print_fish(const CLI::App& root) {
  for (const Choice& verb : verbs_of(root)) {
    fmt::print("complete -c rehearse -n __fish_use_subcommand -f -a {} -d '{}'\n", verb.word,
               shell_quoted(verb.description));
  }
  for (const Choice& verb : verbs_of(root)) {
    for (const Choice& option : options_of(*root.get_subcommand(verb.word))) {
      fmt::print("complete -c rehearse -n '__fish_seen_subcommand_from {}' {} -d '{}'\n", verb.word,
                 fish_option(option.word), shell_quoted(option.description));
    }
  }
}

class Completion final : public Verb {
 public:
  explicit Completion(const CLI::App& root) : root_(root) {}
  [[nodiscard]] std::string_view name() const override { return "completion"; }
  [[nodiscard]] std::string_view summary() const override {
    return "print the completion of this command line for a shell";
  }

  void describe(CLI::App& command) override {
    command.add_option("SHELL", shell_, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }

  Exit run() override {
    if (shell_ == "bash") print_bash(root_);
    if (shell_ == "zsh") print_zsh(root_);
    if (shell_ == "fish") print_fish(root_);
    return Exit::Ok;
  }

 private:
  const CLI::App& root_;
  std::string shell_;
};

}  // namespace

std::unique_ptr<Verb> make_completion(const CLI::App& root) {
  return std::make_unique<Completion>(root);
}

}  // namespace rehearse
