// models/gpu/catalogue_reader.cpp — one YAML file of the catalogue as plain values, checked.
#include "models/gpu/catalogue_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kMostSlices =
    8;  // of every GPU with MIG so far; layouts are searched plainly

void read_number(ConfigNode& node, std::string_view key, std::uint32_t& value, std::uint64_t least,
                 std::uint64_t most) {
  std::uint64_t number = value;
  node.read(key, number, {least, most});
  value = static_cast<std::uint32_t>(std::min(number, most));
}

void need(ConfigNode& node, std::string_view key, const std::string& hint) {
  if (!node.has(key)) node.fail(key, "is not given", hint);
}

/// A mark is a letter, and perhaps where the figure comes from.
void check_mark(ConfigNode& node, std::string_view key, const std::string& mark) {
  const bool fits =
      mark.empty() || (std::string_view("VMDCU").find(mark[0]) != std::string_view::npos &&
                       (mark.size() == 1 || mark[1] == ' '));
  if (fits) return;
  node.fail(key, fmt::format("{} is no mark", shown(mark)),
            "V vendor, M measured, D derived, C chosen, U unconfirmed; a source may follow");
}

MigProfile read_profile(ConfigNode& node, const GpuModel& model) {
  MigProfile profile;
  node.read("name", profile.name);
  read_number(node, "compute", profile.compute, 1, kMostSlices);
  read_number(node, "sms", profile.sms, 0, 100000);
  read_number(node, "memory_slices", profile.memory_slices, 1, kMostSlices);
  node.read("memory_mib", profile.memory_mib, {1, 100000000});
  std::vector<std::string> starts;
  node.read("starts", starts);
  node.read("mark", profile.mark);
  for (const char* key : {"name", "compute", "memory_slices", "memory_mib", "starts"}) {
    need(node, key,
         "name: 1g.5gb, compute: 1, sms: 14, memory_slices: 1, starts: [0, 1], memory_mib: 4864");
  }
  node.finish();
  check_mark(node, "mark", profile.mark);
  const auto name = parse_mig_name(profile.name);
  if (!name && node.has("name")) {
    node.fail("name", fmt::format("{} is no name of a profile", shown(profile.name)),
              "as nvidia-smi mig -lgip lists it: 1g.5gb, 1g.5gb+me");
  }
  profile.media = name && name->media;
  if (profile.compute > model.compute_slices) {
    node.fail("compute", fmt::format("the GPU has {} compute slices", model.compute_slices));
  }
  for (const std::string& text : starts) {
    const auto start = text::parse_decimal32(text);
    if (start && *start + std::uint64_t{profile.memory_slices} <= model.memory_slices) {
      profile.starts.push_back(*start);
      continue;
    }
    node.fail(
        "starts",
        fmt::format("{}: an instance of {} memory slices cannot begin there", shown(text),
                    profile.memory_slices),
        fmt::format("the GPU has memory slices 0 to {}", std::max(model.memory_slices, 1U) - 1));
  }
  std::sort(profile.starts.begin(), profile.starts.end());
  return profile;
}

void read_mig(ConfigNode node, GpuModel& model) {
  model.sms_with_mig = model.sms;
  read_number(node, "sms", model.sms_with_mig, 0, 100000);
  read_number(node, "compute_slices", model.compute_slices, 1, kMostSlices);
  read_number(node, "memory_slices", model.memory_slices, 1, kMostSlices);
  for (ConfigNode& each : node.children("profiles")) {
    MigProfile profile = read_profile(each, model);
    if (model.find_profile(std::string_view(profile.name)) != nullptr) {
      each.fail("name", fmt::format("{} stands here twice", shown(profile.name)));
    }
    model.profiles.push_back(std::move(profile));
  }
  node.finish();
}

void read_marks(ConfigNode& node, GpuModel& model) {
  constexpr std::array<std::string_view, 9> kFigures{
      "sms",     "memory_mib", "bandwidth_gb_s", "power_cap_w", "idle_w",
      "fp16_tf", "fp64_tf",    "fp64_tensor_tf", "sms_with_mig"};
  std::vector<ConfigEntry> marks;
  node.read("marks", marks);
  for (const ConfigEntry& mark : marks) {
    if (std::find(kFigures.begin(), kFigures.end(), mark.name) == kFigures.end()) {
      node.fail("marks", fmt::format("{} is no figure", shown(mark.name)),
                did_you_mean(mark.name, kFigures));
    }
    check_mark(node, "marks", mark.value);
    model.marks[mark.name] = mark.value;
  }
}

GpuModel read_model(ConfigNode& node) {
  GpuModel model;
  model.where = node.where("name");
  node.read("name", model.name);
  node.read("title", model.title);
  node.read("aliases", model.aliases);
  node.read("default_of", model.default_of);
  read_number(node, "sms", model.sms, 1, 100000);
  node.read("memory_mib", model.memory_mib, {1, 100000000});
  read_number(node, "bandwidth_gb_s", model.bandwidth_gb_s, 1, 1000000);
  read_number(node, "power_cap_w", model.power_cap_w, 0, 100000);
  read_number(node, "idle_w", model.idle_w, 0, 100000);
  const ConfigRange<double> speed{0.0, 1e6};
  node.read("fp16_tf", model.fp16_tf, speed);
  node.read("fp64_tf", model.fp64_tf, speed);
  node.read("fp64_tensor_tf", model.fp64_tensor_tf, speed);
  if (node.has("mig")) read_mig(node.child("mig"), model);
  read_marks(node, model);
  node.read("source", model.source);
  need(node, "sms", "streaming multiprocessors of the whole device, such as 108");
  need(node, "memory_mib", "as nvidia-smi shows it, in MiB");
  need(node, "bandwidth_gb_s", "of the device memory, in GB/s");
  if (model.idle_w > model.power_cap_w && model.power_cap_w > 0) {
    node.fail("idle_w",
              fmt::format("{} W idle is above the cap of {} W", model.idle_w, model.power_cap_w));
  }
  if (split_gpu_type(model.name).base.empty() || split_gpu_type(model.name).mig) {
    node.fail("name", fmt::format("{} is no name for a model", shown(model.name)),
              "such as a100-80");
  }
  for (std::string& alias : model.aliases) alias = split_gpu_type(alias).base;
  for (std::string& alias : model.default_of) alias = split_gpu_type(alias).base;
  node.finish();
  return model;
}

NodeShape read_shape(ConfigNode& node) {
  NodeShape shape;
  node.read("name", shape.name);
  node.read("title", shape.title);
  node.read("gpu", shape.gpu);
  node.read("mark", shape.mark);
  read_number(node, "gpus", shape.gpus, 1, 1024);
  read_number(node, "sockets", shape.sockets, 1, 1024);
  read_number(node, "cores_per_socket", shape.cores_per_socket, 1, 65536);
  read_number(node, "threads_per_core", shape.threads_per_core, 1, 64);
  for (const char* key : {"name", "gpu", "gpus"})
    need(node, key, "name: dgx-h100, gpu: h100-sxm, gpus: 8");
  check_mark(node, "mark", shape.mark);
  node.finish();
  return shape;
}

}  // namespace

CatalogueFile read_catalogue_file(const std::string& file, std::string_view text,
                                  Diagnostics& found, std::vector<ConfigKey>* asked) {
  CatalogueFile read;
  const std::size_t errors = found.error_count();
  const ConfigValue value = parse_yaml(text, file, found);
  if (found.error_count() > errors) return read;
  if (value.kind != ConfigValue::Kind::Map) {
    found.error({file, 0, 0}, "describes no GPU model",
                "name: v100, sms: 80 and so on, a key a line");
    return read;
  }
  ConfigNode node(value, "", found, asked);
  if (node.has("nodes")) {
    for (ConfigNode& each : node.children("nodes")) read.shapes.push_back(read_shape(each));
    node.finish();
  } else {
    GpuModel model = read_model(node);
    if (found.error_count() == errors) read.models.push_back(std::move(model));
  }
  if (found.error_count() > errors) read = {};
  return read;
}

}  // namespace rehearse
