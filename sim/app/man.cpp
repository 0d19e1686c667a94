// sim/app/man.cpp — the manual page, made from the same descriptions as --help.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>

#include "sim/app/verb.hpp"
#include "sim/app/version.hpp"

namespace rehearse {
namespace {

/// Text as roff takes it: backslashes, hyphens and a dot or quote at the start of a line.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if (starts_line && (c == '.' || c == '\'')) out += "\\&";
      out += c;
    }
  }
  return out;
}

void print_options(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    const bool positional = option->get_positional();
    std::string type = option->get_type_size() == 0 || positional ? "" : option->get_type_name();
    if (!type.empty()) type = " \\fI" + roff(type) + "\\fR";
    fmt::print(".TP\n\\fB{}\\fR{}\n{}\n", roff(option->get_name(positional, true)), type,
               roff(option->get_description()));
  }
}

/// Lines as they are: what --help says below the options.
void print_notes(const std::string& text) {
  fmt::print(".PP\n.nf\n{}\n.fi\n", roff(text.substr(text.find_first_not_of('\n'))));
}

class Man final : public Verb {
 public:
  explicit Man(const CLI::App& root) : root_(root) {}
  [[nodiscard]] std::string_view name() const override { return "man"; }
  [[nodiscard]] std::string_view summary() const override { return "print the manual page"; }
  [[nodiscard]] bool is_hidden() const override { return true; }
  void describe(CLI::App& /*command*/) override {}

  Exit run() override {
    fmt::print(".TH REHEARSE 1 \"\" \"rehearse {}\" \"User Commands\"\n", release_text());
    fmt::print(".SH NAME\nrehearse \\- {}\n", roff(root_.get_description()));
    fmt::print(".SH SYNOPSIS\n.B rehearse\n\\fIVERB\\fR [\\fIOPTIONS\\fR]\n.SH OPTIONS\n");
    print_options(root_);
    fmt::print(".SH VERBS\n");
    for (const CLI::App* command : root_.get_subcommands({})) {
      if (command->get_group().empty()) continue;
      fmt::print(".SS {}\n{}.\n", roff(command->get_name()), roff(command->get_description()));
      print_options(*command);
      if (command->get_footer() != root_.get_footer()) print_notes(command->get_footer());
    }
    fmt::print(".SH NOTES\n");
    print_notes(root_.get_footer());
    return Exit::Ok;
  }

 private:
  const CLI::App& root_;
};

}  // namespace

std::unique_ptr<Verb> make_man(const CLI::App& root) {
  return std::make_unique<Man>(root);
}

}  // namespace rehearse
