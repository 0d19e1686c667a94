// sim/output/export/export.hpp — a result in the forms that other tools read.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sim/output/result.hpp"

namespace rehearse {

/// Takes the text piece by piece: no format is ever whole in memory.
using TextSink = std::function<void(std::string_view)>;

struct ExportOptions {
  bool no_header = false;  ///< sacct, csv, batsim-jobs: without the line of names
  bool utc = false;        ///< sacct, csv: times in UTC, not in the site's zone
  bool devices = false;    ///< openmetrics: a series for each GPU
  /// openmetrics: series of single ones of these, beside those of the cluster.
  bool partitions = true, accounts = true, users = true, nodes = true;
  std::int64_t step_s = 240;  ///< openmetrics: between two samples, at least 1
};

struct ExportFormat {
  std::string_view name, what;
  void (*write)(const Result& result, const ExportOptions& options, const TextSink& sink);
};

/// All formats, in the order in which help shows them.
[[nodiscard]] std::span<const ExportFormat> export_formats();
/// Null: there is no such format.
[[nodiscard]] const ExportFormat* find_export_format(std::string_view name);

// One file each.
void export_sacct(const Result&, const ExportOptions&, const TextSink&);
void export_csv(const Result&, const ExportOptions&, const TextSink&);
void export_perfetto(const Result&, const ExportOptions&, const TextSink&);
void export_openmetrics(const Result&, const ExportOptions&, const TextSink&);
void export_batsim(const Result&, const ExportOptions&, const TextSink&);
void export_batsim_jobs(const Result&, const ExportOptions&, const TextSink&);
void export_swf(const Result&, const ExportOptions&, const TextSink&);

/// The jobs of a run, each as its rows of runs in order of time: in order of first submission, then
/// id. Parts of a job that was resized are rows of one job.
struct ExportedJob {
  std::uint32_t first = 0, last = 0;  ///< rows of runs
  std::int64_t run_s = 0;             ///< of all its runs, without suspensions
};
[[nodiscard]] std::vector<ExportedJob> exported_jobs(const Result& result);

/// Names of a partition and a QOS; empty: none.
[[nodiscard]] std::string partition_name(const Result& result, std::size_t row);
[[nodiscard]] std::string qos_name(const Result& result, std::size_t row);

}  // namespace rehearse
