// sim/study/report/assets.hpp — the script and the style of a page, as web/bundle.mjs made them at
// build time. A build without node_modules has a page of words and tables, and says so.
#pragma once

#include <string_view>

namespace rehearse {

/// Empty: the charts were not bundled into this program.
[[nodiscard]] std::string_view report_script();
[[nodiscard]] std::string_view report_style();
/// Names, versions and licences of the packages that are in the script.
[[nodiscard]] std::string_view report_notices();

}  // namespace rehearse
