// sim/app/registry_table.hpp — a table out of a registry, as text or JSON.
#pragma once

#include <string>

#include "sim/app/verb.hpp"
#include "sim/study/registry_query.hpp"

namespace rehearse {

/// Aligned columns, numbers to the right; or between | with -P.
[[nodiscard]] std::string table_text(const RegistryTable& table, const TableOptions& format);
/// What else is to be known of RegistryReader::best, to stderr: units, what the remark means, and
/// why no row is there.
void explain_best(const RegistryTable& table);
/// `{"schema": "rehearse-query/1", "rows": [{column: value} …]}`.
[[nodiscard]] std::string table_json(const RegistryTable& table);

}  // namespace rehearse
