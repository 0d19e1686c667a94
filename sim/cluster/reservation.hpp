// sim/cluster/reservation.hpp — an advance reservation: what is kept, for whom and when
// (lifecycle.md §13).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sim/cluster/core_set.hpp"
#include "sim/cluster/ids.hpp"
#include "sim/cluster/request.hpp"
#include "sim/config/reservation_words.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Cores of nodes, by node.
using CoresByNode = std::map<NodeId, CoreSet>;

/// Who may use a reservation. Both lists empty: not asked.
struct ReservationAccess {
  std::vector<NameId> users, denied_users, accounts, denied_accounts;
  /// The same as associations, where slurmctld enforces them.
  bool by_association = false;
  std::vector<AssociationId> associations, denied_associations;
};

struct Reservation {
  ReservationId id{};
  std::uint32_t number = 0;  ///< Slurm's id: another one at each recurrence
  NameId name = kNoName;
  SlurmTime start, end;
  Seconds float_start{0};  ///< of TIME_FLOAT: start and end are counted from now
  Seconds length{0};
  ReservationFlags flags;
  NodeSet nodes;
  bool full_nodes = true;
  CoresByNode cores;  ///< of `nodes`, where not whole ones are reserved
  std::uint32_t nodes_wanted = 0, cores_wanted = 0;  ///< 0: as many as `nodes` has
  NameId features = kNoName;
  std::optional<PartitionId> partition;
  ReservationAccess access;
  std::vector<LicenseRequest> licenses;
  std::optional<Minutes> max_start_delay;
  Minutes purge_after{5};  ///< PURGE_COMP
  std::optional<SlurmTime> idle_since;
  bool marks_nodes = false;  ///< the 5-s check has found it active
  bool gone = false;         ///< ended for good, or deleted

  [[nodiscard]] bool has(ReservationFlag flag) const { return flags.has(flag); }
  [[nodiscard]] bool is_active(SlurmTime now) const { return start <= now && now < end; }
};

/// Start and end as they stand at an instant: a floating one moves along.
struct ReservationSpan {
  SlurmTime start, end;
};
[[nodiscard]] inline ReservationSpan span_of(const Reservation& reservation, SlurmTime now) {
  if (!reservation.has(ReservationFlag::TimeFloat)) return {reservation.start, reservation.end};
  const SlurmTime start = now + reservation.float_start;
  return {start, start + reservation.length};
}

/// All reservations ever made; positions do not move, and gone ones are skipped.
class ReservationTable {
 public:
  Reservation& add(Reservation reservation) {
    reservation.id = id_at<ReservationId>(all_.size());
    reservation.number = next_number_++;
    all_.push_back(std::move(reservation));
    names_.insert(all_.back().name);
    live_.push_back(all_.back().id);
    return all_.back();
  }
  void remove(Reservation& reservation) {
    reservation.gone = true;
    std::erase(live_, reservation.id);
  }
  [[nodiscard]] std::uint32_t new_number() { return next_number_++; }
  [[nodiscard]] Reservation& operator[](ReservationId id) { return all_[index_of(id)]; }
  [[nodiscard]] const Reservation& operator[](ReservationId id) const { return all_[index_of(id)]; }
  /// In order of creation.
  [[nodiscard]] const std::vector<ReservationId>& live() const { return live_; }
  [[nodiscard]] bool empty() const { return live_.empty(); }
  [[nodiscard]] Reservation* find(NameId name) {
    for (const ReservationId id : live_) {
      if (all_[index_of(id)].name == name) return &all_[index_of(id)];
    }
    return nullptr;
  }
  /// A name that some command will create: jobs that ask for it mean a reservation. A name that no
  /// input knows is as if it were not asked for.
  void expect(NameId name) { names_.insert(name); }
  [[nodiscard]] bool is_known(NameId name) const { return names_.contains(name); }

 private:
  std::deque<Reservation> all_;
  std::vector<ReservationId> live_;
  std::set<NameId> names_;
  std::uint32_t next_number_ = 1;
};

}  // namespace rehearse
