// sim/output/code_check.cpp — what each kind of code stands for.
#include "sim/output/code_check.hpp"

#include <string>

#include "sim/cluster/reason.hpp"
#include "sim/output/result_columns.hpp"

namespace rehearse {

std::optional<std::size_t> known_codes(const Result& result, const ColumnInfo& info) {
  if (info.kind == ColumnKind::ReasonCode) return kReasonCount;
  if (info.kind == ColumnKind::StateCode) return std::size_t{kStateResizing} + 1;
  if (info.names.empty()) return std::nullopt;
  if (info.names == "/jobs") return result.runs.job_id.size();
  if (info.names == "/accounts") return result.cluster.associations.size();
  if (info.names == "/names/partition") return result.cluster.partitions.size();
  if (info.names == "/names/qos") return result.cluster.qos.size();
  if (info.names == "/names/node") return result.cluster.nodes.size();
  std::optional<std::size_t> words;
  for_each_name_pool(result.names, [&](const char* name, const NamePool& pool) {
    if (info.names == std::string("/names/") + name) words = pool.size();
  });
  return words;
}

}  // namespace rehearse
