// sim/app/command_line.cpp — from words to a verb: parsing, help, and what was probably meant.
#include "sim/app/command_line.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>

#include "sim/app/own_inputs.hpp"
#include "sim/app/version.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kAbout =
    "Replays a Slurm GPU cluster's jobs against tomorrow's slurm.conf: who waits, and why.";
constexpr std::string_view kFooter =
    "\nExit: 0 ok, 1 failed, 2 usage, 3 bad input, 4 a stated target missed, 130 interrupted.\n"
    "A SITE is a folder with slurm.conf, sacct.txt and their like, or a scenario .yaml.\n"
    "rehearse VERB --help tells the options of one verb.";

std::string hint_for(std::string_view word, const std::vector<std::string>& known,
                     std::string_view otherwise) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string meant = did_you_mean(word, candidates);
  return meant.empty() ? std::string(otherwise) : meant;
}

std::vector<std::string> verb_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The first word that is no option, if it is no verb either.
std::optional<std::string> unknown_verb(const CLI::App& root, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return std::nullopt;
  for (const CLI::App* command : root.get_subcommands({})) {
    if (command->get_name() == argv[1]) return std::nullopt;
  }
  return std::string(argv[1]);
}

/// Of the words that nobody took, which CLI11 lists from the last one on: the first option, else
/// the first. What stands behind an unknown option is most likely its value.
std::string unexpected_word(std::string_view words) {
  std::string first, option;
  for (const text::Piece& word : text::split_at(words, ' ')) {
    first = word.text;
    if (word.text.starts_with('-')) option = word.text;
  }
  return option.empty() ? first : option;
}

Exit parse_error(const CLI::App& root, const CLI::ParseError& error) {
  const auto chosen = root.get_subcommands();
  const CLI::App& command = chosen.empty() ? root : *chosen.front();
  const std::string verb = chosen.empty() ? "" : command.get_name();
  const std::string see =
      fmt::format("rehearse {}{}--help tells the options", verb, verb.empty() ? "" : " ");
  // CLI11 forgets the words once it has thrown: they stand in its message, after the colon.
  const std::string_view message = error.what();
  const std::size_t colon = message.rfind(": ");
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && colon != message.npos) {
    const std::string word = unexpected_word(message.substr(colon + 2));
    const bool is_option = word.starts_with("-");
    return usage_error(
        verb, fmt::format("'{}' is {}", word, is_option ? "not an option" : "too much"),
        is_option ? hint_for(word.substr(0, word.find('=')), option_names(command), see) : see);
  }
  // A bound that is none is the largest double, which CLI11 prints with all of its digits.
  const std::size_t range = message.find(" not in range 0.000000 to 17976931");
  if (range != message.npos) {
    return usage_error(verb, std::string(message.substr(0, range)) + " is too small", see);
  }
  return usage_error(verb, error.what(), see);
}

/// An option, or a word without one, whose value is nothing.
std::optional<std::string> empty_option(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const auto& values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end()) return option->get_name();
  }
  return std::nullopt;
}

/// The option of numbers that is given `nan`, which lies in every range.
std::optional<std::string> option_of_nan(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    const bool has_range = type.find("FLOAT in") != type.npos || type.find("NEGATIVE") != type.npos;
    if (!has_range && type.find("POSITIVE") == type.npos) continue;
    for (const std::string& value : option->results()) {
      const std::size_t sign = value.find_first_of("+-") == 0 ? 1 : 0;
      if (starts_with_ignoring_case(std::string_view(value).substr(sign), "nan")) {
        return option->get_name();
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Exit usage_error(std::string_view verb, std::string_view what, std::string_view hint) {
  fmt::print(stderr, "rehearse{}{}: error: {}\n", verb.empty() ? "" : " ", verb, what);
  if (!hint.empty()) fmt::print(stderr, "  hint: {}\n", hint);
  return Exit::Usage;
}

void TableOptions::describe(CLI::App& command) {
  command.add_flag("-P,--parsable2", parsable, "print fields between |, without padding");
  command.add_flag("-n,--noheader", no_header, "print no header line");
}

Exit run_command_line(int argc, const char* const* argv) {
  CLI::App root{std::string(kAbout), "rehearse"};
  root.set_version_flag("--version", std::string(version_text()), "print the version and exit");
  root.set_help_flag("-h,--help", "print this help and exit");
  root.require_subcommand(1);
  const auto verbs = make_verbs(root);
  for (const auto& verb : verbs) {
    CLI::App* command =
        root.add_subcommand(std::string(verb->name()), std::string(verb->summary()));
    if (verb->is_hidden()) command->group("");
    verb->describe(*command);
    if (command->get_footer().empty()) command->footer(std::string(kFooter));
  }
  root.footer(std::string(kFooter));  // last: a verb would take it for its own

  if (argc < 2) {
    fmt::print(stderr, "{}", root.help());
    return Exit::Usage;
  }
  if (const auto word = unknown_verb(root, argc, argv)) {
    return usage_error("", fmt::format("'{}' is not a verb", *word),
                       hint_for(*word, verb_names(root), "rehearse --help lists the verbs"));
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& wish) {  // --help, --version
    root.exit(wish);
    return Exit::Ok;
  } catch (const CLI::ParseError& error) {
    return parse_error(root, error);
  }
  for (const auto& verb : verbs) {
    if (!root.got_subcommand(std::string(verb->name()))) continue;
    const CLI::App& command = *root.get_subcommand(std::string(verb->name()));
    if (const auto option = option_of_nan(command)) {
      return usage_error(verb->name(), fmt::format("{}: nan is not a number", *option),
                         fmt::format("rehearse {} --help tells the options", verb->name()));
    }
    if (const auto empty = empty_option(command)) {
      return usage_error(
          verb->name(), fmt::format("{} is given an empty text", *empty),
          "a variable of the shell that is not set? Leave it out, or name something");
    }
    if (const auto refused = refuse_own_inputs(*verb)) return *refused;
    return verb->run();
  }
  return Exit::Usage;
}

}  // namespace rehearse
