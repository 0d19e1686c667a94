// sim/study/report/html.hpp — texts of other people inside of a page: they stay texts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace rehearse {

using ReportJson = nlohmann::ordered_json;

/// For between tags and inside of quoted attributes. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view text);
/// For inside of <script type="application/json">: no `<`, so that nothing in it ends the script.
[[nodiscard]] std::string json_for_script(const ReportJson& json);
/// `sha256-…` in base64, as Content-Security-Policy names a script.
[[nodiscard]] std::string csp_hash(std::string_view script);

}  // namespace rehearse
