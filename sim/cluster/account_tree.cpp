// sim/cluster/account_tree.cpp — from the rows of sacctmgr to a tree with inheritance resolved.
//
// Associations keep the position of their row, root is first. Order of siblings: users by name,
// then accounts by LFT where it is known, else byte-wise by name (priority.md §7.3); limits of the
// kind Max* flow down, Grp* stay where they are (limits.md §1.4).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/cluster/account.hpp"
#include "sim/cluster/limit_set.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

class TreeBuilder {
 public:
  TreeBuilder(const AccountingConf& conf, const TresTable& tres, NamePool& names,
              Diagnostics& found)
      : conf_(conf), tres_(tres), names_(names), found_(found) {}

  AccountBook build() {
    add_qos();
    add_associations();
    link();
    give_places();
    sort_children();
    inherit_below(AssociationId{0});
    find_cut_off();
    book_.index();
    return std::move(book_);
  }

 private:
  void add_qos();
  void add_one_qos(const QosConf& conf);
  void resolve_preempt_lists();
  void add_associations();
  void add_association(const AssociationConf* conf);
  void link();
  void give_places();
  void sort_children();
  void inherit_below(AssociationId parent);
  void inherit_from(const Association& parent, Association& child);
  void resolve_qos_list(Association& association, const std::vector<QosId>& above);
  void find_cut_off();
  [[nodiscard]] std::optional<QosId> qos_named(std::string_view name, const SourcePosition& where);
  [[nodiscard]] const std::string& text(NameId name) const { return names_.text(name); }

  const AccountingConf& conf_;
  const TresTable& tres_;
  NamePool& names_;
  Diagnostics& found_;
  AccountBook book_;
  std::vector<const AssociationConf*> rows_;  // beside associations; null: root was made up
  std::vector<bool> own_priority_;            // beside associations: 0 may be written or not
  std::map<std::string, QosId, std::less<>> qos_ids_;
  std::map<NameId, AssociationId> accounts_;
};

void TreeBuilder::add_one_qos(const QosConf& conf) {
  if (qos_ids_.contains(conf.name)) {
    found_.error(conf.where, fmt::format("QOS {} is defined twice", shown(conf.name)));
    return;
  }
  Qos qos;
  qos.id = id_at<QosId>(book_.qos.size());
  qos.name = names_.intern(conf.name);
  qos.conf = conf;
  qos.limits = resolve_limits(conf, tres_, found_);
  qos_ids_.emplace(conf.name, qos.id);
  book_.qos.push_back(std::move(qos));
}

void TreeBuilder::add_qos() {
  const auto is_normal = [](const QosConf& qos) { return qos.name == "normal"; };
  if (std::none_of(conf_.qos.begin(), conf_.qos.end(), is_normal)) {
    QosConf normal;  // created with every database (limits.md §1)
    normal.name = "normal";
    add_one_qos(normal);
  }
  for (const QosConf& qos : conf_.qos) add_one_qos(qos);
  resolve_preempt_lists();
}

void TreeBuilder::resolve_preempt_lists() {
  for (Qos& qos : book_.qos) {
    for (const std::string& victim : qos.conf.preempt) {
      if (const auto id = qos_named(victim, qos.conf.where)) qos.preempts.push_back(*id);
    }
    std::sort(qos.preempts.begin(), qos.preempts.end());
  }
}

std::optional<QosId> TreeBuilder::qos_named(std::string_view name, const SourcePosition& where) {
  const auto known = qos_ids_.find(name);
  if (known != qos_ids_.end()) return known->second;
  std::vector<std::string_view> candidates;
  for (const auto& [other, id] : qos_ids_) candidates.push_back(other);
  found_.error(where, fmt::format("QOS {} is not defined", shown(name)),
               did_you_mean(name, candidates));
  return std::nullopt;
}

void TreeBuilder::add_association(const AssociationConf* conf) {
  Association added;
  added.id = id_at<AssociationId>(book_.associations.size());
  added.account = names_.intern(conf != nullptr ? conf->account : "root");
  added.shares = 1;
  if (conf != nullptr) {
    added.user = names_.intern(conf->user);
    added.partition = names_.intern(conf->partition);
    added.shares = conf->fairshare;
    added.limits = resolve_limits(conf->limits, tres_, conf->where, found_);
    added.max_jobs = conf->max_jobs;
    added.max_jobs_accrue = conf->max_jobs_accrue;
    added.max_submit_jobs = conf->max_submit_jobs;
    added.priority = conf->priority.value_or(0);
    added.is_users_default = conf->is_default_account && !conf->user.empty();
    if (!conf->default_qos.empty()) added.default_qos = qos_named(conf->default_qos, conf->where);
    if (conf->user.empty() && !accounts_.emplace(added.account, added.id).second) {
      found_.error(conf->where, fmt::format("account {} is defined twice", shown(conf->account)));
      return;
    }
  } else {
    accounts_.emplace(added.account, added.id);
  }
  own_priority_.push_back(conf != nullptr && conf->priority.has_value());
  rows_.push_back(conf);
  book_.associations.push_back(std::move(added));
}

void TreeBuilder::add_associations() {
  const auto& rows = conf_.associations;
  const auto root = std::find_if(rows.begin(), rows.end(), [](const AssociationConf& row) {
    return row.account == "root" && row.user.empty();
  });
  add_association(root != rows.end() ? &*root : nullptr);  // every cluster has a root account
  std::map<std::tuple<std::string, std::string, std::string>, bool> seen;
  for (const AssociationConf& row : rows) {
    if (root != rows.end() && &row == &*root) continue;
    if (!row.user.empty() &&
        !seen.emplace(std::tuple(row.account, row.user, row.partition), true).second) {
      found_.error(row.where, fmt::format("user {} is twice in account {}", shown(row.user),
                                          shown(row.account)));
      continue;
    }
    add_association(&row);
  }
}

void TreeBuilder::link() {
  std::vector<std::string_view> candidates;
  for (const auto& [name, id] : accounts_) candidates.push_back(text(name));
  for (std::size_t i = 1; i < book_.associations.size(); ++i) {
    Association& association = book_.associations[id_at<AssociationId>(i)];
    const AssociationConf& row = *rows_[i];
    // A user hangs below the account of its row; an account below its parent, else below root.
    const std::string above = !row.user.empty()    ? row.account
                              : row.parent.empty() ? std::string("root")
                                                   : row.parent;
    const auto parent = accounts_.find(names_.intern(above));
    if (parent == accounts_.end()) {
      found_.error(
          row.where,
          fmt::format("{} {}: there is no account {}", row.user.empty() ? "account" : "user",
                      shown(row.user.empty() ? row.account : row.user), shown(above)),
          did_you_mean(above, candidates));
      continue;
    }
    association.parent = parent->second;
    book_.associations[parent->second].children.push_back(association.id);
  }
}

void TreeBuilder::give_places() {
  const bool by_left = std::all_of(rows_.begin(), rows_.end(), [](const AssociationConf* row) {
    return row != nullptr && (row->left || !row->user.empty());
  });
  const auto key = [&](AssociationId id) {
    const Association& a = book_.associations[id];
    const bool is_account = a.user == kNoName;
    return std::tuple<bool, std::uint64_t, std::string_view, std::string_view>(
        is_account, is_account && by_left ? *rows_[index_of(id)]->left : 0,
        is_account ? text(a.account) : text(a.user), text(a.partition));
  };
  std::vector<AssociationId> listed;
  for (const Association& association : book_.associations) listed.push_back(association.id);
  std::stable_sort(listed.begin(), listed.end(),
                   [&](AssociationId a, AssociationId b) { return key(a) < key(b); });
  for (std::uint32_t place = 0; place < listed.size(); ++place) {
    book_.associations[listed[place]].place = place;
  }
}

void TreeBuilder::sort_children() {
  for (Association& association : book_.associations) {
    std::sort(association.children.begin(), association.children.end(),
              [&](AssociationId a, AssociationId b) {
                return book_.associations[a].place < book_.associations[b].place;
              });
  }
}

void TreeBuilder::resolve_qos_list(Association& association, const std::vector<QosId>& above) {
  const AssociationConf* row = rows_[index_of(association.id)];
  if (row == nullptr || row->qos.empty()) {
    association.qos = above;
    return;
  }
  if (row->qos_is_edit) association.qos = above;
  for (std::string_view name : row->qos) {
    const bool removes = row->qos_is_edit && name.starts_with('-');
    if (row->qos_is_edit && (removes || name.starts_with('+'))) name.remove_prefix(1);
    const auto id = qos_named(name, row->where);
    if (!id) continue;
    std::erase(association.qos, *id);
    if (!removes) association.qos.push_back(*id);
  }
  std::sort(association.qos.begin(), association.qos.end());
}

void TreeBuilder::inherit_from(const Association& parent, Association& child) {
  inherit_tres(child.limits.max_tres_per_job, parent.limits.max_tres_per_job);
  inherit_tres(child.limits.max_tres_per_node, parent.limits.max_tres_per_node);
  inherit_tres(child.limits.max_tres_mins_per_job, parent.limits.max_tres_mins_per_job);
  inherit(child.limits.max_wall_min, parent.limits.max_wall_min);
  inherit(child.limits.min_prio_threshold, parent.limits.min_prio_threshold);
  inherit(child.max_jobs, parent.max_jobs);
  inherit(child.max_jobs_accrue, parent.max_jobs_accrue);
  inherit(child.max_submit_jobs, parent.max_submit_jobs);
  inherit(child.default_qos, parent.default_qos);
  if (!own_priority_[index_of(child.id)]) child.priority = parent.priority;
  resolve_qos_list(child, parent.qos);
}

void TreeBuilder::inherit_below(AssociationId parent) {
  Association& above = book_.associations[parent];
  // A new cluster's root has the list `normal` (limits.md §1).
  if (parent == AssociationId{0}) resolve_qos_list(above, {*qos_named("normal", {})});
  for (const AssociationId child : above.children) {
    inherit_from(above, book_.associations[child]);
    inherit_below(child);
  }
}

/// Accounts whose parents form a ring hang nowhere: nothing has been inherited there.
void TreeBuilder::find_cut_off() {
  for (const Association& association : book_.associations) {
    if (association.id == AssociationId{0} || !association.parent) continue;
    const Association* above = &association;
    std::size_t steps = 0;
    while (above->parent && steps++ <= book_.associations.size()) {
      above = &book_.associations[*above->parent];
    }
    if (above->parent) {
      found_.error(rows_[index_of(association.id)]->where,
                   fmt::format("account {} is its own ancestor", shown(text(association.account))),
                   "name a parent that leads to root");
    }
  }
}

}  // namespace

AccountBook make_account_book(const AccountingConf& conf, const TresTable& tres, NamePool& names,
                              Diagnostics& found) {
  return TreeBuilder(conf, tres, names, found).build();
}

}  // namespace rehearse
