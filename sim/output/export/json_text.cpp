// sim/output/export/json_text.cpp — nlohmann's writer, without its quotes.
#include "sim/output/export/json_text.hpp"

#include <nlohmann/json.hpp>

namespace rehearse {

std::string json_text(std::string_view text) {
  const std::string quoted = nlohmann::json(std::string(text))
                                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace rehearse
