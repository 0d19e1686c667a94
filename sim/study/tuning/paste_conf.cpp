// sim/study/tuning/paste_conf.cpp — changes written into slurm.conf where its keys stand.
//
// A value is replaced at the place that the lexer names; a key that no line sets comes at the end
// of the main file, one of a record at the end of its line. What has no such place (a value that is
// continued on another line, a line of several partitions of which one changes) is left to a hand.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/config/conf_lexer.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/config/word_list.hpp"
#include "sim/study/tuning/paste.hpp"

namespace rehearse {
namespace {

std::string written_value(const std::string& value) {
  return value.find_first_of(" \t") == std::string::npos ? value : "\"" + value + "\"";
}

/// One --set of slurm.conf, taken apart.
struct ConfChange {
  std::string text;         // as it was given
  std::string head, names;  // `PartitionName`, `gpu`; empty: a global key
  std::string key, value;
  char op = '=';
};

std::optional<ConfChange> take_apart(const std::string& text) {
  ConfChange change;
  change.text = text;
  std::string_view rest = text;
  for (const std::string_view head : {"PartitionName", "NodeName"}) {
    if (!starts_with_ignoring_case(rest, std::string(head) + "=")) continue;
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return std::nullopt;  // a whole new line
    change.head = head;
    change.names = trimmed(rest.substr(head.size() + 1, colon - head.size() - 1));
    rest.remove_prefix(colon + 1);
    break;
  }
  const std::size_t equals = rest.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  std::string_view key = trimmed(rest.substr(0, equals));
  if (key.back() == '+' || key.back() == '-') {
    change.op = key.back();
    key.remove_suffix(1);
  }
  change.key = trimmed(key);
  change.value = trimmed(rest.substr(equals + 1));
  return change;
}

class ConfEditor {
 public:
  ConfEditor(ConfText text, std::vector<std::string>& by_hand)
      : text_(std::move(text)), by_hand_(by_hand) {}

  void apply(const ConfChange& change) {
    if (!change.head.empty()) return set_record(change);
    const ConfPair* const known = last_pair(text_, change.key);
    const auto made = values_.find(to_lower(change.key));
    std::string value = change.value;
    if (change.op != '=') {
      const std::string before = made != values_.end() ? made->second
                                 : known != nullptr    ? known->value
                                                       : std::string();
      value = edited_list(before, change.value, change.op == '+');
    }
    values_[to_lower(change.key)] = value;
    if (known == nullptr) {
      appended_[to_lower(change.key)] = change.key + "=" + written_value(value);
    } else if (value.empty() || !replace(*known, value)) {
      by_hand_.push_back(change.text);
    }
  }

  /// The text of a source with its edits.
  [[nodiscard]] std::string edited(std::uint32_t file) const {
    std::string text = text_.sources[file].second;
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) {  // from the end
      if (edit->first.first != file) continue;
      text.replace(edit->first.second, edit->second.length, edit->second.text);
    }
    if (file != 0 || appended_.empty()) return text;
    if (!text.empty() && text.back() != '\n') text += '\n';
    for (const auto& [key, line] : appended_) text += line + "\n";
    return text;
  }

  [[nodiscard]] const ConfText& text() const { return text_; }

 private:
  struct Edit {
    std::size_t length = 0;
    std::string text;
  };

  [[nodiscard]] std::size_t offset_of(const ConfPlace& place) const {
    const std::string& text = text_.sources[place.file].second;
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
    return at + place.column - 1;
  }

  /// Where the value stands, quotes included; none: not in one piece.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> extent_of(
      const ConfPair& pair) const {
    const std::string& text = text_.sources[pair.value_at.file].second;
    const std::size_t at = offset_of(pair.value_at);
    const std::string plain = pair.value;
    const std::string quoted = "\"" + plain + "\"";
    for (const std::string* form : {&quoted, &plain}) {
      if (text.compare(at, form->size(), *form) != 0) continue;
      const std::size_t end = at + form->size();
      const bool ends = end == text.size() || is_blank(text[end]) || text[end] == '#';
      if (ends) return std::pair{at, form->size()};
    }
    return std::nullopt;
  }

  bool replace(const ConfPair& pair, const std::string& value) {
    const auto extent = extent_of(pair);
    if (!extent) return false;
    edits_[{pair.value_at.file, extent->first}] = {extent->second, written_value(value)};
    return true;
  }

  /// Behind the line's last pair.
  bool append(const ConfLine& line, const std::string& key, const std::string& value) {
    const ConfPair& last = line.pairs.back();
    const auto extent = extent_of(last);
    if (!extent) return false;
    auto& edit = edits_[{last.value_at.file, extent->first + extent->second}];
    std::string& text = edit.text;
    // The same key of an earlier change gives way.
    const std::string word = " " + key + "=";
    if (const std::size_t at = text.find(word); at != std::string::npos) {
      text.erase(at, std::min(text.find(' ', at + 1), text.size()) - at);
    }
    text += word + written_value(value);
    return true;
  }

  [[nodiscard]] static std::set<std::string> names_in(const std::string& head,
                                                      const std::string& names) {
    std::set<std::string> all;
    if (head == "NodeName") {
      for (const std::string& name : expand_hostlist(names).hosts) all.insert(name);
    } else {
      for (const std::string_view name : split_list(names)) all.emplace(name);
    }
    return all;
  }

  void set_record(const ConfChange& change) {
    std::set<std::string> left = names_in(change.head, change.names);
    const std::set<std::string> wanted = left;
    bool is_done = change.op == '=' && !change.value.empty();
    for (const ConfLine& line : text_.lines) {
      const ConfPair& head = line.pairs.front();
      if (!equals_ignoring_case(head.key, change.head)) continue;
      const std::set<std::string> here = names_in(change.head, head.value);
      const bool all_of_it = std::includes(wanted.begin(), wanted.end(), here.begin(), here.end());
      const bool some_of_it = std::any_of(
          here.begin(), here.end(), [&](const std::string& name) { return wanted.contains(name); });
      if (!some_of_it) continue;
      const auto own = std::find_if(line.pairs.begin() + 1, line.pairs.end(), [&](const auto& p) {
        return equals_ignoring_case(p.key, change.key);
      });
      if (!is_done || !all_of_it ||
          !(own != line.pairs.end() ? replace(*own, change.value)
                                    : append(line, change.key, change.value))) {
        is_done = false;
        break;
      }
      for (const std::string& name : here) left.erase(name);
    }
    if (!is_done || !left.empty()) by_hand_.push_back(change.text);
  }

  ConfText text_;
  std::vector<std::string>& by_hand_;
  std::map<std::string, std::string> values_;    // of global keys that changed, by key
  std::map<std::string, std::string> appended_;  // new lines, by key
  std::map<std::pair<std::uint32_t, std::size_t>, Edit> edits_;  // by file and offset
};

}  // namespace

std::vector<ChangedFile> change_conf(const SiteFolder& site, const std::vector<std::string>& set,
                                     std::vector<std::string>& by_hand) {
  std::string main;
  Diagnostics ignored;  // the site has been read before
  (void)read_text_file(site.slurm_conf, main);
  ConfEditor editor(
      lex_conf(main, site.slurm_conf.string(), site.slurm_conf.parent_path(), ignored), by_hand);
  for (const std::string& text : set) {
    const auto change = take_apart(text);
    if (change) {
      editor.apply(*change);
    } else {
      by_hand.push_back(text);
    }
  }
  std::vector<ChangedFile> files;
  for (std::uint32_t i = 0; i < editor.text().sources.size(); ++i) {
    const auto& [name, before] = editor.text().sources[i];
    ChangedFile file{std::filesystem::path(name).lexically_relative(site.root).string(), before,
                     editor.edited(i)};
    if (file.before != file.after) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace rehearse
