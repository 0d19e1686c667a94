// tests/unit/config/findings.hpp — what accounting tests ask of a result.
#pragma once

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "sim/config/accounting.hpp"
#include "tests/support/source_folder.hpp"

namespace rehearse::test {

inline std::filesystem::path recorded(const std::string& name) {
  return source_folder() / "tests/data/accounting" / name;
}

inline std::string all_text(const Diagnostics& found) {
  std::string text;
  for (const Diagnostic& one : found.all()) text += (text.empty() ? "" : "\n") + to_text(one);
  return text;
}

inline std::string text_of(const TresAmounts& amounts) {
  std::string text;
  for (const TresAmount& one : amounts) {
    text += (text.empty() ? "" : ",") + one.tres + "=" + std::to_string(one.amount);
  }
  return text;
}

inline const AssociationConf& find(const AccountingConf& conf, const std::string& account,
                                   const std::string& user = "") {
  const auto at = std::find_if(
      conf.associations.begin(), conf.associations.end(),
      [&](const AssociationConf& a) { return a.account == account && a.user == user; });
  if (at == conf.associations.end()) throw std::runtime_error("no " + account + "/" + user);
  return *at;
}

}  // namespace rehearse::test
