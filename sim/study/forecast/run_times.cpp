// sim/study/forecast/run_times.cpp — pools of past runs, and draws that their limits scale.
#include "sim/study/forecast/run_times.hpp"

#include <algorithm>

namespace rehearse {
namespace {

/// Runs that say how long their program takes, or that it takes too long.
bool tells(const TrueRun& run) {
  return run.outcome != RunOutcome::NodeFailure && run.runtime > Seconds{0};
}

/// What a run comes to under another limit.
std::int64_t scaled(std::int64_t seconds, std::int64_t limit_s, std::int64_t other_s) {
  if (limit_s == 0 || other_s == 0) return seconds;
  constexpr std::int64_t kMost = std::int64_t{1} << 31;  // some 68 years: the product fits
  return std::min(seconds, kMost) * std::min(other_s, kMost) / limit_s;
}

}  // namespace

std::string_view to_text(RunTimeSource source) {
  constexpr std::array<std::string_view, 5> kTexts{"user", "account", "partition", "all", "none"};
  return kTexts[static_cast<std::size_t>(source)];
}

RunTimes::RunTimes(const LoadedSite& site, SlurmTime at) : site_(site) {
  std::vector<const JobSpec*> spec_of;
  const auto add = [&](const JobSpec& spec, const TrueRun& run,
                       const std::optional<SlurmTime>& start, const std::optional<SlurmTime>& end) {
    if (!start || !end || *end > at || !tells(run)) return;
    runs_.push_back({run.runtime.count(), limit_of(spec), run.outcome, *end});
    spec_of.push_back(&spec);
  };
  for (const JobSpec& spec : site.jobs().specs()) {
    if (whole_second(spec.submit) >= at) break;
    if (!spec.extras || spec.extras->array.empty()) {
      add(spec, spec.run, spec.recorded_start, spec.recorded_end);
      continue;
    }
    for (const ArrayTask& task : spec.extras->array) {
      add(spec, task.run, task.recorded_start, task.recorded_end);
    }
  }
  std::vector<std::uint32_t> order(runs_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return runs_[a].end > runs_[b].end;  // the latest first
  });
  const auto put = [](Pool& pool, std::uint32_t run) {
    if (pool.size() < kMost) pool.push_back(run);
  };
  for (const std::uint32_t run : order) {
    put(users_[spec_of[run]->user], run);
    put(accounts_[spec_of[run]->account], run);
    put(partitions_[spec_of[run]->partitions], run);
    put(all_, run);
  }
}

/// [s]; 0: none.
std::int64_t RunTimes::limit_of(const JobSpec& spec) const {
  std::optional<Minutes> limit = spec.time_limit;
  if (!limit) {
    const Cluster& cluster = *site_.cluster;
    const auto named = cluster.find_partition(spec.partitions);
    const auto partition = named ? named : cluster.default_partition;
    if (partition) {
      const PartitionConf& conf = cluster.partitions[*partition].conf;
      limit = conf.default_time ? conf.default_time : conf.max_time;
    }
  }
  if (!limit || *limit == kUnlimited) return 0;
  return std::chrono::duration_cast<Seconds>(*limit).count();
}

bool RunTimes::lasts(std::uint32_t run, const Question& question) const {
  const Run& each = runs_[run];
  return each.outcome == RunOutcome::UntilKilled ||
         scaled(each.seconds, each.limit_s, question.limit_s) > question.ran_s;
}

std::optional<RunTimes::Draw> RunTimes::draw_from(const Pool* pool, const Question& question,
                                                  Rng& rng) const {
  if (pool == nullptr || pool->size() < question.fewest) return std::nullopt;
  std::vector<std::uint32_t> fit;
  const std::size_t first = static_cast<std::size_t>(question.stretch % pool->size());
  for (std::size_t i = 0; i < std::min(kStretch, pool->size()); ++i) {
    const std::uint32_t run = (*pool)[(first + i) % pool->size()];
    if (lasts(run, question)) fit.push_back(run);
  }
  if (fit.empty()) {  // the whole pool
    for (const std::uint32_t run : *pool) {
      if (lasts(run, question)) fit.push_back(run);
    }
    if (fit.size() < question.fewest) return std::nullopt;
  }
  const auto last = static_cast<std::int64_t>(fit.size()) - 1;
  const Run& run = runs_[fit[static_cast<std::size_t>(rng.between(0, last))]];
  Draw draw;
  draw.run.outcome = run.outcome;
  if (run.outcome == RunOutcome::UntilKilled && question.limit_s == 0) {
    draw.run.outcome = RunOutcome::Completed;  // nobody will kill it
  }
  draw.run.runtime =
      Seconds{std::max(scaled(run.seconds, run.limit_s, question.limit_s), question.ran_s + 1)};
  return draw;
}

RunTimes::Draw RunTimes::draw(const JobSpec& spec, Seconds ran, std::uint64_t future,
                              Rng& rng) const {
  const auto pool_of = [](const std::map<NameId, Pool>& pools, NameId name) {
    const auto found = pools.find(name);
    return found == pools.end() ? nullptr : &found->second;
  };
  const std::int64_t limit_s = limit_of(spec);
  struct Link {
    const Pool* pool;
    NameId name;
  };
  const std::array<Link, 4> chain{{{pool_of(users_, spec.user), spec.user},
                                   {pool_of(accounts_, spec.account), spec.account},
                                   {pool_of(partitions_, spec.partitions), spec.partitions},
                                   {&all_, kNoName}}};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const std::uint64_t stretch =
        Rng(future, "forecast/stretch", 4 * static_cast<std::uint64_t>(chain[i].name) + i).next();
    const Question question{limit_s, ran.count(), i + 1 < chain.size() ? kFewest : 1, stretch};
    if (auto drawn = draw_from(chain[i].pool, question, rng)) {
      drawn->source = static_cast<RunTimeSource>(i);
      return *drawn;
    }
  }
  Draw none;
  none.run.outcome = limit_s > 0 ? RunOutcome::UntilKilled : RunOutcome::Completed;
  none.run.runtime = Seconds{2 * ran.count() + 1};
  return none;
}

}  // namespace rehearse
