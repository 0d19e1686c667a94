// sim/output/result_derived.hpp — columns of /jobs that follow from others, for those who read the
// file.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

struct DerivedColumn {
  std::string name, units, long_name;
  std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>> values;
  bool has_none = false;  ///< kNoTime means none
};

/// `wait` and `wait_eligible` [s], `gpus`, and one column for each GRES and licence that was held:
/// `held_gres_gpu_a100` of `gres/gpu:a100`. The reader of results leaves them.
[[nodiscard]] std::vector<DerivedColumn> derived_columns(const Result& result);

/// The rows of /rejections of submissions that never were jobs: no row of /jobs is theirs. Others
/// were refused as jobs, which slurmctld keeps as FAILED.
[[nodiscard]] std::vector<std::size_t> refused_without_a_row(const Result& result);

/// `slow_down`, `lost_to_device` and `lost_to_neighbours` [s], where the run kept them; NaN: no
/// GPU.
void add_speed_columns(const Result& result, std::vector<DerivedColumn>& columns);

}  // namespace rehearse
