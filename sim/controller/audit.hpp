// sim/controller/audit.hpp — what is kept up to date event by event, counted again from the jobs
// themselves (`rehearse run --paranoid`).
#pragma once

#include <cstdint>

namespace rehearse {

class Controller;
struct Association;
struct Qos;

/// A difference is a defect of the program: the claim and both counts are printed, and it stops.
class Audit {
 public:
  explicit Audit(const Controller& controller) : c_(controller) {}

  /// Devices, cores and memory of every node, licences and the lists of jobs; now and then, as it
  /// takes all records, the counters behind the limits.
  void after_event();

 private:
  void check_ledger() const;
  void check_lists() const;
  void check_licenses() const;
  void check_records() const;
  void check_counters() const;
  [[nodiscard]] bool belongs_to(const Association& association, const Association& other) const;

  const Controller& c_;
  std::uint64_t events_ = 0;
};

}  // namespace rehearse
