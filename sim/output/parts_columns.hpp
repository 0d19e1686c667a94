// sim/output/parts_columns.hpp — parts of priorities beside those of /jobs: what they were before
// something changed, and what they are in the other partitions of a list (priority.md §5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

/// One row an interval, a job's run and a partition; outside of these the parts are those of /jobs.
/// Age and fair-share, which change at every tick, are not among them.
struct PartsColumns {
  std::vector<std::uint32_t> run;        ///< row of runs
  std::vector<std::uint16_t> partition;  ///< row of partitions
  std::vector<std::int64_t> begin, end;
  std::vector<std::int32_t> assoc, job_size, in_partition, qos, nice;
  std::vector<std::uint32_t> tres;  ///< names.text: `cpu=167,gres/gpu=50`
  [[nodiscard]] std::size_t size() const { return run.size(); }
};

/// Calls use(info, vector) for each column of /priority_parts. Info: ColumnInfo.
template <typename Info, typename Parts, typename Use>
void for_each_parts_column(Parts& p, Use&& use) {
  const auto plain = [](const char* name, const char* long_name) {
    return Info{name, "1", long_name};
  };
  const auto code = [](const char* name, const char* long_name, const char* names) {
    Info made{name, "1", long_name};
    made.names = names;
    return made;
  };
  const auto instant = [](const char* name, const char* long_name) {
    Info made{name, "", long_name};
    made.kind = decltype(made.kind)::Instant;
    return made;
  };
  use(code("job", "row of /jobs", "/jobs"), p.run);
  use(code("partition", "partition that it waits in, row of /partitions", "/names/partition"),
      p.partition);
  use(instant("begin", "since when its priority was made of these parts"), p.begin);
  use(instant("end", "until when; none: as long as it is known"), p.end);
  use(plain("priority_assoc", "part for the association"), p.assoc);
  use(plain("priority_job_size", "part for job size"), p.job_size);
  use(plain("priority_partition", "part for this partition"), p.in_partition);
  use(plain("priority_qos", "part for the QOS"), p.qos);
  use(plain("nice", "what nice takes off"), p.nice);
  use(code("priority_tres", "parts for TRES in this partition", "/names/text"), p.tres);
}

}  // namespace rehearse
