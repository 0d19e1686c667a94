// sim/app/show_tables.hpp — the tables that `rehearse show` prints, by name.
#pragma once

#include <string_view>
#include <vector>

namespace rehearse {

[[nodiscard]] std::vector<std::string_view> show_table_names();

}  // namespace rehearse
