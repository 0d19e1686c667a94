// sim/sched/limits_assign.cpp — which association and QOS a job gets, and whether it may keep them.
#include <algorithm>
#include <string_view>

#include "sim/config/units.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

constexpr const char* kBadAccount = "Invalid account or account/partition combination specified";
constexpr const char* kBadQos = "Invalid qos specification";

}  // namespace

/// limits.md §1.2: the requested account or the user's default one, for the first partition.
std::optional<AssociationId> Limits::choose_association(const Job& job) const {
  const AccountBook& book = cluster_.accounts;
  const NameId partition =
      job.partitions.empty() ? kNoName : cluster_.partitions[job.partitions.front()].name;
  const std::optional<NameId> fallback = book.default_account(job.spec->user);
  const NameId wanted =
      job.spec->account != kNoName ? job.spec->account : fallback.value_or(kNoName);
  if (wanted == kNoName) return std::nullopt;
  auto found = book.find(wanted, job.spec->user, partition);
  if (!found && !cluster_.conf.enforce.associations && fallback) {
    found = book.find(*fallback, job.spec->user, partition);
  }
  return found;
}

bool Limits::may_use(const Job& job, QosId qos) const {
  if (!job.association) return false;
  const std::vector<QosId>& allowed = cluster_.accounts.associations[*job.association].qos;
  return std::binary_search(allowed.begin(), allowed.end(), qos);
}

/// limits.md §1.3: the association's default if it is allowed, the only one allowed, root's,
/// normal.
std::optional<QosId> Limits::default_qos(const Job& job) const {
  const AccountBook& book = cluster_.accounts;
  if (job.association) {
    const Association& own = book.associations[*job.association];
    if (own.default_qos && may_use(job, *own.default_qos)) return own.default_qos;
    if (own.qos.size() == 1) return own.qos.front();
  }
  const Association& root = book.associations[AssociationId{0}];
  if (root.default_qos) return root.default_qos;
  const auto normal = cluster_.names.find("normal");
  return normal ? book.find_qos(*normal) : std::nullopt;
}

std::optional<SubmitRefusal> Limits::assign(Job& job) const {
  const AccountBook& book = cluster_.accounts;
  const EnforceConf& enforce = cluster_.conf.enforce;
  job.association = choose_association(job);
  if (!job.association && enforce.associations) {
    return SubmitRefusal{Reason::InvalidAccount, kBadAccount};
  }
  if (job.association && job.partitions.size() > 1) {
    const Association& chosen = book.associations[*job.association];
    for (const PartitionId partition : job.partitions) {
      const auto other =
          book.find(chosen.account, chosen.user, cluster_.partitions[partition].name);
      if (other && book.associations[*other].partition != kNoName) {
        return SubmitRefusal{Reason::InvalidAccount, kBadAccount};
      }
    }
  }

  if (job.spec->qos == kNoName) {
    job.qos = default_qos(job);
  } else {
    job.qos = book.find_qos(job.spec->qos);
    if (!job.qos && enforce.qos) return SubmitRefusal{Reason::InvalidQOS, kBadQos};
  }
  if (!job.qos) return std::nullopt;
  if (enforce.qos && !job.set_by_operator.qos && !may_use(job, *job.qos)) {
    return SubmitRefusal{Reason::InvalidQOS, kBadQos};
  }
  const bool reserved = job.spec->extras && !job.spec->extras->reservation.empty();
  if (book.qos[*job.qos].conf.flags.requires_reservation && !reserved) {
    return SubmitRefusal{Reason::InvalidQOS, kBadQos};
  }
  return std::nullopt;
}

/// A permission that was lost since the submission.
std::optional<Reason> Limits::invalid(const Job& job) const {
  const EnforceConf& enforce = cluster_.conf.enforce;
  if (enforce.associations && !job.association) return Reason::InvalidAccount;
  if (!enforce.qos || job.set_by_operator.qos) return std::nullopt;
  if (!job.qos || !may_use(job, *job.qos)) return Reason::InvalidQOS;
  return std::nullopt;
}

}  // namespace rehearse
