// models/gpu/catalogue_reader.hpp — one YAML file of the catalogue as plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/catalogue.hpp"
#include "sim/config/config_node.hpp"

namespace rehearse {

struct CatalogueFile {
  std::vector<GpuModel> models;   ///< none, or the one that the file describes
  std::vector<NodeShape> shapes;  ///< of `nodes:`
};

/// A file describes one model (`name: …`) or lists node shapes (`nodes:`). A model with an error is
/// left out; `file` stands in messages. With `asked`, every key that is read is listed there.
[[nodiscard]] CatalogueFile read_catalogue_file(const std::string& file, std::string_view text,
                                                Diagnostics& found,
                                                std::vector<ConfigKey>* asked = nullptr);

}  // namespace rehearse
