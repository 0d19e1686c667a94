// workloads/generator/generate.cpp — users, their sessions, the jobs of each.
#include "workloads/generator/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/check.hpp"
#include "sim/core/rng.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kHour = 3600, kDay = 86400, kMinute = 60;
constexpr std::size_t kMostRuns = 20'000'000;
constexpr double kMostPerSession = 1'000'000;
constexpr double kLongestRun = 10.0 * 366 * 86400;

std::int64_t whole(double value, double most) {
  return static_cast<std::int64_t>(std::llround(std::clamp(value, 0.0, most)));
}

/// The rate of `cycle` at `i`, as a factor of its mean; an empty cycle is even.
double factor_at(const std::vector<double>& cycle, std::int64_t i) {
  if (cycle.empty()) return 1;
  const double mean =
      std::accumulate(cycle.begin(), cycle.end(), 0.0) / static_cast<double>(cycle.size());
  return cycle[static_cast<std::size_t>(i) % cycle.size()] / mean;
}

/// A number in (0, 1) for a normal score.
double share_of(double score) {
  return std::clamp(normal_cdf(score), 1e-12, 1 - 1e-12);
}

double mixed(double before, double fresh, double correlation) {
  return correlation * before + std::sqrt(1 - correlation * correlation) * fresh;
}

/// The random numbers of one job: always as many.
struct JobDraws {
  explicit JobDraws(Rng& rng)
      : repeat(rng.uniform()),
        kind(rng.uniform()),
        size(rng.uniform()),
        run(normal_quantile(rng.uniform())),
        end(rng.uniform()),
        limit(normal_quantile(rng.uniform())),
        gap(normal_quantile(rng.uniform())),
        array(rng.uniform()),
        tasks(rng.uniform()),
        depends(rng.uniform()),
        task_stream(rng.next()) {}
  double repeat, kind, size, run, end, limit, gap, array, tasks, depends;
  std::uint64_t task_stream;
};

/// One user of a group.
struct DrawnUser {
  std::string name;
  double share = 0;             ///< of the group's sessions
  std::vector<double> weights;  ///< of the kinds
  double pace = 1;
};

class GroupSource {
 public:
  GroupSource(const GeneratorConf& conf, const UserGroup& group, std::vector<WorkloadJob>& jobs,
              std::size_t& runs, SessionCounts& counts)
      : conf_(conf),
        group_(group),
        jobs_(jobs),
        runs_(runs),
        counts_(counts),
        zone_(TimeZone::find(conf.time_zone).value_or(TimeZone::utc())) {
    const auto from = zone_.read(conf.from);
    REHEARSE_CHECK(from.has_value(), "not a time: {}", conf.from);
    from_ = *from;
    to_ = from_ + std::chrono::ceil<Seconds>(conf.span);
  }

  void draw() {
    const std::vector<std::string> names = users_of(group_);
    double whole_share = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      whole_share += std::pow(static_cast<double>(i + 1), -group_.zipf);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      Rng rng(conf_.seed, "generator/user/" + group_.name, i);
      DrawnUser user;
      user.name = names[i];
      user.share = std::pow(static_cast<double>(i + 1), -group_.zipf) / whole_share;
      user.pace = std::exp(group_.pace * normal_quantile(rng.uniform()));
      for (const JobKind& kind : group_.kinds) {
        user.weights.push_back(kind.weight *
                               std::exp(group_.habit * normal_quantile(rng.uniform())));
      }
      sessions_of(user, i);
    }
  }

 private:
  /// Begins of sessions: the points of a Poisson process with a rate that is constant by hour.
  void sessions_of(const DrawnUser& user, std::size_t number) {
    Rng rng(conf_.seed, "generator/sessions/" + group_.name, number);
    const SessionHabit& habit = group_.sessions;
    const double per_hour = habit.per_week * conf_.rate * user.share / (7.0 * 24.0);
    const std::int64_t begin_of_day = local_seconds(from_) / kDay * kDay;
    std::uint64_t session = 0;
    SlurmTime free_from = from_;
    double need = -std::log1p(-rng.uniform());
    for (SlurmTime hour = from_; hour < to_; hour += Seconds{kHour}) {
      const std::int64_t local = local_seconds(hour);
      const std::int64_t days = local / kDay;  // 1970-01-01 was a Thursday
      const double length =
          static_cast<double>(std::min<std::int64_t>(kHour, (to_ - hour).count())) / kHour;
      const double points = per_hour * length * factor_at(habit.day, local % kDay / kHour) *
                            factor_at(habit.week, (days + 3) % 7) *
                            factor_at(habit.weeks, (local - begin_of_day) / (7 * kDay));
      double used = 0;
      while (points > 0 && need <= points - used) {
        used += need;
        const auto offset = static_cast<std::int64_t>(used / points * length * kHour);
        // Who is still at the one before begins the next one after it.
        const SlurmTime begin = std::max(hour + Seconds{offset}, free_from);
        ++counts_.drawn;
        if (begin >= to_) ++counts_.without_time;
        const SlurmTime last = session_at(user, number, session++, begin);
        if (habit.rest > Duration{0}) free_from = last + std::chrono::ceil<Seconds>(habit.rest);
        need = -std::log1p(-rng.uniform());
      }
      need -= points - used;
    }
  }

  [[nodiscard]] std::int64_t local_seconds(SlurmTime at) const {
    return epoch_seconds(at) + zone_.offset_at(at).count();
  }

  /// The time of its last submission.
  SlurmTime session_at(const DrawnUser& user, std::size_t number, std::uint64_t session,
                       SlurmTime at) {
    Rng rng(conf_.seed, fmt::format("generator/session/{}/{}", group_.name, number), session);
    const SessionHabit& habit = group_.sessions;
    const std::int64_t count =
        std::max<std::int64_t>(1, whole(habit.jobs->quantile(rng.uniform()), kMostPerSession));
    double gap_score = normal_quantile(rng.uniform());
    before_.reset();
    scores_.assign(group_.kinds.size(), std::nullopt);
    SlurmTime last = at;
    for (std::int64_t i = 0; i < count && at < to_; ++i) {
      const JobDraws draws(rng);
      last = at;
      job_at(user, draws, at);
      gap_score = mixed(gap_score, draws.gap, habit.gap_correlation);
      at += Seconds{whole(habit.gap->quantile(share_of(gap_score)), kLongestRun)};
    }
    return last;
  }

  /// What the job before in the session was.
  struct Before {
    std::size_t kind = 0;
    double size = 0, limit = 0;
    std::size_t job = 0;
  };

  void job_at(const DrawnUser& user, const JobDraws& draws, SlurmTime at) {
    const SessionHabit& habit = group_.sessions;
    const bool again = before_ && draws.repeat < habit.repeat;
    const std::size_t number = again ? before_->kind : weighted_index(user.weights, draws.kind);
    const JobKind& kind = group_.kinds[number];
    const double size = again ? before_->size : draws.size;
    const double limit = again ? before_->limit : draws.limit;
    double score = draws.run;
    if (scores_[number]) score = mixed(*scores_[number], score, habit.run_time_correlation);
    scores_[number] = score;

    WorkloadJob job;
    job.user = user.name;
    job.account = kind.account.empty() ? group_.account : kind.account;
    job.partition = kind.partition;
    job.qos = kind.qos;
    job.name = kind.name;
    job.submit = at;
    set_size(kind, size, job);
    std::vector<Course> courses{course_of(kind, user.pace, score, draws.end, job)};
    if (draws.array < kind.array_share) add_tasks(kind, user.pace, draws, job, courses);
    job.limit = limit_of(kind.limit, courses, score, limit);
    for (const Course& course : courses) job.runs.push_back(run_of(course, job.limit));
    if (before_ && draws.depends < kind.dependent_share) {
      job.after = before_->job;
      job.dependency = kind.dependency;
    }
    runs_ += job.runs.size();
    if (runs_ > kMostRuns) {
      throw InputError({}, fmt::format("the generator makes more than {} jobs", kMostRuns),
                       "a lower rate, or a shorter span");
    }
    before_ = Before{number, size, limit, jobs_.size()};
    jobs_.push_back(std::move(job));
  }

  static void set_size(const JobKind& kind, double u, WorkloadJob& job) {
    if (!kind.sizes.empty()) {
      std::vector<double> weights;
      for (const AskedSize& each : kind.sizes) weights.push_back(each.weight);
      const AskedSize& size = kind.sizes[weighted_index(weights, u)];
      job.nodes = size.nodes;
      job.cpus = std::max(size.cpus, size.nodes);
      job.memory_mib = size.memory_mib;
      job.gres = size.gres;
      return;
    }
    const ScaledSize& scale = kind.scale;
    const auto count =
        static_cast<std::uint64_t>(std::max<std::int64_t>(1, whole(scale.count->quantile(u), 1e7)));
    job.nodes = (count + scale.per_node - 1) / scale.per_node;
    job.cpus = count * scale.cpus_each;
    job.memory_mib = count * scale.memory_each_mib;
    if (scale.of != "cpu") job.gres = fmt::format("{}={}", scale.of, count);
  }

  /// What a job or task would do without a limit.
  struct Course {
    JobEnd end = JobEnd::Completed;
    std::int64_t seconds = 0;              ///< it would run
    std::optional<std::int64_t> patience;  ///< [s] of CancelledPending
    bool is_own_limit = false;             ///< of a Timeout: `seconds` is the limit
  };

  static Course course_of(const JobKind& kind, double pace, double score, double end,
                          const WorkloadJob& job) {
    Course course;
    const double share = share_of(score);
    const Distribution* spread = &*kind.run_time;
    if (!kind.ends.empty()) {
      std::vector<double> weights;
      for (const EndChance& each : kind.ends) weights.push_back(each.weight);
      const EndChance& chance = kind.ends[weighted_index(weights, end)];
      course.end = chance.end;
      const bool is_patience = chance.end == JobEnd::CancelledPending;
      if (chance.after && !is_patience) spread = &*chance.after;
      if (is_patience) course.patience = whole(chance.after->quantile(share), kLongestRun);
      course.is_own_limit = chance.end == JobEnd::Timeout && chance.after.has_value();
    }
    const double factor = course.is_own_limit ? 1 : pace;
    const auto nodes = static_cast<double>(job.nodes);
    course.seconds = whole(factor * spread->quantile(share, nodes), kLongestRun);
    return course;
  }

  static DrawnRun run_of(const Course& course, std::optional<std::int64_t> limit) {
    DrawnRun run{course.seconds, course.end};
    if (course.patience) {
      run.seconds = *course.patience;
      return run;
    }
    if (!limit) return run;
    if (run.seconds > *limit * kMinute) run.end = JobEnd::Timeout;
    if (run.end == JobEnd::Timeout) run.seconds = *limit * kMinute;
    return run;
  }

  /// What users have in mind when they ask for a limit: the longest of the tasks that end by
  /// themselves.
  static std::int64_t expected_run(const std::vector<Course>& courses) {
    std::optional<std::int64_t> longest;
    for (const Course& course : courses) {
      if (course.end == JobEnd::Timeout) continue;
      longest = std::max(longest.value_or(0), course.seconds);
    }
    return longest.value_or(courses.front().seconds);
  }

  static std::optional<std::int64_t> limit_of(const AskedLimit& limit,
                                              const std::vector<Course>& courses, double score,
                                              double limit_score) {
    if (!limit.factor && !limit.values) return std::nullopt;
    const std::int64_t run = expected_run(courses);
    double wanted = 0;
    if (courses.front().is_own_limit) {
      wanted = static_cast<double>(std::max(run, courses.front().seconds));
    } else if (limit.factor) {
      wanted = static_cast<double>(run) * limit.factor->quantile(share_of(limit_score));
    } else {
      wanted = limit.values->quantile(share_of(mixed(score, limit_score, limit.correlation)));
      // Users ask again for more where it was too little: the least popular limit that is enough.
      if (wanted < static_cast<double>(run) && limit.values->form == DistributionForm::Values) {
        const auto& values = limit.values->values;
        const auto enough =
            std::lower_bound(values.begin(), values.end(), static_cast<double>(run));
        wanted = enough == values.end() ? values.back() : *enough;
      }
    }
    std::int64_t minutes = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(std::min(wanted, kLongestRun) / kMinute)));
    const auto round = std::lower_bound(limit.round_to.begin(), limit.round_to.end(), minutes);
    if (round != limit.round_to.end()) minutes = *round;
    return limit.most > 0 ? std::min(minutes, limit.most) : minutes;
  }

  /// The first run is task 0; the others have run times of their own.
  void add_tasks(const JobKind& kind, double pace, const JobDraws& draws, WorkloadJob& job,
                 std::vector<Course>& courses) {
    job.is_array = true;
    job.throttle = kind.throttle;
    const std::int64_t count =
        std::max<std::int64_t>(1, whole(kind.tasks->quantile(draws.tasks), 1e6));
    Rng rng(conf_.seed, "generator/tasks", draws.task_stream);
    for (std::int64_t i = 1; i < count; ++i) {
      const double score = normal_quantile(rng.uniform());
      courses.push_back(course_of(kind, pace, score, rng.uniform(), job));
    }
  }

  const GeneratorConf& conf_;
  const UserGroup& group_;
  std::vector<WorkloadJob>& jobs_;
  std::size_t& runs_;
  SessionCounts& counts_;
  TimeZone zone_;
  SlurmTime from_, to_;
  std::optional<Before> before_;
  std::vector<std::optional<double>> scores_;  // of the last run of each kind in the session
};

}  // namespace

std::vector<std::string> users_of(const UserGroup& group) {
  if (!group.users.empty()) return group.users;
  std::vector<std::string> names;
  const std::size_t width = fmt::format("{}", group.count).size();
  for (std::uint64_t i = 1; i <= group.count; ++i) {
    names.push_back(fmt::format("{}{:0{}}", group.name, i, width));
  }
  return names;
}

std::vector<WorkloadJob> generate(const GeneratorConf& conf, SessionCounts* counts) {
  std::vector<WorkloadJob> jobs;
  std::size_t runs = 0;
  SessionCounts sessions;
  for (const UserGroup& group : conf.groups) GroupSource(conf, group, jobs, runs, sessions).draw();
  if (counts != nullptr) *counts = sessions;
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].submit < jobs[b].submit; });
  std::vector<std::size_t> place(jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<WorkloadJob> sorted;
  sorted.reserve(jobs.size());
  for (const std::size_t i : order) {
    if (jobs[i].after) jobs[i].after = place[*jobs[i].after];
    sorted.push_back(std::move(jobs[i]));
  }
  return sorted;
}

}  // namespace rehearse
