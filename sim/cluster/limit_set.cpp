// sim/cluster/limit_set.cpp — limits as written, resolved against the TRES table.
#include "sim/cluster/limit_set.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

/// `gpu=4` is the classic slip: the name needs its `gres/` (limits.md §11.1).
std::string hint_for(std::string_view name, const TresTable& tres) {
  const std::string with_prefix = fmt::format("gres/{}", name);
  if (tres.find(with_prefix)) return fmt::format("write {}", with_prefix);
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < tres.size(); ++i) known.push_back(tres.name(id_at<TresIndex>(i)));
  const std::string meant = did_you_mean(name, known);
  return meant.empty() ? "list it in AccountingStorageTRES" : meant;
}

/// Minutes as Slurm holds them; UNLIMITED is the same as no limit.
std::optional<std::uint32_t> minutes_of(const std::optional<Minutes>& span) {
  if (!span || *span >= kUnlimited || span->count() < 0) return std::nullopt;
  return static_cast<std::uint32_t>(span->count());
}

LimitSet counts_of(const LimitConf& conf) {
  LimitSet limits;
  limits.grp_jobs = conf.grp_jobs;
  limits.grp_jobs_accrue = conf.grp_jobs_accrue;
  limits.grp_submit_jobs = conf.grp_submit_jobs;
  limits.grp_wall_min = minutes_of(conf.grp_wall);
  limits.max_wall_min = minutes_of(conf.max_wall_per_job);
  limits.min_prio_threshold = conf.min_prio_threshold;
  return limits;
}

/// Fills a table from how it is written.
auto resolved_against(const TresTable& tres, const SourcePosition& where, Diagnostics& found) {
  return [&](TresLimits& limits, const TresAmounts& amounts, std::string_view key) {
    limits = resolve_tres(amounts, key, tres, where, found);
  };
}

}  // namespace

TresLimits resolve_tres(const TresAmounts& amounts, std::string_view key, const TresTable& tres,
                        const SourcePosition& where, Diagnostics& found) {
  TresLimits limits;
  for (const TresAmount& amount : amounts) {
    const auto index = tres.find(amount.tres);
    if (!index) {
      found.error(where, fmt::format("{}: no TRES is known as {}", key, shown(amount.tres)),
                  hint_for(amount.tres, tres));
      continue;
    }
    if (limits.empty()) limits.resize(tres.size());
    limits[index_of(*index)] = amount.amount;
  }
  return limits;
}

LimitSet resolve_limits(const LimitConf& conf, const TresTable& tres, const SourcePosition& where,
                        Diagnostics& found) {
  LimitSet limits = counts_of(conf);
  for_each_tres(limits, conf, resolved_against(tres, where, found));
  return limits;
}

QosLimits resolve_limits(const QosConf& conf, const TresTable& tres, Diagnostics& found) {
  QosLimits limits{counts_of(conf.limits), {}, {}, {}, {}, {}};
  for_each_tres(limits, conf, resolved_against(tres, conf.where, found));
  return limits;
}

void inherit_tres(TresLimits& own, const TresLimits& above) {
  if (own.empty()) {
    own = above;
    return;
  }
  for (std::size_t i = 0; i < above.size(); ++i) inherit(own[i], above[i]);
}

}  // namespace rehearse
