// workloads/missing_components.cpp — components of heterogeneous jobs that sacct has no row of.
//
// slurmdbd learns of a job when it becomes eligible. A component whose dependency never came true
// has no row, and keeps the others from starting (scheduling.md §11): without it they would start.
#include <algorithm>
#include <map>
#include <vector>

#include "workloads/het_line.hpp"
#include "workloads/record_reader.hpp"

namespace rehearse {

/// What the line says of that component, beside what it shares with the one that has a row.
void RecordReader::add_component(const TraceRecord& leader, std::uint32_t offset,
                                 TraceRecord& record) {
  record = leader;
  record.without_row = true;
  record.het_offset = offset;
  record.raw_id = 0;
  record.partition = kNoName;  // that of the line, or the default
  record.time_limit.reset();
  record.eligible.reset();
  const std::string& whole = line_texts_.text(leader.submit_line_position);
  const std::string_view text(whole.data(), whole.rfind('\n'));
  record.submit_line_position = submit_line_position(text, offset, {leader.line, 0});
  const SubmitLine& line = lines_[record.submit_line_position];
  record.submit_line = &line;
  record.request = requests_.intern(line.request);
  if (!line.args.job_name.empty()) record.name = names_.intern(line.args.job_name);
}

void RecordReader::add_components_without_row(TraceRecords& records) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_leader;
  for (std::size_t at = 0; at < records.size(); ++at) {
    if (records[at].het_offset) by_leader[records[at].job_id].push_back(at);
  }
  for (const auto& [job, rows] : by_leader) {
    const TraceRecord leader = records[rows.front()];
    const auto ran = [&](std::size_t at) { return records[at].started; };
    if (leader.submit_line == nullptr || std::any_of(rows.begin(), rows.end(), ran)) continue;
    const std::string& whole = line_texts_.text(leader.submit_line_position);
    const std::uint32_t count = component_count(whole);
    for (std::uint32_t offset = 0; offset < count; ++offset) {
      const auto is_it = [&](std::size_t at) { return records[at].het_offset == offset; };
      if (std::any_of(rows.begin(), rows.end(), is_it)) continue;
      TraceRecord made;
      add_component(leader, offset, made);
      if (made.submit_line->readable) records.add() = made;
    }
  }
}

}  // namespace rehearse
