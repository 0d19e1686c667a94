// sim/cluster/account.cpp — look-ups in the account book.
#include "sim/cluster/account.hpp"

#include <algorithm>

namespace rehearse {

std::optional<AssociationId> AccountBook::find(NameId account, NameId user,
                                               NameId partition) const {
  const auto exact = by_key_.find({account, user, partition});
  if (exact != by_key_.end()) return exact->second;
  const auto everywhere = by_key_.find({account, user, kNoName});
  if (everywhere == by_key_.end()) return std::nullopt;
  return everywhere->second;
}

std::optional<NameId> AccountBook::default_account(NameId user) const {
  const auto known = default_accounts_.find(user);
  if (known == default_accounts_.end()) return std::nullopt;
  return known->second;
}

std::optional<QosId> AccountBook::find_qos(NameId name) const {
  const auto known = qos_by_name_.find(name);
  if (known == qos_by_name_.end()) return std::nullopt;
  return known->second;
}

void AccountBook::index() {
  by_key_.clear();
  default_accounts_.clear();
  qos_by_name_.clear();
  max_association_priority = 0;
  max_qos_priority = 0;
  for (const Association& association : associations) {
    by_key_.emplace(std::array{association.account, association.user, association.partition},
                    association.id);
    max_association_priority = std::max(max_association_priority, association.priority);
    if (association.is_users_default) {
      default_accounts_.emplace(association.user, association.account);
    }
  }
  for (const Qos& entry : qos) {
    qos_by_name_.emplace(entry.name, entry.id);
    max_qos_priority = std::max(max_qos_priority, entry.conf.priority);
  }
}

std::vector<ShareFactors> kept_shares(const AccountBook& book) {
  std::vector<ShareFactors> factors;
  factors.reserve(book.associations.size());
  for (const Association& each : book.associations) {
    factors.push_back({each.usage_norm, each.usage_effective, each.level_fs, each.fair_share});
  }
  return factors;
}

}  // namespace rehearse
