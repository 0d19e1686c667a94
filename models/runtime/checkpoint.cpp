// models/runtime/checkpoint.cpp — intervals of work, each followed by its saving.
#include "models/runtime/checkpoint.hpp"

#include <algorithm>
#include <chrono>

namespace rehearse {
namespace {

constexpr Duration kNone{0};

Duration restart_of(const WorkLeft& work, const SiteConf::Checkpoint& conf) {
  return work.kept > Seconds{0} ? conf.restart : kNone;
}

/// Checkpoints that are finished after so long, and the work that lies between them.
Duration saved_within(Duration running, const SiteConf::Checkpoint& conf) {
  if (conf.interval <= kNone) return kNone;
  return running / (conf.interval + conf.cost) * conf.interval;
}

}  // namespace

Seconds run_time(const WorkLeft& work, const SiteConf::Checkpoint& conf) {
  const Duration left = std::max(work.all - work.kept, Seconds{0});
  Duration costs = restart_of(work, conf);
  if (conf.interval > kNone && left > kNone) {
    costs += (left - Duration{1}) / conf.interval * conf.cost;
  }
  return std::chrono::ceil<Seconds>(left + costs);
}

Seconds work_kept(const WorkLeft& work, Seconds ran, const SiteConf::Checkpoint& conf) {
  const Duration running = std::max<Duration>(ran - restart_of(work, conf), kNone);
  const Seconds more = std::chrono::floor<Seconds>(saved_within(running, conf));
  return std::min(work.all, work.kept + more);
}

Seconds work_kept_by_signal(const WorkLeft& work, Seconds ran, const SiteConf::Checkpoint& conf) {
  const Duration running = std::max<Duration>(ran - restart_of(work, conf) - conf.cost, kNone);
  // Work and savings alternate: what lies after the last saving is work too.
  Duration done = running;
  if (conf.interval > kNone) {
    const Duration cycle = conf.interval + conf.cost;
    done = running / cycle * conf.interval + std::min<Duration>(running % cycle, conf.interval);
  }
  return std::min(work.all, work.kept + std::chrono::floor<Seconds>(done));
}

}  // namespace rehearse
