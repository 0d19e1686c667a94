// sim/output/former_settings.hpp — settings of priorities that slurm.conf had until it was read
// again (lifecycle.md §12.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

/// In order of time; since the last row they are those of PriorityFacts.
struct FormerSettingColumns {
  std::vector<std::int64_t> end;
  std::vector<std::uint32_t> weight_age, weight_assoc, weight_fairshare, weight_job_size,
      weight_partition, weight_qos, max_job_factor;
  std::vector<std::uint32_t> weight_tres;  ///< names.text
  std::vector<std::int64_t> max_age_s, tick_s;
  std::vector<std::uint8_t> fair_tree, calculate_running, incr_only, accrue_always;
  [[nodiscard]] std::size_t size() const { return end.size(); }
};

/// Calls use(info, vector) for each column of /former_settings. Info: ColumnInfo.
template <typename Info, typename Former, typename Use>
void for_each_former_setting_column(Former& f, Use&& use) {
  Info info{"end", "", "when slurm.conf was read again"};
  info.kind = decltype(info.kind)::Instant;
  use(info, f.end);
  use(Info{"weight_age", "1", "PriorityWeightAge until then"}, f.weight_age);
  use(Info{"weight_assoc", "1", "PriorityWeightAssoc"}, f.weight_assoc);
  use(Info{"weight_fairshare", "1", "PriorityWeightFairshare"}, f.weight_fairshare);
  use(Info{"weight_job_size", "1", "PriorityWeightJobSize"}, f.weight_job_size);
  use(Info{"weight_partition", "1", "PriorityWeightPartition"}, f.weight_partition);
  use(Info{"weight_qos", "1", "PriorityWeightQOS"}, f.weight_qos);
  use(Info{"max_job_factor", "1", "largest PriorityJobFactor; 0: not divided by it"},
      f.max_job_factor);
  Info tres{"weight_tres", "1", "PriorityWeightTRES"};
  tres.names = "/names/text";
  use(tres, f.weight_tres);
  use(Info{"max_age", "s", "PriorityMaxAge"}, f.max_age_s);
  use(Info{"tick", "s", "PriorityCalcPeriod"}, f.tick_s);
  use(Info{"fair_tree", "1", "1: Fair Tree, 0: classic shares"}, f.fair_tree);
  use(Info{"calculate_running", "1", "PriorityFlags=CALCULATE_RUNNING"}, f.calculate_running);
  use(Info{"incr_only", "1", "PriorityFlags=INCR_ONLY"}, f.incr_only);
  use(Info{"accrue_always", "1", "PriorityFlags=ACCRUE_ALWAYS"}, f.accrue_always);
}

}  // namespace rehearse
