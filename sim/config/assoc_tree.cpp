// sim/config/assoc_tree.cpp — where each account of `show assoc` hangs, by the evidence there is.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/config/assoc_rows.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

/// Finds every account's parent by the best evidence that the table has.
class TreeFinder {
 public:
  TreeFinder(std::vector<AssocRow>& rows, const std::string& file, Diagnostics& found)
      : rows_(rows), file_(file), found_(found) {}

  void find() {
    if (by_name() || by_bounds() || by_id() || by_indent()) return;
    by_order();
  }

 private:
  static bool is_account(const AssocRow& row) { return row.association.user.empty(); }
  static bool is_root(const AssocRow& row) { return row.association.account == "root"; }
  bool all_accounts(auto&& claim) const {
    return std::all_of(rows_.begin(), rows_.end(), [&](const AssocRow& row) {
      return !is_account(row) || is_root(row) || claim(row);
    });
  }
  bool has_accounts() const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [](const AssocRow& row) { return is_account(row) && !is_root(row); });
  }

  bool by_name();
  bool by_bounds();
  bool by_id();
  bool by_indent();
  void by_order();

  std::vector<AssocRow>& rows_;
  const std::string& file_;
  Diagnostics& found_;
};

bool TreeFinder::by_name() {
  if (!has_accounts() || !all_accounts([](const AssocRow& row) {
        return row.parent_name && !row.parent_name->empty();
      })) {
    return !has_accounts();
  }
  for (AssocRow& row : rows_) {
    if (is_account(row) && !is_root(row)) row.association.parent = *row.parent_name;
  }
  return true;
}

bool TreeFinder::by_bounds() {
  if (!all_accounts([](const AssocRow& row) { return row.left && row.right; })) return false;
  for (AssocRow& row : rows_) {
    if (!is_account(row) || is_root(row)) continue;
    const AssocRow* nearest = nullptr;
    for (const AssocRow& other : rows_) {
      if (!is_account(other) || !other.left || !other.right) continue;
      if (*other.left<*row.left&& * other.right> * row.right &&
          (nearest == nullptr || *other.left > *nearest->left)) {
        nearest = &other;
      }
    }
    row.association.parent = nearest == nullptr ? "root" : nearest->association.account;
  }
  return true;
}

bool TreeFinder::by_id() {
  std::map<std::uint64_t, std::string> names;
  for (const AssocRow& row : rows_) {
    if (is_account(row) && row.id) names[*row.id] = row.association.account;
  }
  if (!all_accounts(
          [&](const AssocRow& row) { return row.parent_id && names.contains(*row.parent_id); })) {
    return false;
  }
  for (AssocRow& row : rows_) {
    if (is_account(row) && !is_root(row)) row.association.parent = names[*row.parent_id];
  }
  return true;
}

/// `tree` indents accounts by one blank a level.
bool TreeFinder::by_indent() {
  const bool indented =
      std::any_of(rows_.begin(), rows_.end(), [](const AssocRow& row) { return row.indent > 0; });
  if (!indented) return false;
  std::vector<std::pair<std::size_t, std::string>> path;
  for (AssocRow& row : rows_) {
    if (!is_account(row)) continue;
    while (!path.empty() && path.back().first >= row.indent) path.pop_back();
    if (!is_root(row)) row.association.parent = path.empty() ? "root" : path.back().second;
    path.emplace_back(row.indent, row.association.account);
  }
  return true;
}

/// Depth first and alphabetical: names in rising order allow a flat tree (and others), a fall
/// proves that there is a second level, but not where it hangs.
void TreeFinder::by_order() {
  const AssocRow* last = nullptr;
  const AssocRow* fall = nullptr;
  const AssocRow* before_fall = nullptr;
  for (AssocRow& row : rows_) {
    if (!is_account(row) || is_root(row)) continue;
    row.association.parent = "root";
    if (fall == nullptr && last != nullptr && row.association.account < last->association.account) {
      fall = &row;
      before_fall = last;
    }
    last = &row;
  }
  if (fall == nullptr) {
    found_.warning({file_}, "no ParentName column: every account is taken to be below root",
                   fmt::format("if accounts are nested, run: {}", kShowAssoc));
    return;
  }
  found_.error(fall->association.where,
               fmt::format("account '{}' after '{}' shows that accounts are nested, but not how",
                           shortened(fall->association.account),
                           shortened(before_fall->association.account)),
               fmt::format("use `sacctmgr dump`, or run: {}", kShowAssoc));
}

}  // namespace

void find_assoc_tree(std::vector<AssocRow>& rows, const std::string& file, Diagnostics& found) {
  TreeFinder(rows, file, found).find();
}

std::vector<AssociationConf> in_tree_order(std::vector<AssocRow> rows, Diagnostics& found) {
  std::vector<AssociationConf> ordered;
  std::map<std::string, bool> placed;
  const auto place = [&](AssocRow& row) { ordered.push_back(std::move(row.association)); };
  for (AssocRow& row : rows) row.association.left = row.left;
  AssociationConf root;
  root.account = "root";
  root.qos = {"normal"};
  ordered.push_back(root);
  placed["root"] = true;
  std::vector<AssocRow*> waiting;
  for (AssocRow& row : rows) {
    if (!row.association.user.empty()) {
      row.association.parent = row.association.account;
      waiting.push_back(&row);
    } else if (row.association.account == "root") {
      ordered.front() = std::move(row.association);
      ordered.front().parent.clear();
    } else {
      waiting.push_back(&row);
    }
  }
  bool moved = true;
  while (moved && !waiting.empty()) {
    moved = false;
    std::vector<AssocRow*> still;
    for (AssocRow* row : waiting) {
      if (!placed.contains(row->association.parent)) {
        still.push_back(row);
        continue;
      }
      if (row->association.user.empty()) placed[row->association.account] = true;
      place(*row);
      moved = true;
    }
    waiting = std::move(still);
  }
  for (const AssocRow* row : waiting) {
    found.error(
        row->association.where,
        row->association.user.empty()
            ? fmt::format("account '{}' hangs below '{}', which is not in the table",
                          shortened(row->association.account), shortened(row->association.parent))
            : fmt::format("user '{}' is in account '{}', which is not in the table",
                          shortened(row->association.user), shortened(row->association.account)),
        "run it as an administrator, so that every association is shown");
  }
  return ordered;
}

}  // namespace rehearse
