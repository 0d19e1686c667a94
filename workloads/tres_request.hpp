// workloads/tres_request.hpp — what ReqTRES, ReqMem and their neighbours say about a request.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/request.hpp"
#include "workloads/import_report.hpp"
#include "workloads/sacct_columns.hpp"

namespace rehearse {

/// One `gres/name:type=count` of a TRES text; `type` empty: the sum over the types.
struct TresGres {
  std::string name, type;
  std::uint64_t count = 0;
};

/// `billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1`.
struct TresText {
  std::optional<std::uint64_t> cpus, nodes, memory_mib;
  bool has_billing = false;  ///< always there since 17.11; older texts lack GRES in ReqTRES
  std::vector<TresGres> gres;
  std::vector<TresGres> licenses;
  std::string bad;  ///< the first entry that cannot be read; empty: fine

  /// Units of `name`: the sum where there is one, else over the types.
  [[nodiscard]] std::uint64_t total(std::string_view name) const;
};
[[nodiscard]] TresText parse_tres_text(std::string_view text);

/// A count of sacct: `36`, or `2K` and `1.50K` without --noconvert.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

/// ReqMem through the versions (formats.md §10.3).
struct RequestedMemory {
  enum class Of : std::uint8_t { Unknown, Node, Cpu, Job };
  Of of = Of::Unknown;
  std::uint64_t mib = 0;
  bool flag_undone = false;  ///< `2147486648Mn`: the per-CPU flag of 16.05, printed as a number
  bool is_unread = false;    ///< something else is told
};
[[nodiscard]] RequestedMemory parse_requested_memory(std::string_view text);

/// CPUs of a node by its name; none: no such node. Empty function: node sizes are not known.
using CpusOfNode = std::function<std::optional<std::uint32_t>(std::string_view node)>;

/// What of a column could not be read; the rest of its text was.
struct UnreadText {
  Column column = Column::Other;
  std::string text;
};

/// A request and what had to be assumed to make it.
struct RowRequest {
  Request request;
  std::vector<Assumed> assumed;
  std::vector<UnreadText> unread;
  std::uint64_t gpus = 0;  ///< allocated if told, else asked for
  std::string gpu_type;    ///< of the GPUs that it held; empty: not told, or several
  std::uint64_t cpus_asked = 0, memory_asked_mib = 0;  ///< over the job; 0: not told
};

/// formats.md §17 rules 5–8: ReqTRES first, then ReqNodes, ReqCPUS and ReqMem, then what was
/// allocated.
[[nodiscard]] RowRequest request_from_row(const SacctRow& row, const CpusOfNode& cpus_of_node,
                                          NamePool& names);

}  // namespace rehearse
