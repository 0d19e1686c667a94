// sim/study/report/assets_none.cpp — a build without node_modules: words and tables, no charts.
#include "sim/study/report/assets.hpp"

namespace rehearse {

std::string_view report_script() {
  return {};
}
std::string_view report_style() {
  return "body{font:15px/1.45 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1rem}"
         "td,th{text-align:left;padding:.1rem .7rem .1rem 0}.n{text-align:right}"
         ":root{color-scheme:light dark}";
}
std::string_view report_notices() {
  return {};
}

}  // namespace rehearse
