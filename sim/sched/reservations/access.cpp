// sim/sched/reservations/access.cpp — lists of users and accounts, by name or by association.
#include "sim/sched/reservations/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace rehearse {
namespace {

template <typename T>
bool holds(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

void change(std::vector<NameId>& list, const std::vector<std::string>& words,
            NameListChange::How how, NamePool& names) {
  if (how == NameListChange::How::Set) list.clear();
  for (const std::string& word : words) {
    const NameId name = names.intern(word);
    if (how == NameListChange::How::Remove) {
      std::erase(list, name);
    } else if (!holds(list, name)) {
      list.push_back(name);
    }
  }
}

class Associations {
 public:
  Associations(const AccountBook& book, const NamePool& names, const SourcePosition& where,
               Diagnostics& found)
      : book_(book), names_(names), where_(where), found_(found) {}

  void of_account(NameId account, std::vector<AssociationId>& into) {
    if (const auto id = book_.find(account, kNoName, kNoName)) {
      into.push_back(*id);
    } else {
      found_.error(where_, fmt::format("account {} has no association", names_.text(account)),
                   "slurmctld refuses the reservation: Invalid account or account/partition "
                   "combination specified");
    }
  }

  void of_user(NameId user, const std::vector<NameId>& accounts, std::vector<AssociationId>& into) {
    bool any = false;
    for (const Association& each : book_.associations) {
      if (each.user != user) continue;
      if (!accounts.empty() && !holds(accounts, each.account)) continue;
      into.push_back(each.id);
      any = true;
    }
    // root always has the association that slurmdbd made for it.
    if (!any && names_.text(user) != "root") {
      found_.error(where_, fmt::format("user {} has no association there", names_.text(user)),
                   "slurmctld refuses the reservation: Invalid account or account/partition "
                   "combination specified");
    }
  }

 private:
  const AccountBook& book_;
  const NamePool& names_;
  SourcePosition where_;
  Diagnostics& found_;
};

}  // namespace

void resolve_access(const ReservationWords& words, const Cluster& cluster, NamePool& names,
                    ReservationAccess& access, Diagnostics& found) {
  if (words.users) {
    const auto how = words.users->how;
    change(access.users, words.users->allowed, how, names);
    change(access.denied_users, words.users->denied, how, names);
  }
  if (words.accounts) {
    const auto how = words.accounts->how;
    change(access.accounts, words.accounts->allowed, how, names);
    change(access.denied_accounts, words.accounts->denied, how, names);
  }
  const bool none = access.users.empty() && access.denied_users.empty() &&
                    access.accounts.empty() && access.denied_accounts.empty();
  if (none) {
    found.error(words.where, "the reservation would have neither users nor accounts",
                "slurmctld refuses it: Reservation request lacks users, groups or accounts");
  }
  access.by_association = cluster.conf.enforce.associations;
  if (!access.by_association) return;
  access.associations.clear();
  access.denied_associations.clear();
  Associations find(cluster.accounts, names, words.where, found);
  if (access.users.empty()) {
    for (const NameId account : access.accounts) find.of_account(account, access.associations);
  }
  for (const NameId user : access.users) find.of_user(user, access.accounts, access.associations);
  for (const NameId user : access.denied_users) find.of_user(user, {}, access.denied_associations);
  for (const NameId account : access.denied_accounts) {
    find.of_account(account, access.denied_associations);
  }
}

bool may_use(const Reservation& reservation, const Job& job, const Cluster& cluster) {
  if (reservation.has(ReservationFlag::TimeFloat)) return false;
  const ReservationAccess& access = reservation.access;
  if (access.by_association) {
    bool allowed = access.associations.empty() && access.users.empty();
    for (auto at = job.association; at; at = cluster.accounts.associations[*at].parent) {
      if (holds(access.denied_associations, *at)) return false;
      allowed = allowed || holds(access.associations, *at);
    }
    return allowed;
  }
  const NameId user = job.spec->user;
  const NameId account =
      job.association ? cluster.accounts.associations[*job.association].account : job.spec->account;
  if (holds(access.denied_users, user) || holds(access.denied_accounts, account)) return false;
  const bool user_may = access.users.empty() || holds(access.users, user);
  const bool account_may = access.accounts.empty() || holds(access.accounts, account);
  return user_may && account_may;
}

}  // namespace rehearse
