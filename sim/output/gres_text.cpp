// sim/output/gres_text.cpp — devices of a node, added up by name and type.
#include "sim/output/gres_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "sim/config/gres_conf.hpp"
#include "sim/output/device_indexes.hpp"

namespace rehearse {
namespace {

struct TypeCount {
  NameId type = kNoName;
  std::uint64_t units = 0;
};

/// One type's units more.
void add_units(std::vector<TypeCount>& types, NameId type, std::uint64_t units) {
  auto own = std::find_if(types.begin(), types.end(),
                          [&](const TypeCount& of) { return of.type == type; });
  if (own == types.end()) own = types.insert(own, {type, 0});
  own->units += units;
}

/// The types of its devices, in their order; one without a type where none is told apart.
std::vector<TypeCount> types_of(const NodeGres& gres) {
  std::vector<TypeCount> types;
  for (const GresDevice& device : gres.devices) add_units(types, device.type, device.units);
  if (types.empty()) types.push_back({kNoName, gres.total});
  return types;
}

/// `2K`: divided by 1024 as often as nothing is lost.
std::string count_text(std::uint64_t count) {
  constexpr std::string_view kUnits = "KMGTP";
  std::size_t power = 0;
  while (count > 0 && count % 1024 == 0 && power < kUnits.size()) {
    count /= 1024;
    ++power;
  }
  return fmt::format("{}{}", count, power == 0 ? "" : std::string{kUnits[power - 1]});
}

std::string sockets_text(const NodeGres& gres, NameId type) {
  const auto of = std::find_if(gres.sockets.begin(), gres.sockets.end(),
                               [&](const GresSockets& each) { return each.type == type; });
  if (of == gres.sockets.end()) return {};
  std::set<std::uint32_t> sockets;
  for (std::uint32_t i = 0; i < of->touched.size(); ++i) {
    if (of->touched[i]) sockets.insert(i);
  }
  return fmt::format("(S:{})", index_ranges(sockets));
}

std::string idle_text(const NodeGres& gres, const std::string& name, const NamePool& names) {
  const bool by_device = !gres.count_only && (gres.has_topology || gres.shares.has_value());
  std::string text;
  for (const TypeCount& each : types_of(gres)) {
    if (!text.empty()) text += ',';
    text += name;
    if (each.type != kNoName) {
      text += ":" + names.text(each.type);
    } else if (by_device) {
      text += ":(null)";
    }
    text += by_device ? ":0(IDX:N/A)" : ":0";
  }
  return text;
}

bool comes_and_goes(const Node& node) {
  return std::any_of(node.gres.begin(), node.gres.end(), [](const NodeGres& gres) {
    return std::any_of(gres.devices.begin(), gres.devices.end(),
                       [](const GresDevice& device) { return device.presence != Presence::Here; });
  });
}

const NodeGres* find_gres(const Node& node, const std::string& name, const NamePool& names) {
  const auto own = std::find_if(node.gres.begin(), node.gres.end(), [&](const NodeGres& gres) {
    return names.text(gres.name) == name;
  });
  return own == node.gres.end() ? nullptr : &*own;
}

class Texts {
 public:
  Texts(const Node& node, std::string_view conf, const NamePool& names)
      : node_(node), names_(names), conf_only_(comes_and_goes(node)) {
    Diagnostics ignored;  // the text was read before: slurm.conf had no error
    specs_ = parse_gres_spec(conf, {}, ignored);
  }

  void add(const std::string& name) {
    const NodeGres* own = find_gres(node_, name, names_);
    std::uint64_t configured = 0;
    for (const GresSpec& spec : specs_) configured += spec.name == name ? spec.count : 0;
    const bool lacks = configured > (own == nullptr ? 0 : own->total);
    if (lacks || (conf_only_ && configured > 0)) return add_configured(name);
    if (own == nullptr) return append(texts_.idle, name + ":0");
    for (const TypeCount& each : types_of(*own)) {
      append(texts_.all, entry(name, names_.text(each.type), count_text(each.units)) +
                             sockets_text(*own, each.type));
    }
    append(texts_.idle, idle_text(*own, name, names_));
  }

  [[nodiscard]] GresTexts texts() && { return std::move(texts_); }

 private:
  static void append(std::string& text, const std::string& one) {
    text += (text.empty() ? "" : ",") + one;
  }
  static std::string entry(const std::string& name, const std::string& type,
                           const std::string& count) {
    return fmt::format("{}{}{}:{}", name, type.empty() ? "" : ":", type, count);
  }

  void add_configured(const std::string& name) {
    std::vector<std::pair<std::string, std::uint64_t>> types;
    for (const GresSpec& spec : specs_) {
      if (spec.name != name || spec.count == 0) continue;
      auto own = std::find_if(types.begin(), types.end(),
                              [&](const auto& of) { return of.first == spec.type; });
      if (own == types.end()) own = types.insert(own, {spec.type, 0});
      own->second += spec.count;
    }
    for (const auto& [type, count] : types) {
      append(texts_.all, entry(name, type, count_text(count)));
      append(texts_.idle, entry(name, type, "0") + (conf_only_ ? "(IDX:N/A)" : ""));
    }
  }

  const Node& node_;
  const NamePool& names_;
  bool conf_only_;
  std::vector<GresSpec> specs_;
  GresTexts texts_;
};

}  // namespace

GresTexts gres_texts(const Node& node, std::string_view conf,
                     const std::vector<std::string>& gres_types, const NamePool& names) {
  Texts texts(node, conf, names);
  for (const std::string& name : gres_types) texts.add(name);
  return std::move(texts).texts();
}

}  // namespace rehearse
