// sim/output/views/waiting_arrays.hpp — the waiting tasks of an array together: one line of squeue,
// one record of scontrol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

class WaitingArrays {
 public:
  explicit WaitingArrays(const Result& result) : result_(result) {}

  /// True of a pending row whose tasks are told together: of an array, and none of them ever ran.
  [[nodiscard]] bool takes(std::size_t row) const {
    return result_.runs.array_job[row] != 0 && result_.runs.restarts[row] == 0;
  }
  /// Adds the tasks of such a row. True: it is the first of its array.
  bool add(std::size_t row);

  /// Tasks of array `job` that wait together.
  [[nodiscard]] std::size_t count(std::uint32_t job) const { return arrays_.at(job).tasks.size(); }
  /// The record of a task's own is told with them: squeue then leaves out the %N.
  void join(std::size_t row);

  /// `3-9%2`, the tasks of array `job`; cut to 64 characters with `...`, as SLURM_BITSTR_LEN does.
  enum class Throttle : std::uint8_t { Told, Untold };
  [[nodiscard]] std::string tasks(std::uint32_t job, Throttle throttle = Throttle::Told) const;

 private:
  struct Waiting {
    std::vector<std::uint32_t> tasks;
    std::string throttle;  ///< `%2`
  };
  const Result& result_;
  std::map<std::uint32_t, Waiting> arrays_;
};

}  // namespace rehearse
