// sim/output/export/json_text.hpp — a text inside of a JSON string, written piece by piece.
#pragma once

#include <string>
#include <string_view>

namespace rehearse {

/// Without the quotes around it; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace rehearse
