// models/gpu/gpu_cut.cpp — reading layouts, with the nearest legal one where there is none.
#include "models/gpu/gpu_cut.hpp"

#include <fmt/format.h>

#include "sim/config/text.hpp"

namespace rehearse {

std::string to_text(const GpuModel& model, const GpuCut& cut) {
  return cut.whole ? std::string(kWholeGpuWord) : to_text(model, cut.layout);
}

std::string profile_names(const GpuModel& model) {
  std::vector<std::string> names;
  for (const MigProfile& profile : model.profiles) names.push_back(profile.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string to_text(const GpuModel& model, const std::vector<MigWish>& wishes) {
  std::string text;
  for (const MigWish& wish : wishes) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", model.profiles[wish.profile].name);
    if (wish.start) text += fmt::format(":{}", *wish.start);
  }
  return text;
}

std::optional<GpuCut> understand_cut(const CutQuestion& asked, Diagnostics& found) {
  const GpuModel& model = asked.model;
  if (asked.words.size() == 1 && asked.words.front() == kWholeGpuWord) return GpuCut{true, {}};
  std::vector<MigWish> wishes;
  for (const std::string& text : asked.words) {
    const std::vector<MigWish> more = parse_mig_wish(model, text);
    if (more.empty()) {
      found.error(asked.where,
                  fmt::format("{}: {} is no instance of the {} of {}", asked.head, shown(text),
                              model.name, asked.node),
                  model.has_mig() ? fmt::format("it has {}; :START and COUNT* may be added",
                                                profile_names(model))
                                  : "it has no MIG");
      return std::nullopt;
    }
    wishes.insert(wishes.end(), more.begin(), more.end());
  }
  if (auto layout = place(model, wishes)) return GpuCut{false, std::move(*layout)};
  found.error(
      asked.where,
      fmt::format("{}: {} cannot be together on one {}", asked.head, to_text(model, wishes),
                  model.name),
      fmt::format("the nearest that can: {}", to_text(model, nearest_legal(model, wishes))));
  return std::nullopt;
}

}  // namespace rehearse
