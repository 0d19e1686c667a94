// sim/study/idle_settings.cpp — each a warning, with what would give the key an effect.
#include "sim/study/idle_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "models/power/boot.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

class Idle {
 public:
  Idle(const LoadedSite& loaded, Diagnostics& found)
      : loaded_(loaded), site_(loaded.inputs.site), found_(found) {}

  void tell() {
    prologs();
    checkpoints();
    feedback();
    if (site_.power.boot_time && !saves_power(conf_) && !conf_.has_reboot_program) {
      warn("power.boot_time", "no node is powered down or rebooted",
           "SuspendTime and SuspendProgram, or RebootProgram, in slurm.conf");
    }
    if (!site_.policy.non_preemptible.empty() && !site_.policy.has_quotas()) {
      warn("policy.non_preemptible", "nobody reclaims", "policy.reclaim: quota or fair_share");
    }
    watts("power.gpu_idle", site_.gpu.idle_watts);
    watts("power.gpu_cap", site_.gpu.cap_watts);
  }

 private:
  void warn(std::string_view key, std::string_view why, std::string hint) {
    const auto& file = loaded_.folder.site_yaml.value_or(loaded_.folder.slurm_conf);
    found_.warning({file.string(), 0, 0}, fmt::format("{} has no effect: {}", key, why),
                   std::move(hint));
  }

  void prologs() {
    const auto& controller = site_.controller;
    if (controller.prolog > Duration{0} && !conf_.has_prolog) {
      warn("controller.prolog", "slurm.conf has no Prolog", "Prolog= in slurm.conf");
    }
    if (controller.prolog_slurmctld > Duration{0} && !conf_.has_prolog_slurmctld) {
      warn("controller.prolog_slurmctld", "slurm.conf has no PrologSlurmctld",
           "PrologSlurmctld= in slurm.conf");
    }
  }

  void checkpoints() {
    const auto& saved = site_.checkpoint;
    if (saved.interval > Duration{0} || saved.on_signal) return;
    if (saved.cost > Duration{0} || saved.restart > Duration{0}) {
      warn(saved.cost > Duration{0} ? "checkpoint.cost" : "checkpoint.restart", "no job saves",
           "checkpoint.interval: 1h");
    }
  }

  void feedback() {
    const FeedbackConf& set = site_.feedback;
    const FeedbackConf usual;
    if (!set.is_open()) return;
    const char* key = set.think_time_limit != usual.think_time_limit ? "feedback.think_time_limit"
                      : set.session_gap != usual.session_gap         ? "feedback.session_gap"
                      : set.sessions != usual.sessions               ? "feedback.sessions"
                                                                     : nullptr;
    if (key != nullptr) warn(key, "feedback.mode is open", "feedback.mode: think_time");
  }

  void watts(std::string_view key, const std::vector<ConfigEntry>& entries) {
    if (!loaded_.gpu_catalogue) return;
    for (const ConfigEntry& entry : entries) {
      std::vector<std::string_view> names;
      for (const GpuModel& model : loaded_.gpu_catalogue->models()) names.push_back(model.name);
      const auto is_kind = [&](const GpuKind& kind) {
        return kind.device.model != nullptr && kind.device.model->name == entry.name;
      };
      if (std::find(names.begin(), names.end(), entry.name) == names.end()) {
        found_.error(entry.where, fmt::format("{}: {} is no GPU model", key, shown(entry.name)),
                     here(names));
      } else if (std::none_of(loaded_.gpus.kinds().begin(), loaded_.gpus.kinds().end(), is_kind)) {
        found_.warning(
            entry.where,
            fmt::format("{}: {} has no effect: the cluster has no such GPU", key, entry.name),
            here(names));
      }
    }
  }

  /// The models that the cluster has; without any, all that there are.
  [[nodiscard]] std::string here(std::vector<std::string_view> names) const {
    std::vector<std::string_view> own;
    for (const GpuKind& kind : loaded_.gpus.kinds()) {
      if (kind.device.model != nullptr) own.push_back(kind.device.model->name);
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    return fmt::format("{} {}", own.empty() ? "one of" : "the cluster has",
                       fmt::join(own.empty() ? names : own, ", "));
  }

  const LoadedSite& loaded_;
  const SiteConf& site_;
  const SlurmConf& conf_ = loaded_.inputs.slurm_conf;
  Diagnostics& found_;
};

}  // namespace

void tell_idle_settings(const LoadedSite& loaded, Diagnostics& found) {
  Idle(loaded, found).tell();
}

}  // namespace rehearse
