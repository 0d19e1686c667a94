// sim/config/sbatch_args.cpp — a submit line, split as a shell does and read as getopt_long does.
#include "sim/config/sbatch_args.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/config/sbatch_options.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

/// One word of the line; `at` is the offset in the line of each of its characters.
struct Word {
  std::string text;
  std::vector<std::size_t> at;
  std::size_t begin = 0;
  bool is_quoted = false;
};

/// Cuts one word after another, so that what follows the options is never looked at.
class WordCutter {
 public:
  explicit WordCutter(std::string_view line) : line_(line) {}

  std::optional<Word> next();
  /// Where a quote that never ends was taken as a plain character.
  [[nodiscard]] std::optional<std::size_t> loose_quote() const { return loose_quote_; }

 private:
  void take(Word& word, std::size_t at) {
    word.text += line_[at];
    word.at.push_back(at);
  }
  void cut_quoted(Word& word);

  std::string_view line_;
  std::size_t next_ = 0;
  std::optional<std::size_t> loose_quote_;
};

/// At an opening quote. sacct joins arguments without quoting them: a lone apostrophe is a letter.
void WordCutter::cut_quoted(Word& word) {
  const char quote = line_[next_];
  std::size_t end = next_ + 1;
  while (end < line_.size() && line_[end] != quote) {
    end += quote == '"' && line_[end] == '\\' ? std::size_t{2} : std::size_t{1};
  }
  if (end >= line_.size()) {
    if (!loose_quote_) loose_quote_ = next_;
    take(word, next_++);
    return;
  }
  word.is_quoted = true;
  for (std::size_t i = next_ + 1; i < end; ++i) {
    const bool escapes = quote == '"' && line_[i] == '\\' && i + 1 < end &&
                         std::string_view("\"\\$`").find(line_[i + 1]) != std::string_view::npos;
    take(word, escapes ? ++i : i);
  }
  next_ = end + 1;
}

std::optional<Word> WordCutter::next() {
  while (next_ < line_.size() && is_blank(line_[next_])) ++next_;
  if (next_ >= line_.size()) return std::nullopt;
  Word word;
  word.begin = next_;
  while (next_ < line_.size() && !is_blank(line_[next_])) {
    if (line_[next_] == '\'' || line_[next_] == '"') {
      cut_quoted(word);
    } else {
      if (line_[next_] == '\\' && next_ + 1 < line_.size()) ++next_;
      take(word, next_++);
    }
  }
  return word;
}

class LineReader {
 public:
  LineReader(std::string_view line, const SourcePosition& where, Diagnostics& found)
      : words_(line), where_(where), found_(found) {}

  SbatchArgs read();

 private:
  enum class Next : std::uint8_t { Option, End };

  SourcePosition place(std::size_t offset) const { return text::shifted(where_, offset); }
  bool read_program(const Word& word);
  Next on_word(Word word);
  Next on_long(const Word& word);
  Next on_short(const Word& word);
  void apply(const SubmitOption& option, const OptionUse& use);
  /// The argument that stands in the next word; an error where there is none.
  bool take_next_word(OptionUse& use);
  void after_wrap(const Word& argument);
  void unknown(std::string_view written, std::size_t offset, bool is_ambiguous);
  void settle_hint();
  void check_exclusions();

  WordCutter words_;
  SourcePosition where_;
  Diagnostics& found_;
  SbatchArgs args_;
  Programs programs_ = kSubmitters;
  Word argument_;  // keeps the text of the last taken word alive
  bool ended_ = false;
};

bool LineReader::read_program(const Word& word) {
  const std::string_view name = std::string_view(word.text).substr(word.text.rfind('/') + 1);
  if (name == "sbatch") programs_ = kSbatch;
  if (name == "salloc") programs_ = kSalloc;
  if (name == "srun") programs_ = kSrun;
  if (programs_ == kSubmitters) {
    found_.error(place(word.begin),
                 fmt::format("'{}' is neither sbatch, salloc nor srun", shortened(word.text)),
                 "a submit line begins with one of them, or with an option");
    return false;
  }
  args_.program = std::string(name);
  return true;
}

void LineReader::unknown(std::string_view written, std::size_t offset, bool is_ambiguous) {
  const std::string program = args_.program.empty() ? "sbatch" : args_.program;
  if (is_ambiguous) {
    std::string list;
    for (const SubmitOption& option : submit_options()) {
      const bool fits = (option.programs & programs_) != 0 &&
                        option.name.starts_with(written.substr(2)) &&
                        list.find(option.name) == std::string::npos;
      if (fits) list += fmt::format("{}--{}", list.empty() ? "" : ", ", option.name);
    }
    found_.error(place(offset), fmt::format("option '{}' is ambiguous", shortened(written)),
                 "it could be " + list);
    return;
  }
  std::vector<std::string> names;
  for (const SubmitOption& option : submit_options()) {
    if ((option.programs & programs_) != 0) names.push_back("--" + std::string(option.name));
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  found_.error(place(offset), fmt::format("{} has no option '{}'", program, shortened(written)),
               written.starts_with("--") ? did_you_mean(written, views) : std::string());
}

bool LineReader::take_next_word(OptionUse& use) {
  auto next = words_.next();
  if (!next) {
    found_.error(use.option_at, fmt::format("{} needs an argument", use.name));
    return false;
  }
  argument_ = std::move(*next);
  use.value = argument_.text;
  use.value_at = place(argument_.at.empty() ? argument_.begin : argument_.at.front());
  return true;
}

void LineReader::apply(const SubmitOption& option, const OptionUse& use) {
  if (option.apply != nullptr) option.apply(args_, use, found_);
}

/// sacct joins words by blanks, so the rest of an unquoted command looks like options and a script.
void LineReader::after_wrap(const Word& argument) {
  if (argument.is_quoted) return;
  ended_ = true;
  const auto next = words_.next();
  if (next && next->text.starts_with('-')) {
    found_.warning(
        place(next->begin),
        fmt::format("'{}' is taken as part of the wrapped command", shortened(next->text)),
        "quote the command, or put --wrap last");
  }
}

LineReader::Next LineReader::on_long(const Word& word) {
  const std::string_view text = word.text;
  const std::size_t equals = text.find('=');
  const std::string_view written = text.substr(0, equals);
  const FoundOption match = find_long_option(written.substr(2), programs_);
  if (match.option == nullptr) {
    unknown(written, word.begin, match.is_ambiguous);
    return Next::Option;
  }
  const std::string name = "--" + std::string(match.option->name);
  OptionUse use{name, std::nullopt, place(word.begin), place(word.begin)};
  const bool is_wrap = match.option->name == "wrap";
  if (equals != std::string_view::npos) {
    if (match.option->argument == ArgumentKind::None) {
      found_.error(place(word.at[equals]), fmt::format("{} takes no argument", name));
      return Next::Option;
    }
    use.value = text.substr(equals + 1);
    use.value_at = place(word.at[equals] + 1);
    if (is_wrap) after_wrap(word);
  } else if (match.option->argument == ArgumentKind::Required) {
    if (!take_next_word(use)) return Next::End;
    if (is_wrap) after_wrap(argument_);
  }
  apply(*match.option, use);
  return ended_ ? Next::End : Next::Option;
}

LineReader::Next LineReader::on_short(const Word& word) {
  for (std::size_t i = 1; i < word.text.size(); ++i) {
    const SubmitOption* option = find_short_option(word.text[i], programs_);
    const std::string name = {'-', word.text[i]};
    if (option == nullptr) {
      unknown(name, i == 1 ? word.begin : word.at[i], false);
      return Next::Option;
    }
    OptionUse use{name, std::nullopt, place(word.begin), place(word.begin)};
    if (option->argument == ArgumentKind::None) {
      apply(*option, use);
      continue;
    }
    if (i + 1 < word.text.size()) {
      use.value = std::string_view(word.text).substr(i + 1);
      use.value_at = place(word.at[i + 1]);
    } else if (option->argument == ArgumentKind::Required && !take_next_word(use)) {
      return Next::End;
    }
    apply(*option, use);
    break;
  }
  return Next::Option;
}

LineReader::Next LineReader::on_word(Word word) {
  if (word.text == ":") {
    found_.warning(place(word.begin), "the components of a heterogeneous job are not read",
                   "each component is simulated as its own row of sacct");
    return Next::End;
  }
  if (word.text == "--" || word.text.size() < 2 || word.text[0] != '-') return Next::End;
  return word.text[1] == '-' ? on_long(word) : on_short(word);
}

/// Slurm: beside --hint counts of sockets and cores are void, and beside -B the hint is; of threads
/// the number that is named counts (gres.md §2.1).
void LineReader::settle_hint() {
  if (!args_.hint_nomultithread) return;
  if (args_.extra_node_info || args_.threads_per_core) args_.hint_nomultithread.reset();
  if (args_.extra_node_info) return;
  args_.sockets_per_node.reset();
  args_.cores_per_socket.reset();
}

void LineReader::check_exclusions() {
  const auto exclude = [&](std::initializer_list<std::pair<bool, const char*>> options) {
    std::string given;
    int count = 0;
    for (const auto& [is_given, name] : options) {
      if (!is_given) continue;
      given += fmt::format("{}{}", count == 0 ? "" : " and ", name);
      ++count;
    }
    if (count > 1) found_.error(where_, given + " exclude each other", "keep one of them");
  };
  exclude({{args_.mem_per_node_mib.has_value(), "--mem"},
           {args_.mem_per_cpu_mib.has_value(), "--mem-per-cpu"},
           {args_.mem_per_gpu_mib.has_value(), "--mem-per-gpu"}});
  exclude({{args_.cpus_per_task.has_value(), "--cpus-per-task"},
           {args_.cpus_per_gpu.has_value(), "--cpus-per-gpu"}});
  const bool per_gpu = args_.ntasks_per_gpu.has_value();  // gres.md §2.1
  exclude({{per_gpu, "--ntasks-per-gpu"}, {!args_.gpus_per_task.empty(), "--gpus-per-task"}});
  exclude({{per_gpu, "--ntasks-per-gpu"}, {!args_.gpus_per_socket.empty(), "--gpus-per-socket"}});
  exclude(
      {{per_gpu, "--ntasks-per-gpu"}, {args_.ntasks_per_node.has_value(), "--ntasks-per-node"}});
}

SbatchArgs LineReader::read() {
  auto word = words_.next();
  if (word && !word->text.starts_with('-')) {
    if (!read_program(*word)) return args_;
    word = words_.next();
  }
  Next next = Next::Option;
  bool told_quote = false;
  while (word && next == Next::Option) {
    next = on_word(std::move(*word));
    if (const auto quote = words_.loose_quote(); quote && !told_quote && next == Next::Option) {
      found_.warning(place(*quote), "a quote that is never closed is read as a plain character");
      told_quote = true;
    }
    if (next == Next::Option) word = words_.next();
  }
  settle_hint();
  check_exclusions();
  return std::move(args_);
}

}  // namespace

SbatchArgs parse_submit_line(std::string_view line, const SourcePosition& where,
                             Diagnostics& found) {
  return LineReader(line, where, found).read();
}

}  // namespace rehearse
