// sim/config/sacctmgr_lines.hpp — the words of a sacctmgr dump: comments, continuation, quoting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace rehearse {

/// `Key='value'`, or a name alone (key empty).
struct DumpField {
  std::string key;
  std::string value;
  SourcePosition key_at, value_at;
};

/// `Title - field:field…`
struct DumpLine {
  std::string title;
  std::vector<DumpField> fields;
  SourcePosition where;
};

/// Splits a dump into its lines (limits.md §11.2). Misformatted lines are errors in `found`. What
/// `sacctmgr dump` writes but `load` refuses (an unquoted typed GRES, a quote inside quotes) is
/// read as what the site had, with a warning.
[[nodiscard]] std::vector<DumpLine> read_dump_lines(std::string_view text, const std::string& file,
                                                    Diagnostics& found);

}  // namespace rehearse
