// tests/fuzz/targets/site_yaml.cpp — site.yaml, and a scenario.
#include "sim/config/site_keys.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_site_yaml(std::string_view text) {
  Diagnostics found;
  const ConfigValue value = parse_yaml(text, "site.yaml", found);
  SiteConf site;
  ConfigNode node(value, "", found);
  read_site_keys(node, site);
  node.finish();
  ScenarioConf scenario;
  ConfigNode changed(value, "", found);
  read_scenario_keys(changed, scenario, found);
  changed.finish();
}

}  // namespace rehearse::test
