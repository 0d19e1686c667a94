// tests/unit/config/reference_page.hpp — what configs/reference.yaml says of the keys of one input.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/config/text.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/unit/config/findings.hpp"

namespace rehearse::test {

/// One line a key: path, kind, range, default.
inline std::vector<std::string> described(const std::vector<ConfigKey>& keys) {
  std::vector<std::string> lines;
  for (const ConfigKey& key : keys) {
    lines.push_back(key.path + "|" + key.kind + "|" + key.range + "|" + key.fallback);
  }
  return lines;
}

/// The keys of a section of the page, in the same form; each must say what it does.
inline std::vector<std::string> page_of(const std::string& section) {
  Diagnostics found;
  const auto text = text::read_file(source_folder() / "configs/reference.yaml", found);
  EXPECT_TRUE(text.has_value());
  if (!text) return {};
  const ConfigValue page = parse_yaml(*text, "reference.yaml", found);
  ConfigNode node(page, "", found);
  std::vector<ConfigKey> keys;
  for (ConfigNode& entry : node.children(section)) {
    ConfigKey key;
    std::string what;
    entry.read("key", key.path);
    entry.read("kind", key.kind);
    entry.read("range", key.range);
    entry.read("default", key.fallback);
    entry.read("what", what);
    entry.finish();
    EXPECT_GE(what.size(), 15U) << key.path << " says nothing";
    keys.push_back(key);
  }
  EXPECT_EQ(all_text(found), "");
  return described(keys);
}

}  // namespace rehearse::test
