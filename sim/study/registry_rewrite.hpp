// sim/study/registry_rewrite.hpp — a complete registry as a function of its tables alone.
#pragma once

#include "sim/study/registry_database.hpp"

namespace rehearse {

/// Replaces the database's file by a new one of the same tables, so that equal tables are equal
/// bytes, whatever was written when. Not in WAL mode; nothing may be written afterwards. Killed in
/// the midst of it, the old file is still there, and REGISTRY.part, which the next one takes away.
void rewrite(SqlDatabase& database);

}  // namespace rehearse
