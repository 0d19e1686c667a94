// sim/app/size_print.hpp — the size of a cluster as a person, a script and a pipe read it.
#pragma once

#include <string>

#include "sim/study/sizing/sizing.hpp"

namespace rehearse {

/// The answer first, then a table of every count that was tried; ends in a newline.
[[nodiscard]] std::string size_text(const SizeAnswer& answer, const SizeRequest& request);
/// A row a figure of a count: `COUNT|FIGURE|UNITS|VALUE|LOW|HIGH|USERS|HOLDS|SHARE|ENOUGH|…`.
[[nodiscard]] std::string size_rows(const SizeAnswer& answer, const SizeRequest& request,
                                    bool no_header);
/// `rehearse-size/1`: sim/app/schema/size.schema.json says what stands where. One line.
[[nodiscard]] std::string size_json(const SizeAnswer& answer, const SizeRequest& request);

}  // namespace rehearse
