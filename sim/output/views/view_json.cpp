// sim/output/views/view_json.cpp — a table for scripts, in one versioned schema.
#include <nlohmann/json.hpp>

#include "sim/output/views/view.hpp"

namespace rehearse {

std::string view_json(const Result& result, std::string_view table, const ViewOptions& options,
                      const View& view) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", "rehearse-show/1"},
            {"table", table},
            {"cluster", result.cluster.cluster_name},
            {"at", options.at.value_or(result.end)},
            {"status", result.complete ? "complete" : "partial"},
            {"note", view.note.empty() ? Json(nullptr) : Json(view.note)},
            {"rows", Json::array()}};
  for (const ViewRow& row : view.rows) {
    Json& fields = json["rows"].emplace_back(Json::object());
    for (const auto& [key, value] : row) {
      auto& field = fields[key];
      std::visit([&](const auto& held) { field = held; }, value);
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rehearse
