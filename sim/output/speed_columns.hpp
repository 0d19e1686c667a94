// sim/output/speed_columns.hpp — how the time of runs on GPUs was spent, where site.yaml has
// `performance`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

/// One row a run that held GPUs, in order of their ends. Times are of its program, without
/// suspensions.
struct SpeedColumns {
  std::vector<std::uint32_t> run;                ///< row of runs
  std::vector<std::uint32_t> job_class, device;  ///< names.text
  std::vector<std::int64_t> reference_us, by_device_us, by_neighbours_us;
  std::vector<std::uint32_t> most_neighbours;
  std::vector<std::uint8_t> lacked_memory;
  bool kept = false;  ///< false: the site has no such section
  [[nodiscard]] std::size_t size() const { return run.size(); }

  /// Time against that on the device of the record, without neighbours; NaN: it did no work.
  [[nodiscard]] double slow_down(std::size_t row) const;
};

/// Calls use(info, vector) for each column of /speeds. Info: ColumnInfo of result_columns.hpp.
template <typename Info, typename Speeds, typename Use>
void for_each_speed_column(Speeds& s, Use&& use) {
  const auto name = [](const char* column, const char* units, const char* what,
                       const char* names = "") {
    Info info;
    info.name = column;
    info.units = units;
    info.long_name = what;
    info.names = names;
    return info;
  };
  use(name("job", "1", "row of /jobs", "/jobs"), s.run);
  use(name("class", "1", "job class", "/names/text"), s.job_class);
  use(name("device", "1", "GPU type of its slowest device", "/names/text"), s.device);
  use(name("reference", "us", "its work, as time on the device of its record"), s.reference_us);
  use(name("by_device", "us", "what its device took longer; below 0: it was quicker"),
      s.by_device_us);
  use(name("by_neighbours", "us", "what others on its devices took"), s.by_neighbours_us);
  use(name("most_neighbours", "1", "others that computed on one of its devices at once, at most"),
      s.most_neighbours);
  use(name("lacked_memory", "1", "1: it failed as a device had no memory left"), s.lacked_memory);
}

}  // namespace rehearse
