// sim/app/completion.cpp — shell completion, made from the same descriptions as --help.
#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/app/show_tables.hpp"
#include "sim/app/verb.hpp"
#include "sim/output/export/export.hpp"
#include "workloads/import.hpp"

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

/// Words that a verb knows at a place of its own.
struct Known {
  std::string verb;
  std::size_t place;  ///< the verb's first argument is 1; 0: the value of `-f` or `--format`
  std::string words;
};

std::vector<Known> known_words() {
  const auto names = [](const auto& all, const auto& name_of) {
    std::string text;
    for (const auto& each : all)
      text += fmt::format("{}{}", text.empty() ? "" : " ", name_of(each));
    return text;
  };
  const auto name = [](const auto& format) { return format.name; };
  return {{"show", 2, names(show_table_names(), [](std::string_view table) { return table; })},
          {"export", 0, names(export_formats(), name)},
          {"import", 1, names(trace_formats(), name)},
          {"completion", 1, "bash zsh fish"}};
}

void print_bash(const CLI::App& root) {
  fmt::print(
      "# rehearse completion bash > ~/.local/share/bash-completion/completions/rehearse\n"
      "_rehearse() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} words= fixed=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='{} {}'\n  else\n"
      "    case ${{COMP_WORDS[1]}} in\n",
      words(verbs_of(root)), words(options_of(root)));
  for (const Choice& verb : verbs_of(root)) {
    fmt::print("      {}) words='{}' ;;\n", verb.word,
               words(options_of(*root.get_subcommand(verb.word))));
  }
  fmt::print(
      "    esac\n  fi\n  [[ $word != -* ]] && case "
      "${{COMP_WORDS[1]}}:$COMP_CWORD:${{COMP_WORDS[COMP_CWORD-1]}} in\n");
  for (const Known& known : known_words()) {
    const std::string at = known.place > 0 ? fmt::format("{}:{}:*", known.verb, known.place + 1)
                                           : fmt::format("{0}:*:-f|{0}:*:--format", known.verb);
    fmt::print("    {}) words='{}' fixed=1 ;;\n", at, known.words);
  }
  fmt::print(
      "    esac\n  if [ -z \"$fixed\" ] && [ \"$COMP_CWORD\" -gt 1 ] && [[ $word != -* ]]; then\n"
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
      std::string value;
      for (const Known& known : known_words()) {
        const bool is_it = option.word == "-f" || option.word == "--format";
        if (known.verb == verb.word && known.place == 0 && is_it) {
          value = fmt::format(":format:({})", known.words);
        }
      }
      fmt::print("        '{}[{}]{}' \\\n", option.word, zsh_text(option.description), value);
    }
    std::size_t next = 2;  // the verb itself is the first
    for (const Known& known : known_words()) {
      if (known.verb != verb.word || known.place == 0) continue;
      fmt::print("        '1:verb:' \\\n");
      for (; next <= known.place; ++next) fmt::print("        '{}:file:_files' \\\n", next);
      fmt::print("        '{}:word:({})' \\\n", next, known.words);
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
  for (const Known& known : known_words()) {
    const std::string when = fmt::format("'__fish_seen_subcommand_from {}'", known.verb);
    fmt::print("complete -c rehearse -n {} {} -a '{}'\n", when,
               known.place > 0 ? "" : "-s f -l format -x", known.words);
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
