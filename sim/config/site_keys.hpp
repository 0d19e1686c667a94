// sim/config/site_keys.hpp — the keys of site.yaml and of a scenario, read in one place.
#pragma once

#include <string>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/config/site_conf.hpp"

namespace rehearse {

/// Reads every key of site.yaml that `node` has into `conf`; does not call finish().
void read_site_keys(ConfigNode& node, SiteConf& conf);

/// What a scenario has beyond the keys of site.yaml.
struct ScenarioConf {
  std::string site;              ///< relative to the scenario's folder
  std::vector<std::string> set;  ///< KEY=VALUE
};
void read_scenario_keys(ConfigNode& node, ScenarioConf& scenario, Diagnostics& found);

/// Every key that the readers ask for, for configs/reference.yaml.
[[nodiscard]] std::vector<ConfigKey> site_keys();
[[nodiscard]] std::vector<ConfigKey> scenario_keys();

}  // namespace rehearse
