// sim/study/report/decided_words.cpp — read off how the run was made.
#include "sim/study/report/decided_words.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace rehearse {

std::string submitted_words(const Result& result) {
  return result.feedback.kept
             ? "as long after the ends that their users waited for as in the record"
             : "when they were submitted";
}

std::string policy_words(const Provenance& made) {
  const auto all = nlohmann::json::parse(made.configuration, nullptr, false);
  const auto policy = nlohmann::json::json_pointer("/site/policy");
  if (all.is_discarded() || !all.contains(policy) || !all[policy].is_object()) return {};
  std::string text;
  for (const auto& [key, value] : all[policy].items()) {
    std::string words;
    if (value.is_array()) {
      for (const auto& each : value) {
        if (!words.empty()) words += ", ";
        if (each.is_string()) words += each.get<std::string>();
      }
      words = fmt::format("({})", words);
    } else if (value.is_string()) {
      words = value.get<std::string>();
    }
    text += fmt::format("{}policy.{} {}", text.empty() ? "" : ", ", key, words);
  }
  return text;
}

std::string decided_words(const Side& side) {
  const std::string policy = policy_words(side.provenance);
  const std::string& version = side.result.cluster.slurm_version;
  if (policy.empty()) return fmt::format("decides as Slurm {} does", version);
  return fmt::format(
      "decides as Slurm {} would with the policy of site.yaml in the place of its own "
      "rules ({})",
      version, policy);
}

}  // namespace rehearse
