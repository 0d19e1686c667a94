// sim/config/site_changes.cpp — changes of QOS, associations and site.yaml, by the words of --set.
#include "sim/config/site_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/config/account_edit.hpp"
#include "sim/config/site_keys.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

struct Head {
  std::string_view word;
  SiteChange::Kind kind;
  std::string_view form;  // for the hint
};
constexpr std::array<Head, 3> kHeads{{
    {"QOS=", SiteChange::Kind::Qos, "QOS=high:Priority=1000"},
    {"Account=", SiteChange::Kind::Association, "Account=ml:Fairshare=3"},
    {"Nodes=", SiteChange::Kind::Nodes, "Nodes=n[01-72]:Count=80"},
}};
constexpr std::string_view kSiteHead = "site.yaml:";

/// KEY=VALUE of the last part; false if it is none. `Preempt+=low` is the key `Preempt+`.
bool take_pair(std::string_view text, SiteChange& change) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || trimmed(text.substr(0, equals)).empty()) return false;
  change.key = trimmed(text.substr(0, equals));
  change.value = trimmed(text.substr(equals + 1));
  return true;
}

/// The change, or none: it is slurm.conf's, or wrong, which is then told.
std::optional<SiteChange> other_change(const std::string& text, bool& is_other,
                                       Diagnostics& found) {
  SiteChange change;
  change.where = {"--set " + shortened(text), 0, 0};
  is_other = true;
  if (text.starts_with(kSiteHead)) {
    if (take_pair(std::string_view(text).substr(kSiteHead.size()), change)) return change;
    found.error(change.where, "not a change of site.yaml",
                "write for example site.yaml:controller.epilog=5s");
    return std::nullopt;
  }
  for (const Head& head : kHeads) {
    if (!starts_with_ignoring_case(text, head.word)) continue;
    change.kind = head.kind;
    const std::string_view rest = std::string_view(text).substr(head.word.size());
    const std::size_t colon = rest.find(':');
    change.of = trimmed(rest.substr(0, std::min(colon, rest.size())));
    if (colon != std::string_view::npos && !change.of.empty() &&
        take_pair(rest.substr(colon + 1), change)) {
      return change;
    }
    found.error(change.where, fmt::format("not a change of the form {}…:KEY=VALUE", head.word),
                fmt::format("write for example {}", head.form));
    return std::nullopt;
  }
  is_other = false;
  return std::nullopt;
}

void change_qos(const SiteChange& change, AccountingConf& accounting, Diagnostics& found) {
  const std::string name = to_lower(change.of);
  for (QosConf& qos : accounting.qos) {
    if (qos.name == name) return set_qos_value(qos, change.key, change.value, change.where, found);
  }
  std::vector<std::string_view> names;
  for (const QosConf& qos : accounting.qos) names.push_back(qos.name);
  found.error(change.where, fmt::format("there is no QOS {}", shown(change.of)),
              did_you_mean(name, names));
}

/// `ml,User=ann,Partition=gpu` as account, user, partition; empty where not given.
std::optional<std::array<std::string, 3>> association_of(const SiteChange& change,
                                                         Diagnostics& found) {
  std::array<std::string, 3> names;
  const std::vector<std::string_view> parts = split_list(change.of);
  names[0] = to_lower(parts.empty() ? std::string_view() : parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = std::min(parts[i].find('='), parts[i].size());
    const std::string_view word = trimmed(parts[i].substr(0, equals));
    const bool is_user = equals_ignoring_case(word, "User");
    if ((!is_user && !equals_ignoring_case(word, "Partition")) || equals == parts[i].size()) {
      found.error(change.where, fmt::format("{} is neither User= nor Partition=", shown(parts[i])),
                  "write Account=ml,User=ann:MaxJobs=5");
      return std::nullopt;
    }
    names[is_user ? 1 : 2] = to_lower(trimmed(parts[i].substr(equals + 1)));
  }
  return names;
}

void change_association(const SiteChange& change, AccountingConf& accounting, Diagnostics& found) {
  const auto names = association_of(change, found);
  if (!names) return;
  const auto& [account, user, partition] = *names;
  std::vector<std::string_view> known;
  for (AssociationConf& row : accounting.associations) {
    if (row.account == account && row.user == user && row.partition == partition) {
      return set_association_value(row, change.key, change.value, change.where, found);
    }
    if (user.empty() && row.user.empty()) known.push_back(row.account);
    if (!user.empty() && row.account == account) known.push_back(row.user);
  }
  found.error(change.where, fmt::format("there is no association {}", shown(change.of)),
              did_you_mean(user.empty() ? account : user, known));
}

/// `controller.epilog` as the maps that it stands in.
ConfigValue nested(std::string_view path, const SiteChange& change) {
  ConfigValue map;
  map.kind = ConfigValue::Kind::Map;
  map.where = map.key_where = change.where;
  const std::size_t dot = path.find('.');
  ConfigValue inner;
  if (dot == std::string_view::npos) {
    inner.kind = ConfigValue::Kind::Scalar;
    inner.scalar = change.value;
  } else {
    inner = nested(path.substr(dot + 1), change);
  }
  inner.where = inner.key_where = change.where;
  map.members.push_back({std::string(path.substr(0, dot)), std::move(inner)});
  return map;
}

}  // namespace

std::string where_of(const SiteChange& change) {
  for (const Head& head : kHeads) {
    if (head.kind == change.kind) return std::string(head.word) + change.of;
  }
  return "site.yaml";
}

SiteChanges split_changes(const std::vector<std::string>& set, Diagnostics& found) {
  SiteChanges changes;
  for (const std::string& text : set) {
    bool is_other = false;
    auto other = other_change(text, is_other, found);
    if (other) changes.others.push_back(*std::move(other));
    if (!is_other) changes.slurm_conf.push_back(text);
  }
  return changes;
}

void change_site_keys(const SiteChanges& changes, SiteConf& site, Diagnostics& found) {
  for (const SiteChange& change : changes.others) {
    if (change.kind != SiteChange::Kind::SiteKey) continue;
    const ConfigValue value = nested(change.key, change);
    ConfigNode node(value, "", found);
    read_site_keys(node, site);
    node.finish();
  }
}

void change_accounting(const SiteChanges& changes, AccountingConf& accounting, Diagnostics& found) {
  for (const SiteChange& change : changes.others) {
    if (change.kind == SiteChange::Kind::Qos) change_qos(change, accounting, found);
    if (change.kind == SiteChange::Kind::Association) change_association(change, accounting, found);
  }
}

}  // namespace rehearse
