// sim/config/slurm_conf_changes.cpp — --set KEY=VALUE: what is tried on top of the file.
//
// A global key replaces the file's; += and -= edit one word of a comma list; a change of a record
// is kept aside until the records are known.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/slurm_conf_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "sim/config/word_list.hpp"

namespace rehearse {
namespace {

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

/// KEY, an operator and VALUE of one change; an empty key: told what is wrong.
ConfPair split_change(ConfReading& in, std::string_view text, ConfPlace place) {
  ConfPair pair;
  pair.key_at = pair.value_at = place;
  const std::size_t equals = text.find('=');
  std::string_view key = trimmed(text.substr(0, std::min(equals, text.size())));
  if (!key.empty() && (key.back() == '+' || key.back() == '-')) {
    pair.op = key.back();
    key.remove_suffix(1);
  }
  if (equals == std::string_view::npos || trimmed(key).empty()) {
    in.found.error(in.text.position(place), "not a change of the form KEY=VALUE",
                   "write for example --set PriorityWeightFairshare=20000");
    return pair;
  }
  pair.key = shortened(trimmed(key));
  pair.value = unquoted(trimmed(text.substr(equals + 1)));
  return pair;
}

/// `gpu:MaxTime=2-0` behind PartitionName=.
void change_record(ConfReading& in, KeyScope scope, const ConfPair& head) {
  const std::string_view text = head.value;
  const std::size_t colon = text.find(':');
  const std::string_view names = trimmed(text.substr(0, colon));
  RecordChange change{scope, std::string(names),
                      split_change(in, text.substr(colon + 1), head.key_at)};
  if (change.pair.key.empty()) return;
  const KeyTrouble trouble = check_key(scope, change.pair.key, release_of(in.version));
  if (!trouble.what.empty()) {
    in.found.error(in.text.position(head.key_at), trouble.what, trouble.hint);
    return;
  }
  in.changes.push_back(std::move(change));
}

/// `SchedulerParameters=bf_window=1440` leaves none of the file's other words: seldom what was
/// meant.
void warn_of_lost_words(ConfReading& in, const ConfPair& pair) {
  const ConfPair* const known = last_pair(in.text, pair.key);
  if (known == nullptr || pair.value.empty()) return;
  const auto name_of = [](std::string_view word) {
    return trimmed(word.substr(0, word.find('=')));
  };
  std::string lost;
  for (const std::string_view word : split_list(known->value)) {
    const std::vector<std::string_view> others = split_list(pair.value);
    const bool kept = std::any_of(others.begin(), others.end(), [&](std::string_view other) {
      return equals_ignoring_case(name_of(word), name_of(other));
    });
    if (!kept) lost += fmt::format("{}{}", lost.empty() ? "" : ", ", word);
  }
  if (lost.empty()) return;
  in.found.warning(in.text.position(pair.key_at),
                   fmt::format("the whole list is replaced: without {}", lost),
                   fmt::format("to change a word of it: --set {}+={}", pair.key, pair.value));
}

/// `SchedulerParameters-=bf_intervall` takes nothing away: a typo, or the file is not the one
/// meant.
void warn_of_absent_words(ConfReading& in, const ConfPair& pair, std::string_view list) {
  const std::vector<std::string_view> known = split_list(list);
  std::vector<std::string_view> names;
  for (const std::string_view word : known) names.push_back(word.substr(0, word.find('=')));
  for (const std::string_view word : split_list(pair.value)) {
    if (edited_list(list, word, false) != edited_list(list, "", false)) continue;
    in.found.warning(in.text.position(pair.key_at),
                     fmt::format("{} has no word {}: nothing is taken away", pair.key, word),
                     did_you_mean(word, names));
  }
}

void apply_change(ConfReading& in, const std::string& text) {
  const ConfPlace place{static_cast<std::uint32_t>(in.text.sources.size()), 0, 0};
  in.text.sources.emplace_back("--set " + shortened(text), text);
  ConfPair pair = split_change(in, text, place);
  if (pair.key.empty()) return;
  const bool is_node = equals_ignoring_case(pair.key, "NodeName");
  const bool is_partition = equals_ignoring_case(pair.key, "PartitionName");
  const std::string_view head = std::string_view(pair.value).substr(0, pair.value.find('='));
  if ((is_node || is_partition) && head.find(':') != std::string_view::npos) {
    return change_record(in, is_node ? KeyScope::Node : KeyScope::Partition, pair);
  }
  if (is_node || is_partition) {  // a whole line: one more record
    Diagnostics lexed;
    ConfText line = lex_conf(text, in.text.sources[place.file].first, {}, lexed);
    for (const Diagnostic& finding : lexed.all()) {
      in.found.error(in.text.position(place), finding.what, finding.hint);
    }
    for (ConfLine& more : line.lines) {
      for (ConfPair& each : more.pairs) each.key_at = each.value_at = place;
      in.text.lines.push_back(std::move(more));
    }
    return;
  }
  if (pair.op == '=' && (equals_ignoring_case(pair.key, "SchedulerParameters") ||
                         equals_ignoring_case(pair.key, "PreemptParameters"))) {
    warn_of_lost_words(in, pair);
  }
  if (pair.op != '=') {
    const ConfPair* const known = last_pair(in.text, pair.key);
    const std::string_view list = known != nullptr ? std::string_view(known->value) : "";
    if (pair.op == '-') warn_of_absent_words(in, pair, list);
    pair.value = edited_list(list, pair.value, pair.op == '+');
    pair.op = '=';
  }
  in.text.lines.push_back({{std::move(pair)}});
}

}  // namespace

void apply_changes(ConfReading& in, const std::vector<std::string>& set) {
  for (const std::string& text : set) apply_change(in, text);
}

}  // namespace rehearse
