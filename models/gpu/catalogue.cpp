// models/gpu/catalogue.cpp — models by their many names; the bundled ones first, then a site's own.
#include "models/gpu/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/bundled.hpp"
#include "models/gpu/catalogue_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

template <typename Named>
const Named* find_in(const std::vector<Named>& all, std::string_view name) {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return at == all.end() ? nullptr : &*at;
}

bool contains(const std::vector<std::string>& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : b - a;
}

/// Those of one name replace each other; a new one goes behind all others.
template <typename Named>
void put(std::vector<Named>& all, Named one) {
  const auto same = std::find_if(all.begin(), all.end(),
                                 [&](const Named& other) { return other.name == one.name; });
  if (same != all.end()) {
    *same = std::move(one);
  } else {
    all.push_back(std::move(one));
  }
}

}  // namespace

const MigProfile* GpuModel::find_profile(std::string_view profile) const {
  return find_in(profiles, profile);
}

const MigProfile* GpuModel::find_profile(const MigTypeText& mig) const {
  const std::string text = fmt::format("{}g.{}gb{}", mig.compute, mig.gib, mig.media ? "+me" : "");
  if (const MigProfile* same = find_profile(std::string_view(text))) return same;
  const MigProfile* nearest = nullptr;
  constexpr std::uint64_t kGib = 1024;
  const auto off = [&](const MigProfile& one) { return distance(one.memory_mib, mig.gib * kGib); };
  for (const MigProfile& one : profiles) {
    if (one.compute != mig.compute || one.media != mig.media || off(one) >= kGib) continue;
    if (nearest == nullptr || off(one) < off(*nearest)) nearest = &one;
  }
  return nearest;
}

GpuCatalogue::GpuCatalogue(const GpuConf& own, Diagnostics& found) {
  Diagnostics bundled;
  for (const BundledText& file : bundled_gpu_models()) {
    add_file(std::string(file.name), file.text, bundled);
  }
  REHEARSE_CHECK(bundled.all().empty(), "the bundled catalogue: {}",
                 to_text(bundled.all().front()));
  for (const std::string& path : own.models) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) {
      found.error(own.models_where, fmt::format("gpu_models: {} is no file", path),
                  "a path relative to the file that names it");
      continue;
    }
    const auto text = text::read_file(path, found);
    if (!text) continue;
    add_file(path, *text, found);
    sources_.emplace_back(path, *text);
  }
}

void GpuCatalogue::add_file(const std::string& file, std::string_view text, Diagnostics& found) {
  CatalogueFile read = read_catalogue_file(file, text, found);
  for (GpuModel& model : read.models) put(models_, std::move(model));
  for (NodeShape& shape : read.shapes) put(shapes_, std::move(shape));
}

const GpuModel* GpuCatalogue::find(std::string_view name) const {
  return find_in(models_, name);
}

const NodeShape* GpuCatalogue::find_shape(std::string_view name) const {
  return find_in(shapes_, name);
}

std::vector<const GpuModel*> GpuCatalogue::called(std::string_view name) const {
  const std::string word = split_gpu_type(name).base;
  std::vector<const GpuModel*> all;
  for (const GpuModel& model : models_) {
    if (split_gpu_type(model.name).base == word) return {&model};
    if (contains(model.aliases, word)) all.push_back(&model);
  }
  return all;
}

GpuMeaning GpuCatalogue::meaning_of(std::string_view type,
                                    const std::vector<MigTypeText>& beside) const {
  const GpuTypeText parts = split_gpu_type(type);
  if (parts.base.empty()) return {};
  std::vector<const GpuModel*> all = called(parts.base);
  if (parts.mig) {
    std::erase_if(all,
                  [&](const GpuModel* one) { return one->find_profile(*parts.mig) == nullptr; });
  }
  std::vector<const GpuModel*> with_all = all;
  std::erase_if(with_all, [&](const GpuModel* one) {
    return std::any_of(beside.begin(), beside.end(),
                       [&](const MigTypeText& mig) { return one->find_profile(mig) == nullptr; });
  });
  if (!with_all.empty()) all = std::move(with_all);
  if (all.empty()) return {};
  const auto usual = std::find_if(all.begin(), all.end(), [&](const GpuModel* one) {
    return contains(one->default_of, parts.base);
  });
  GpuMeaning meaning;
  meaning.model = usual == all.end() ? all.front() : *usual;
  meaning.assumed = all.size() > 1;
  if (parts.mig) meaning.profile = meaning.model->find_profile(*parts.mig);
  return meaning;
}

std::string GpuCatalogue::nearest(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const GpuModel& model : models_) names.push_back(model.name);
  for (const NodeShape& shape : shapes_) names.push_back(shape.name);
  std::string hint = did_you_mean(name, names);
  if (!hint.empty()) return hint;
  return fmt::format("one of {}, or a model of your own (gpu_models)", fmt::join(names, ", "));
}

}  // namespace rehearse
