// sim/output/version_json.cpp — the rows in force of the table of releases, as JSON.
#include "sim/output/version_json.hpp"

namespace rehearse {

nlohmann::ordered_json differences_json(SlurmVersion version) {
  auto rows = nlohmann::ordered_json::array();
  for (const VersionDifference& one : differences_in_force(version)) {
    rows.push_back({{"since", to_text(one.since)},
                    {"what", one.what},
                    {"section", one.section},
                    {"simulated", one.is_simulated}});
  }
  return rows;
}

}  // namespace rehearse
