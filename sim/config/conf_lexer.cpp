// sim/config/conf_lexer.cpp — one pass over the text; a logical line remembers where its parts
// stood.
//
// Slurm's order matters: comments go first (quotes do not protect a '#'), then continuation, then
// escapes, and only then pairs. Every step is linear, so that a line of ten megabytes is only slow
// to print, which nobody does: messages show 60 characters.
#include "sim/config/conf_lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "sim/config/logical_line.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kDeepestInclude = 16;
constexpr std::size_t kMostFiles = 1000;

bool is_key_char(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '.';
}

std::string missing_include_hint(std::string_view target, const std::filesystem::path& path) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) {
    return "it must be a file of at most 256 MiB that may be read";
  }
  if (target.find_first_of("*?[") != target.npos) {
    return "Slurm takes no pattern here: write an Include for each file";
  }
  if (target.starts_with('/')) {
    return fmt::format("copy it into the folder, as {}", path.filename().string());
  }
  return "a relative path starts from the directory of the including file";
}

class Lexer {
 public:
  Lexer(ConfText& out, Diagnostics& found) : out_(out), found_(found) {}

  /// The file that nothing includes; a circle may lead back to it.
  void read_main(std::string_view text, const std::string& name,
                 const std::filesystem::path& directory);

 private:
  void read(std::string_view text, const std::string& name, const std::filesystem::path& directory);
  void statement(const LogicalLine& line, const std::filesystem::path& directory);
  void include(const LogicalLine& line, const std::filesystem::path& directory);
  [[nodiscard]] std::optional<std::filesystem::path> copy_in_the_folder(
      const std::filesystem::path& target) const;
  void pairs(const LogicalLine& line);
  void stray_text(const LogicalLine& line, std::size_t at);
  std::string_view value(const LogicalLine& line, const ConfPair& pair, std::size_t& at);
  void check_encoding(const LogicalLine& line);

  [[nodiscard]] ConfPlace place(const LogicalLine& line, std::size_t offset) const {
    const LinePlace at = line.place(offset);
    return {file_, at.line, at.column};
  }
  [[nodiscard]] SourcePosition where(const LogicalLine& line, std::size_t offset) const {
    return out_.position(place(line, offset));
  }

  ConfText& out_;
  Diagnostics& found_;
  std::uint32_t file_ = 0;
  std::string cluster_name_;
  std::filesystem::path root_;  ///< the directory of the main file
  std::vector<std::filesystem::path> open_files_;
  bool told_encoding_ = false;
};

void Lexer::read_main(std::string_view text, const std::string& name,
                      const std::filesystem::path& directory) {
  std::error_code failed;
  const std::filesystem::path file = std::filesystem::path(name).filename();
  std::filesystem::path real = std::filesystem::weakly_canonical(directory / file, failed);
  if (!failed) open_files_.push_back(std::move(real));
  root_ = directory;
  read(text, name, directory);
}

void Lexer::read(std::string_view text, const std::string& name,
                 const std::filesystem::path& directory) {
  const auto file = static_cast<std::uint32_t>(out_.sources.size());
  out_.sources.emplace_back(name, std::string(text));
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    found_.error({name, 1, 1}, "the file is UTF-16 text", "save it as plain text (UTF-8)");
    return;
  }
  if (text.starts_with("Configuration data as of ")) {
    found_.error({name, 1, 1},
                 "the file is what `scontrol show config` prints, which has neither nodes nor "
                 "partitions",
                 "copy the cluster's own slurm.conf, as a rule /etc/slurm/slurm.conf");
    return;
  }
  std::uint32_t first_column = 1;
  if (text.starts_with("\xEF\xBB\xBF")) {
    found_.warning({name, 1, 1},
                   "the file begins with a UTF-8 byte order mark, which slurmctld reads as text",
                   "save it without byte order mark");
    text.remove_prefix(3);
    first_column = 4;
  }
  told_encoding_ = false;
  LineReader reader(text, first_column);
  LogicalLine line;
  while (reader.next(line)) {
    file_ = file;
    if (line.has_nul) {
      const LinePlace at = line.first_nul;
      found_.error({name, at.line, at.column}, "a NUL byte: this is not a text file",
                   "save it as plain text (UTF-8)");
    }
    check_encoding(line);
    statement(line, directory);
  }
}

void Lexer::check_encoding(const LogicalLine& line) {
  if (told_encoding_) return;
  const std::size_t bad = find_invalid_utf8(line.text);
  if (bad == std::string_view::npos) return;
  told_encoding_ = true;
  found_.warning(where(line, bad),
                 fmt::format("byte 0x{:02X} is not UTF-8 text",
                             static_cast<unsigned>(static_cast<unsigned char>(line.text[bad]))),
                 "Slurm takes the bytes as they are; save the file as UTF-8");
}

void Lexer::statement(const LogicalLine& line, const std::filesystem::path& directory) {
  const std::string_view text = line.text;
  if (trimmed(text).empty()) return;
  constexpr std::string_view kInclude = "include";
  const std::size_t start = text.find_first_not_of(" \t\r\v\f");
  const bool is_include = starts_with_ignoring_case(text.substr(start), kInclude) &&
                          text.size() > start + kInclude.size() &&
                          is_blank(text[start + kInclude.size()]);
  const std::size_t next = is_include ? text.find_first_not_of(" \t\r", start + kInclude.size())
                                      : std::string_view::npos;
  if (!is_include || (next != std::string_view::npos && text[next] == '=')) return pairs(line);
  if (start > 0) {
    found_.error(where(line, start), "Include must start in the first column",
                 "remove the blanks before it");
    return;
  }
  include(line, directory);
}

void Lexer::include(const LogicalLine& line, const std::filesystem::path& directory) {
  constexpr std::size_t kKeyword = 7;
  std::string target(trimmed(std::string_view(line.text).substr(kKeyword)));
  const SourcePosition at = where(line, line.text.find_first_not_of(" \t", kKeyword));
  if (target.empty()) {
    found_.error(where(line, 0), "Include names no file", "write Include FILE");
    return;
  }
  for (std::size_t p = target.find("%c"); p != std::string::npos; p = target.find("%c")) {
    if (cluster_name_.empty()) {
      found_.error(
          at, fmt::format("{} needs the cluster's name, which is not known yet", shown(target)),
          "put ClusterName= before this line");
      return;
    }
    target.replace(p, 2, cluster_name_);
  }
  std::filesystem::path path = directory / target;
  std::filesystem::path shown_path =
      std::filesystem::path(out_.sources[file_].first).parent_path() / target;
  if (const auto copy = copy_in_the_folder(target)) {
    path = root_ / *copy;
    shown_path = std::filesystem::path(out_.sources[0].first).parent_path() / *copy;
  }
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, failed);
  if (failed) {
    found_.error(at, fmt::format("cannot open the included file {}", shown(target)));
    return;
  }
  if (std::find(open_files_.begin(), open_files_.end(), real) != open_files_.end()) {
    found_.error(at, fmt::format("{} includes itself", shown(target)),
                 "remove one Include of the circle");
    return;
  }
  if (open_files_.size() >= kDeepestInclude || out_.sources.size() >= kMostFiles) {
    found_.error(at, open_files_.size() >= kDeepestInclude
                         ? fmt::format("Include is nested more than {} deep", kDeepestInclude)
                         : fmt::format("more than {} files are included", kMostFiles));
    return;
  }
  std::string text;
  if (!read_text_file(path, text)) {
    found_.error(at, fmt::format("cannot open the included file {}", shown(target)),
                 missing_include_hint(target, path));
    return;
  }
  open_files_.push_back(real);
  read(text, shown_path.string(), path.parent_path());
  open_files_.pop_back();
}

/// A site folder has the files of /etc/slurm, whatever this machine has there: an absolute path is
/// looked for in it by its last parts first, the most of them that are there.
std::optional<std::filesystem::path> Lexer::copy_in_the_folder(
    const std::filesystem::path& target) const {
  if (!target.is_absolute()) return std::nullopt;
  std::error_code failed;
  std::filesystem::path rest = target.relative_path();
  while (!rest.empty()) {
    if (std::filesystem::is_regular_file(root_ / rest, failed)) return rest;
    std::filesystem::path shorter;
    for (auto part = std::next(rest.begin()); part != rest.end(); ++part) shorter /= *part;
    rest = std::move(shorter);
  }
  return std::nullopt;
}

/// Text that is no pair: say what was probably meant.
void Lexer::stray_text(const LogicalLine& line, std::size_t at) {
  std::size_t end = at;
  while (end < line.text.size() && !is_blank(line.text[end])) ++end;
  const std::string_view word = std::string_view(line.text).substr(at, end - at);
  std::string hint = "a value with blanks needs double quotes";
  if (at == 0 || trimmed(std::string_view(line.text).substr(0, at)).empty()) {
    hint = "a line is a list of Key=Value pairs";
  }
  if (equals_ignoring_case(word, "include")) hint = "write Include FILE, in the first column";
  if (line.text.find("{{") != std::string::npos || line.text.find("{%") != std::string::npos) {
    hint = "a template (Ansible, Jinja, Salt): give what it becomes on the cluster";
  }
  found_.error(where(line, at), fmt::format("{} is not Key=Value", shown(word)), hint);
}

/// The value that starts at `at`, which moves behind it.
std::string_view Lexer::value(const LogicalLine& line, const ConfPair& pair, std::size_t& at) {
  const std::string_view text = line.text;
  const std::size_t start = at;
  if (text[at] == '"') {
    const std::size_t close = text.find('"', at + 1);
    if (close == std::string_view::npos) {
      found_.error(where(line, start), fmt::format("{}: the quote is never closed", pair.key));
      at = text.size();
      return {};
    }
    if (close + 1 == text.size() || is_blank(text[close + 1])) {
      at = close + 1;
      return text.substr(start + 1, close - start - 1);
    }
    found_.warning(where(line, close + 1),
                   fmt::format("{}: text follows the closing quote; Slurm keeps the quotes as part "
                               "of the value",
                               pair.key),
                   "put the quotes around the whole value");
  }
  while (at < text.size() && !is_blank(text[at])) ++at;
  return text.substr(start, at - start);
}

void Lexer::pairs(const LogicalLine& line) {
  const std::string_view text = line.text;
  const auto skip_blanks = [&](std::size_t i) {
    while (i < text.size() && is_blank(text[i])) ++i;
    return i;
  };
  ConfLine result;
  std::size_t at = skip_blanks(0);
  while (at < text.size()) {
    const std::size_t start = at;
    while (at < text.size() && is_key_char(text[at])) ++at;
    const std::size_t key_end = at;
    at = skip_blanks(at);
    ConfPair pair;
    pair.op = '=';
    constexpr std::string_view kOps = "+-*/";
    if (at + 1 < text.size() && kOps.find(text[at]) != std::string_view::npos &&
        text[at + 1] == '=') {
      pair.op = text[at++];
    }
    if (key_end == start || at >= text.size() || text[at] != '=') {
      stray_text(line, start);
      break;  // what follows cannot be told from the stray text
    }
    pair.key = shortened(text.substr(start, key_end - start));
    pair.key_at = place(line, start);
    const std::size_t after = at + 1;
    at = skip_blanks(after);
    if (at >= text.size()) {
      found_.error(where(line, start), fmt::format("{}= has no value", pair.key),
                   "give it one, or remove the key");
      break;
    }
    pair.value_at = place(line, at);
    pair.value = value(line, pair, at);
    if (at == text.size() && pair.value.empty() && text.back() != '"') break;  // told above
    if (pair.value_at.column != 0 && after != skip_blanks(after) &&
        pair.value.find('=') != std::string::npos && text[after] != '"' && pair.value.size() < 64 &&
        is_key_char(pair.value[0]) && pair.op == '=') {
      found_.warning(out_.position(pair.value_at),
                     fmt::format("nothing stands after {}=, so Slurm takes {} as its value",
                                 pair.key, shown(pair.value)));
    }
    if (equals_ignoring_case(pair.key, "ClusterName")) cluster_name_ = to_lower(pair.value);
    result.pairs.push_back(std::move(pair));
    at = skip_blanks(at);
  }
  if (!result.pairs.empty()) out_.lines.push_back(std::move(result));
}

}  // namespace

ConfText lex_conf(std::string_view text, const std::string& name,
                  const std::filesystem::path& directory, Diagnostics& found) {
  ConfText out;
  Lexer(out, found).read_main(text, name, directory);
  return out;
}

bool read_text_file(const std::filesystem::path& path, std::string& text) {
  // A device or a pipe may have no end, and a configuration is no gigabyte.
  constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 28U;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  if (std::filesystem::file_size(path, failed) > kLargest || failed) return false;
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  text.assign(std::istreambuf_iterator<char>(file), {});
  return !file.bad();
}

}  // namespace rehearse
