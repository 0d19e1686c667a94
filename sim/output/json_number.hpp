// sim/output/json_number.hpp — a figure in JSON, which knows no NaN and no infinity.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace rehearse {

/// null where there is no finite figure.
[[nodiscard]] inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace rehearse
