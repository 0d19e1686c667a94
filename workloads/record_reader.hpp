// workloads/record_reader.hpp — a row of texts into a typed record; each distinct text is read
// once.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/import_report.hpp"
#include "workloads/local_time.hpp"
#include "workloads/sacct_options.hpp"
#include "workloads/text_index.hpp"
#include "workloads/trace_records.hpp"

namespace rehearse {

class RecordReader {
 public:
  RecordReader(const SacctOptions& options, NamePool& names, RequestTable& requests,
               ImportReport& report, RowFindings& found);

  /// Fills a new record from a row. False: the row was explained in the report. Views of the record
  /// and its SubmitLine point into this reader; what the last row had is looked at again, so that
  /// the text is to stand until all rows are read.
  bool read(const SacctRow& row, TraceRecord& record);
  /// Components of heterogeneous jobs that never started and have no row, as sacct has none of what
  /// never became eligible: as the SubmitLine says. Once, after the rows.
  void add_components_without_row(TraceRecords& records);
  /// Notes for which zone local times were taken, where nobody has told it. Once, after the rows.
  void tell_zone();

  /// MaxRSS of a row, which may be a step's: `1234K`, `1.5G`; none: not told.
  [[nodiscard]] static std::optional<std::uint64_t> max_rss_mib(const SacctRow& row);

 private:
  struct CachedRequest {
    RequestId id{};
    std::uint64_t gpus = 0;
    NameId gpu_type = kNoName;
    std::vector<Assumed> assumed;
    bool by_nodes = false;  ///< of any nodes: which ones they are decides, and has its own entry
  };
  /// Where a SubmitLine stands.
  struct LinePlace {
    std::uint64_t row = 0;
    std::uint32_t column = 0;  ///< 0: not told
  };
  /// What the last row had in a column: neighbours often have the same.
  struct LastName {
    std::string_view text;
    NameId id = kNoName;
  };

  /// What a row tells of the run of its job; false: it is explained already.
  bool read_run(const SacctRow& row, TraceRecord& record);
  bool read_identity(const SacctRow& row, TraceRecord& record);
  bool read_state(const SacctRow& row, TraceRecord& record);
  bool read_times(const SacctRow& row, TraceRecord& record);
  [[nodiscard]] bool came_after_the_change(const SacctRow& row, const TraceRecord& record,
                                           SlurmTime early, SlurmTime later);
  static void settle_hour(const SacctRow& row, std::optional<SlurmTime> later_start,
                          std::optional<SlurmTime> later_end, TraceRecord& record);
  [[nodiscard]] static std::optional<Seconds> told_elapsed(const SacctRow& row);
  bool read_elapsed(const SacctRow& row, TraceRecord& record);
  bool read_limit(const SacctRow& row, TraceRecord& record);
  bool read_exit_code(const SacctRow& row, TraceRecord& record);
  void read_names(const SacctRow& row, TraceRecord& record);
  void read_request(const SacctRow& row, TraceRecord& record);
  bool is_of_our_cluster(const SacctRow& row);
  [[nodiscard]] bool has_started(const SacctRow& row, const TraceRecord& record) const;
  void check_times(const TraceRecord& record, Seconds suspended);
  CachedRequest make_request(const SacctRow& row, const SubmitLine* line);
  const CachedRequest& request_of(const SacctRow& row, const TraceRecord& record);
  void read_submit_line(const SacctRow& row, TraceRecord& record);
  std::uint32_t submit_line_position(std::string_view text, std::optional<std::uint32_t> het_offset,
                                     LinePlace place);
  void add_component(const TraceRecord& leader, std::uint32_t offset, TraceRecord& record);
  NameId name(const SacctRow& row, Column column);
  bool bad(const SacctRow& row, Column column, std::string_view what, std::string hint = {});

  const SacctOptions& options_;
  NamePool& names_;
  RequestTable& requests_;
  ImportReport& report_;
  RowFindings& found_;
  LocalClock clock_;
  /// The first row of the highest id so far.
  struct {
    std::uint32_t job = 0;
    SlurmTime submit;
  } newest_;
  std::string cluster_;
  TextIndex name_texts_, line_texts_, request_texts_;
  std::vector<NameId> name_ids_;  // by position in name_texts_
  std::array<LastName, kColumns> last_names_;
  std::deque<SubmitLine> lines_;      // by position in line_texts_; addresses are kept
  std::deque<CachedRequest> cached_;  // by position in request_texts_
  std::deque<std::string> rests_;     // of arrays whose other tasks have rows; addresses are kept
  std::string request_key_;
};

/// `123_4`, `123_[5-9%2]`, `123+1`, `123`: into job_id, task, rest and het_offset. False: none of
/// them.
bool parse_job_id(std::string_view text, TraceRecord& record);

/// The state of that name, without ` by UID` or a `+` at the end; none: not a state of Slurm.
[[nodiscard]] std::optional<RowState> parse_row_state(std::string_view text);

}  // namespace rehearse
