// models/runtime/job_classes.cpp — classes from presets and the site's own figures; the first rule
// that fits decides.
#include "models/runtime/job_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

// h, c, b: §6.1, fitted. u and w: NVML's of the representatives in §4.1 (of medium, saturating:
// those of the worked values of §6.3).
constexpr std::array<ClassPreset, 6> kPresets{{
    {"host-bound", {930'000, 30'000, 40'000, 390'000, 20'000}},
    {"light", {750'000, 80'000, 170'000, 630'000, 100'000}},
    {"medium", {500'000, 260'000, 240'000, 540'000, 320'000}},
    {"heavy-bandwidth", {200'000, 330'000, 470'000, 920'000, 710'000}},
    {"heavy-compute", {150'000, 570'000, 280'000, 950'000, 480'000}},
    {"saturating", {0, 600'000, 400'000, 1'000'000, 800'000}},
}};

Millionths millionths(double value) {
  return std::llround(value * static_cast<double>(kOne));
}

bool fits(const std::string& pattern, std::string_view text) {
  return pattern.empty() || matches(pattern, text);
}

bool fits(const PerformanceConf::Rule& rule, const JobTraits& job) {
  return fits(rule.user, job.user) && fits(rule.account, job.account) &&
         fits(rule.partition, job.partition) && fits(rule.qos, job.qos) &&
         fits(rule.name, job.name) && fits(rule.wckey, job.wckey) &&
         fits(to_lower(rule.gpu_type), to_lower(job.gpu_type));
}

DeviceFigures figures_of(const PerformanceConf::Device& device) {
  constexpr double kMegabytes = 1000;  // in a gigabyte, decimal as data sheets have it
  return {static_cast<std::int64_t>(device.sms), std::llround(device.bandwidth_gb_s * kMegabytes),
          static_cast<std::int64_t>(device.memory_mib), millionths(device.sm_speed)};
}

}  // namespace

std::span<const ClassPreset> class_presets() {
  return kPresets;
}

const ClassPreset* find_preset(std::string_view name) {
  const auto at = std::find_if(kPresets.begin(), kPresets.end(),
                               [&](const ClassPreset& each) { return each.name == name; });
  return at == kPresets.end() ? nullptr : &*at;
}

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

JobClasses::JobClasses(const PerformanceConf& conf, FiguresOfType catalogue, Diagnostics& found)
    : conf_(conf), catalogue_(std::move(catalogue)) {
  for (auto at = conf.devices.begin(); at != conf.devices.end(); ++at) {
    const std::string type = to_lower(at->type);
    if (std::any_of(conf.devices.begin(), at,
                    [&](const auto& other) { return to_lower(other.type) == type; })) {
      found.error(at->where, fmt::format("device type {} is there twice", shown(at->type)));
    }
  }
  for (const PerformanceConf::JobClass& each : conf.classes) add(each, found);
  for (const ClassPreset& each : kPresets) {
    if (find(each.name)) continue;  // the site has its own under that name
    classes_.push_back({std::string(each.name), each.profile, kA100Instance7g, 0, {}});
  }
  for (const PerformanceConf::Rule& rule : conf.rules) {
    rule_class_.push_back(find_or_tell(rule.job_class, rule.where, found));
  }
  default_class_ = find_or_tell(conf.default_class, conf.default_class_where, found);
}

std::optional<std::size_t> JobClasses::find(std::string_view name) const {
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i].name == name) return i;
  }
  return std::nullopt;
}

std::size_t JobClasses::find_or_tell(const std::string& name, const SourcePosition& where,
                                     Diagnostics& found) {
  if (const auto at = find(name)) return *at;
  if (name.empty()) return 0;  // which the reader has told
  std::vector<std::string_view> known;
  for (const JobClass& each : classes_) known.push_back(each.name);
  const std::string nearest = did_you_mean(name, known);
  found.error(where, fmt::format("there is no job class {}", shown(name)),
              nearest.empty() ? fmt::format("one of {}", fmt::join(known, ", ")) : nearest);
  return 0;
}

void JobClasses::add(const PerformanceConf::JobClass& conf, Diagnostics& found) {
  if (find(conf.name)) {
    found.error(conf.where, fmt::format("job class {} is there twice", shown(conf.name)));
  }
  JobClass& made = classes_.emplace_back();
  made.name = conf.name;
  made.measured_on = kA100Instance7g;
  const bool bare = conf.preset.empty() && !conf.h;
  made.profile =
      bare && conf.u ? profile_of_utilisation(millionths(*conf.u)) : find_preset("medium")->profile;
  if (!conf.preset.empty()) {
    if (const ClassPreset* preset = find_preset(conf.preset)) {
      made.profile = preset->profile;
    } else {
      std::vector<std::string_view> known;
      for (const ClassPreset& each : kPresets) known.push_back(each.name);
      found.error(conf.where, fmt::format("there is no preset {}", shown(conf.preset)),
                  fmt::format("one of {}", fmt::join(known, ", ")));
    }
  }
  if (conf.h && conf.c && conf.b) {
    made.profile.compute = millionths(*conf.c);
    made.profile.bandwidth = millionths(*conf.b);
    made.profile.host = kOne - made.profile.compute - made.profile.bandwidth;
  }
  if (conf.u) made.profile.sm_use = millionths(*conf.u);
  if (conf.w) made.profile.bandwidth_use = millionths(*conf.w);
  made.memory_mib = static_cast<std::int64_t>(conf.memory_mib.value_or(0));
  for (const auto& [type, speed] : conf.speed) made.speed[to_lower(type)] = millionths(speed);
  if (conf.measured_on.empty()) return;
  const auto device = figures(conf.measured_on);
  if (!device) {
    found.error(conf.where, fmt::format("measured_on: no figures of {}", shown(conf.measured_on)),
                "a GPU model, MIG type or type of performance.devices");
  }
  made.measured_on = device.value_or(kA100Instance7g);
}

const JobClass& JobClasses::of(const JobTraits& job) const {
  for (std::size_t i = 0; i < conf_.rules.size(); ++i) {
    if (fits(conf_.rules[i], job)) return classes_[rule_class_[i]];
  }
  return classes_[default_class_];
}

std::optional<DeviceFigures> JobClasses::figures(std::string_view type) const {
  if (const auto own = own_figures(type)) return own;
  return catalogue_ && !type.empty() ? catalogue_(type) : std::nullopt;
}

std::optional<DeviceFigures> JobClasses::own_figures(std::string_view type) const {
  const std::string wanted = to_lower(type);
  for (const PerformanceConf::Device& each : conf_.devices) {
    if (to_lower(each.type) == wanted) return figures_of(each);
  }
  return std::nullopt;
}

Millionths JobClasses::by_device(const JobClass& job, const DeviceHere& here,
                                 std::string_view recorded) const {
  const std::string to = to_lower(here.type), from = to_lower(recorded);
  if (from.empty() || to == from) return kOne;
  const auto speed_to = job.speed.find(to), speed_from = job.speed.find(from);
  if (speed_to != job.speed.end() && speed_from != job.speed.end()) {
    return scaled(speed_from->second, kOne, speed_to->second);
  }
  const auto origin = figures(from);
  if (!origin || here.figures == DeviceFigures{}) return kOne;
  return scaled(alone(on_device(job.profile, here.figures, job.measured_on)), kOne,
                alone(on_device(job.profile, *origin, job.measured_on)));
}

}  // namespace rehearse
