// workloads/generator/fit.cpp — users into groups, submissions into sessions, sessions into rates.
#include "workloads/generator/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace rehearse {
namespace {

constexpr std::int64_t kHour = 3600, kDay = 86400;
constexpr std::size_t kLeastForOwnCycle = 200;
constexpr double kPseudoCount = 0.5;  // of each hour and day: none is impossible

struct Span {
  SlurmTime from, to;
};

/// How long the span lies in each hour of the day, day of the week, and week.
struct Exposure {
  std::vector<double> day = std::vector<double>(24), week = std::vector<double>(7), weeks;
};

class Cycles {
 public:
  Cycles(const TimeZone& zone, const Span& span) : zone_(zone), span_(span) {
    begin_of_day_ = local(span.from) - second_of_day(local(span.from));
    for (SlurmTime hour = span.from; hour < span.to; hour += Seconds{kHour}) {
      const auto length =
          static_cast<double>(std::min<std::int64_t>(kHour, (span.to - hour).count()));
      const Slot slot = slot_of(hour);
      whole_.day[slot.hour] += length;
      whole_.week[slot.day] += length;
      if (slot.week >= whole_.weeks.size()) whole_.weeks.resize(slot.week + 1);
      whole_.weeks[slot.week] += length;
    }
  }

  /// Rates of sessions that begin at `begins`; the cycles of the day and week are those of
  /// `shared`, where there is one.
  void set_rates(const std::vector<SlurmTime>& begins, const SessionHabit* shared,
                 SessionHabit& habit) const {
    Exposure counts;
    counts.weeks.assign(whole_.weeks.size(), 0);
    for (const SlurmTime at : begins) {
      const Slot slot = slot_of(at);
      ++counts.day[slot.hour];
      ++counts.week[slot.day];
      ++counts.weeks[slot.week];
    }
    habit.day = shared != nullptr ? shared->day : rates(counts.day, whole_.day, kPseudoCount);
    habit.week = shared != nullptr ? shared->week : rates(counts.week, whole_.week, kPseudoCount);
    habit.weeks = rates(counts.weeks, whole_.weeks, 0);
    if (habit.weeks.size() < 2) habit.weeks.clear();
    // As many as there were, in all.
    double expected = 0;
    for (SlurmTime hour = span_.from; hour < span_.to; hour += Seconds{kHour}) {
      const auto length =
          static_cast<double>(std::min<std::int64_t>(kHour, (span_.to - hour).count()));
      const Slot slot = slot_of(hour);
      expected += length / (7.0 * kDay) * habit.day[slot.hour] * habit.week[slot.day] *
                  (habit.weeks.empty() ? 1 : habit.weeks[slot.week]);
    }
    habit.per_week = expected > 0 ? static_cast<double>(begins.size()) / expected : 0;
  }

 private:
  struct Slot {
    std::size_t hour = 0, day = 0, week = 0;
  };

  [[nodiscard]] std::int64_t local(SlurmTime at) const {
    return epoch_seconds(at) + zone_.offset_at(at).count();
  }
  /// Before 1970, too.
  [[nodiscard]] static std::int64_t second_of_day(std::int64_t seconds) {
    return (seconds % kDay + kDay) % kDay;
  }
  [[nodiscard]] Slot slot_of(SlurmTime at) const {
    const std::int64_t seconds = local(at);
    const std::int64_t of_day = second_of_day(seconds);
    return {
        static_cast<std::size_t>(of_day / kHour),
        static_cast<std::size_t>(((seconds - of_day) / kDay % 7 + 10) % 7),
        static_cast<std::size_t>(std::max<std::int64_t>(0, seconds - begin_of_day_) / (7 * kDay))};
  }
  /// Counts a time of exposure, with the mean 1.
  static std::vector<double> rates(const std::vector<double>& counts,
                                   const std::vector<double>& exposed, double pseudo) {
    std::vector<double> rates(counts.size());
    double sum = 0;
    double unseen = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (exposed[i] > 0) rates[i] = (counts[i] + pseudo) / exposed[i];
      sum += rates[i];
      unseen += exposed[i] > 0 ? 0 : 1;
    }
    const double mean = sum / (static_cast<double>(counts.size()) - unseen);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = exposed[i] > 0 && mean > 0 ? rates[i] / mean : 1;
    }
    // What is not in the span is taken for average; the whole has the mean 1.
    return rates;
  }

  const TimeZone& zone_;
  Span span_;
  std::int64_t begin_of_day_ = 0;
  Exposure whole_;
};

std::vector<SlurmTime> begins_of(const std::vector<WorkloadJob>& jobs,
                                 const std::vector<const UserStream*>& streams) {
  std::vector<SlurmTime> begins;
  for (const UserStream* stream : streams) {
    for (const std::size_t first : stream->begins) {
      begins.push_back(jobs[stream->places[first]].submit);
    }
  }
  return begins;
}

void fit_sessions(const std::vector<WorkloadJob>& jobs,
                  const std::vector<const UserStream*>& streams, const FitOptions& options,
                  SessionHabit& habit) {
  std::vector<double> lengths;
  std::vector<double> gaps;
  std::vector<std::pair<std::size_t, std::size_t>> neighbours;  // gaps one after the other
  for (const UserStream* stream : streams) {
    for (std::size_t s = 0; s < stream->begins.size(); ++s) {
      const std::size_t first = stream->begins[s];
      const std::size_t end =
          s + 1 < stream->begins.size() ? stream->begins[s + 1] : stream->places.size();
      lengths.push_back(static_cast<double>(end - first));
      for (std::size_t i = first + 1; i < end; ++i) {
        const auto gap = jobs[stream->places[i]].submit - jobs[stream->places[i - 1]].submit;
        if (i > first + 1) neighbours.emplace_back(gaps.size() - 1, gaps.size());
        gaps.push_back(static_cast<double>(gap.count()));
      }
    }
  }
  habit.rest = options.session_gap + Seconds{1};  // else they would be one session
  habit.jobs = fit_spread(lengths, options.distance_most);
  habit.gap = gaps.empty() ? constant_of(60) : fit_spread(gaps, options.distance_most);
  const std::vector<double> scores = normal_scores(gaps);
  std::vector<double> before;
  std::vector<double> after;
  for (const auto& [a, b] : neighbours) {
    before.push_back(scores[a]);
    after.push_back(scores[b]);
  }
  habit.gap_correlation = std::clamp(correlation_of(before, after), 0.0, 0.99);
}

/// The exponent of counts that fall with their rank: least squares of the logarithms.
double zipf_of(const std::vector<const UserStream*>& by_activity) {
  std::vector<double> ranks;
  std::vector<double> counts;
  for (std::size_t i = 0; i < by_activity.size(); ++i) {
    ranks.push_back(std::log(static_cast<double>(i + 1)));
    counts.push_back(std::log(static_cast<double>(by_activity[i]->begins.size())));
  }
  if (ranks.size() < 2) return 0;
  double mean_rank = 0;
  double mean_count = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    mean_rank += ranks[i] / static_cast<double>(ranks.size());
    mean_count += counts[i] / static_cast<double>(ranks.size());
  }
  double slope = 0;
  double squares = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    slope += (ranks[i] - mean_rank) * (counts[i] - mean_count);
    squares += (ranks[i] - mean_rank) * (ranks[i] - mean_rank);
  }
  return std::clamp(-slope / squares, 0.0, 10.0);
}

struct NamedStreams {
  std::string name;
  std::vector<const UserStream*> streams;  // by sessions, most first
};

std::vector<NamedStreams> groups_of(const std::vector<WorkloadJob>& jobs,
                                    const std::vector<UserStream>& streams,
                                    const FitOptions& options) {
  std::vector<NamedStreams> groups;
  std::map<std::string, std::vector<const UserStream*>> pooled;
  for (const UserStream& stream : streams) {
    if (stream.places.size() >= options.own_jobs) {
      groups.push_back({"user " + stream.user, {&stream}});
    } else {
      pooled[jobs[stream.places.front()].account].push_back(&stream);
    }
  }
  for (auto& [account, list] : pooled) {
    std::stable_sort(list.begin(), list.end(), [](const UserStream* a, const UserStream* b) {
      return a->begins.size() > b->begins.size();
    });
    groups.push_back({"others of " + account, list});
  }
  return groups;
}

}  // namespace

std::vector<UserStream> streams_of(const std::vector<WorkloadJob>& jobs, Seconds session_gap) {
  std::map<std::string, UserStream, std::less<>> by_user;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    UserStream& stream = by_user[jobs[i].user];
    stream.user = jobs[i].user;
    const bool begins =
        stream.places.empty() || jobs[i].submit - jobs[stream.places.back()].submit > session_gap;
    if (begins) stream.begins.push_back(stream.places.size());
    stream.places.push_back(i);
  }
  std::vector<UserStream> streams;
  for (auto& [user, stream] : by_user) streams.push_back(std::move(stream));
  return streams;
}

FittedGenerator fit_generator(const std::vector<WorkloadJob>& jobs, const TimeZone& zone,
                              const FitOptions& options) {
  FittedGenerator fitted;
  const Span span{std::chrono::floor<std::chrono::hours>(jobs.front().submit),
                  jobs.back().submit + Seconds{1}};
  fitted.conf.time_zone = zone.name();
  fitted.conf.from = zone.print(span.from);
  fitted.conf.span = span.to - span.from;
  const std::vector<UserStream> streams = streams_of(jobs, options.session_gap);
  const Cycles cycles(zone, span);
  SessionHabit shared;
  std::vector<const UserStream*> everyone;
  for (const UserStream& stream : streams) everyone.push_back(&stream);
  cycles.set_rates(begins_of(jobs, everyone), nullptr, shared);
  std::size_t rare = 0;
  std::size_t pooled = 0;
  for (const NamedStreams& each : groups_of(jobs, streams, options)) {
    UserGroup& group = fitted.conf.groups.emplace_back();
    group.name = each.name;
    for (const UserStream* stream : each.streams) group.users.push_back(stream->user);
    group.account = jobs[each.streams.front()->places.front()].account;
    group.zipf = zipf_of(each.streams);
    fit_sessions(jobs, each.streams, options, group.sessions);
    const std::vector<SlurmTime> begins = begins_of(jobs, each.streams);
    cycles.set_rates(begins, begins.size() < kLeastForOwnCycle ? &shared : nullptr, group.sessions);
    FittedKinds kinds = fit_kinds(jobs, each.streams, options);
    group.kinds = std::move(kinds.kinds);
    if (group.users.size() > 1) {  // not every one of them need be in every account
      for (JobKind& kind : group.kinds) kind.account.clear();
    }
    group.sessions.repeat = kinds.repeat;
    group.sessions.run_time_correlation = kinds.run_time_correlation;
    rare += kinds.rare_sizes;
    if (each.name.starts_with("others of ")) pooled += each.streams.size();
  }
  if (pooled > 0) {
    fitted.notes.push_back(fmt::format(
        "{} users with fewer than {} submissions are pooled by account", pooled, options.own_jobs));
  }
  if (rare > 0) {
    fitted.notes.push_back(
        fmt::format("{} jobs of rare sizes count as the nearest of the {} commonest of their kind",
                    rare, options.sizes_most));
  }
  constexpr Seconds kFourWeeks{28 * kDay};
  if (span.to - span.from < kFourWeeks) {
    fitted.notes.push_back(
        fmt::format("the trace spans {:.1f} days: its day of the week is hardly a cycle",
                    static_cast<double>((span.to - span.from).count()) / kDay));
  }
  return fitted;
}

}  // namespace rehearse
