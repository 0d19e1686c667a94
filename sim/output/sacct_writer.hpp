// sim/output/sacct_writer.hpp — a result as `sacct -D -X -P` of Slurm 22.05 prints it.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

using SacctColumns = std::array<std::string_view, 27>;
using SacctCells = std::array<std::string, 27>;  ///< a row's texts beside its SacctColumns
/// `JobIDRaw`, `JobID` … `Flags`: the columns of the recordings, without SubmitLine.
[[nodiscard]] const SacctColumns& sacct_columns();
/// One row, as its record stands at the end of the run; `zone` is that of the site. A text of the
/// user's may hold any character, `|` too.
[[nodiscard]] SacctCells sacct_cells(const Result& result, std::size_t row, const TimeZone& zone);

/// As sacct -P prints them, parted by `|`. No newline.
[[nodiscard]] std::string sacct_header();
[[nodiscard]] std::string sacct_row(const Result& result, std::size_t row, const TimeZone& zone);

/// Rows by job id, then submission.
[[nodiscard]] std::vector<std::uint32_t> sacct_order(const Result& result);

/// All rows in order of job id and submission, a row a run, to a TextFile of that name.
void write_sacct(const std::filesystem::path& path, const Result& result);

/// `104`, `104_3` or `104_[3-9%2]`.
[[nodiscard]] std::string job_id_text(const Result& result, std::size_t row);

}  // namespace rehearse
