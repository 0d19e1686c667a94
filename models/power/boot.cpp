// models/power/boot.cpp — a boot as long as the site says.
#include "models/power/boot.hpp"

#include <algorithm>

namespace rehearse {

Duration boot_time(const SlurmConf& conf, const SiteConf::Power& power) {
  return power.boot_time.value_or(Duration{conf.resume_timeout} / 2);
}

bool saves_power(const SlurmConf& conf) {
  const bool some =
      conf.suspend_time >= Seconds{0} ||
      std::any_of(conf.partitions.begin(), conf.partitions.end(), [](const PartitionConf& each) {
        return each.suspend_time && *each.suspend_time >= Seconds{0};
      });
  return some && !conf.suspend_program.empty() && !conf.resume_program.empty();
}

}  // namespace rehearse
