// sim/output/result_file.hpp — a result to HDF5 and back (its layout is a contract).
//
// Groups: /jobs (a row a run), /waits (reason intervals), /series (a row a cell of the grid),
// /events (node states), /holdings (what runs held, node by node), /rejections, /fair_share,
// /former_shares, /former_settings and /priority_parts (where any changed: what shares and settings
// of priorities were, what priorities were made of, and are in other partitions), /plans (where
// asked for: what backfill planned), /speeds (with site.yaml's performance: how runs on GPUs went),
// /names (texts by code), /inputs; compound tables /nodes, /partitions, /qos, /accounts and /kpi/*.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/output/kpi/kpi.hpp"
#include "sim/output/provenance.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// The layout that this program writes; a reader refuses another major number.
inline constexpr std::int64_t kResultFormat = 2;

/// Writes all or nothing: an error leaves no file and throws OutputError with the system's reason.
void write_result(const std::filesystem::path& path, const Result& result, const Kpis& kpis,
                  const Provenance& provenance);

/// A file read back.
struct ResultFile {
  Result result;
  Kpis kpis;
  Provenance provenance;
};
/// Throws InputError if it is not a result of this program, or of another format.
[[nodiscard]] ResultFile read_result(const std::filesystem::path& path);

/// True if the file begins as HDF5 does.
[[nodiscard]] bool is_hdf5(const std::filesystem::path& path);

}  // namespace rehearse
