// sim/sched/leaving_units.hpp — what running jobs will give back: of each in the order of their
// ends, node by node, in one row of memory for all who ask about one state of the cluster.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/departures.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

class LeavingUnits {
 public:
  /// Cores, where no GRES is named; else units of the GRES, of the type if there is one.
  struct Kind {
    NameId gres = kNoName, type = kNoName;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  /// Of a job that leaves, on one of its nodes.
  struct Given {
    std::uint32_t job = 0;  ///< its place in the order of ends
    std::uint32_t node = 0;
    std::uint64_t units = 0;  ///< at least one
  };
  /// Those of one kind, made as far as anybody has asked.
  class Row {
   public:
    Row(const Cluster& cluster, const std::vector<Departure>& leaving, Kind kind)
        : cluster_(cluster), leaving_(leaving), kind_(kind) {}
    /// False: there are no more than `number`.
    [[nodiscard]] bool has(std::size_t number) { return number < given_.size() || goes_on(number); }
    /// One that it has.
    [[nodiscard]] const Given& operator[](std::size_t number) const { return given_[number]; }

   private:
    [[nodiscard]] bool goes_on(std::size_t number);

    const Cluster& cluster_;
    const std::vector<Departure>& leaving_;
    Kind kind_;
    std::vector<Given> given_;
    std::size_t listed_ = 0;  ///< jobs
  };

  /// `leaving` must outlive it.
  LeavingUnits(const Cluster& cluster, const std::vector<Departure>& leaving)
      : cluster_(cluster), leaving_(leaving) {}

  /// Good until forget().
  [[nodiscard]] Row& of(Kind kind) {
    return rows_.try_emplace(kind, cluster_, leaving_, kind).first->second;
  }
  /// Who runs, until when or on what has changed.
  void forget() { rows_.clear(); }

 private:
  const Cluster& cluster_;
  const std::vector<Departure>& leaving_;
  std::map<Kind, Row> rows_;
};

}  // namespace rehearse
