// workloads/generator/generator_conf.hpp — a generator of jobs: groups of users, their sessions,
// their kinds of jobs.
//
// Every key with its unit, range and default: configs/reference.yaml (page `generator`). The model:
//
//   users     rank i of a group has i^-zipf of its sessions (Zipf's law)
//   sessions  come by a Poisson process whose rate changes by hour of day, day of week and week; a
//             session is a row of submissions with short gaps (Zakay and Feitelson, 2013)
//   jobs      of a session are of one kind with probability `repeat`, as users submit the same
//             again (Feitelson, 1997), and their run times are correlated
//   kinds     sizes, and a run time and outcome for each: size and run time are correlated by kind
//   limits    what users ask for: round numbers (Tsafrir, Etsion and Feitelson, 2005), or the run
//             time times a factor (the f-model of Mu'alem and Feitelson, 2001), rounded up
//
// Submission times do not answer to waits: this is open replay.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/core/error.hpp"
#include "workloads/generator/distribution.hpp"

namespace rehearse {

/// What one job asks of nodes.
struct AskedSize {
  double weight = 1;
  std::uint64_t nodes = 1, cpus = 1;
  std::uint64_t memory_mib = 0;  ///< of the whole job; 0: the site's default
  std::string gres;              ///< of the whole job, `gpu:a100=2`, `shard=1`; empty: none
};

/// Sizes by a count of equal units instead of a table.
struct ScaledSize {
  std::optional<Distribution> count;
  std::string of = "cpu";  ///< cpu, or a GRES: gpu, gpu:a100
  std::uint64_t per_node = 1, cpus_each = 1, memory_each_mib = 0;
};

/// How a generated job ends.
enum class JobEnd : std::uint8_t {
  Completed,
  Failed,
  OutOfMemory,
  Cancelled,  ///< while it runs
  Timeout,
  CancelledPending,  ///< its user gives up, if it still waits by then
  Count
};
/// The word of sacct, or CANCELLED_PENDING.
[[nodiscard]] std::string_view to_text(JobEnd end);

struct EndChance {
  JobEnd end = JobEnd::Completed;
  double weight = 1;
  std::optional<Distribution> after;  ///< run time [s], or the patience of CancelledPending
};

/// The time limits that a kind's jobs ask for. With neither form: none is asked for.
struct AskedLimit {
  std::optional<Distribution> factor;  ///< times the run time, then up to one of round_to
  std::vector<std::int64_t> round_to;  ///< [min] ascending; empty: whole minutes
  std::optional<Distribution> values;  ///< popular limits [s]
  double correlation = 0;              ///< of the normal scores of limit and run time
  std::int64_t most = 0;               ///< [min]; 0: no bound
};

struct JobKind {
  std::string name = "job", partition, qos, account;
  double weight = 1;
  std::vector<AskedSize> sizes;
  ScaledSize scale;
  std::optional<Distribution> run_time;  ///< [s]
  AskedLimit limit;
  std::vector<EndChance> ends;        ///< empty: all COMPLETED
  double array_share = 0;             ///< of submissions that are job arrays
  std::optional<Distribution> tasks;  ///< of an array
  std::uint64_t throttle = 0;         ///< of its tasks at once; 0: no limit
  double dependent_share = 0;         ///< of jobs that wait for the one before in their session
  std::string dependency = "afterok";
  SourcePosition where;
};

struct SessionHabit {
  double per_week = 0;               ///< of all users of the group, where the cycles average 1
  std::optional<Distribution> jobs;  ///< submissions of a session
  std::optional<Distribution> gap;   ///< [s] between two of them
  Duration rest{0};                  ///< between two sessions of a user at least; 0: may overlap
  double gap_correlation = 0;        ///< of the gaps of one session
  double repeat = 0;                 ///< probability of the same kind, size and limit again
  double run_time_correlation = 0;   ///< of run times of one kind, one after the other
  std::vector<double> day, week, weeks;  ///< rates by hour, day (Monday first), week; empty: even
};

struct UserGroup {
  std::string name;
  std::vector<std::string> users;  ///< in order of activity; else `count` of them: name01 …
  std::uint64_t count = 0;
  double zipf = 0;
  double habit = 0;  ///< sigma of the lognormal factor on each user's weight of each kind
  double pace = 0;   ///< sigma of the lognormal factor on each user's run times
  std::string account;
  SessionHabit sessions;
  std::vector<JobKind> kinds;
  [[nodiscard]] std::uint64_t size() const { return users.empty() ? count : users.size(); }
};

struct GeneratorConf {
  std::uint64_t seed = 1;
  std::string time_zone = "UTC", from = "2025-01-06T00:00:00";
  Duration span{std::int64_t{28} * 86400 * 1000000};
  double rate = 1;  ///< times every group's sessions.per_week
  std::uint64_t first_id = 1;
  std::vector<UserGroup> groups;
};

/// The file, with everything that is wrong with it told at once. Throws InputError.
[[nodiscard]] GeneratorConf read_generator(const std::filesystem::path& file);
/// The same from text; `file` stands in messages.
[[nodiscard]] GeneratorConf parse_generator(std::string_view text, const std::string& file,
                                            Diagnostics& found);
/// The file of a generator; parse_generator gives the same generator back. `head` are lines of
/// comment.
[[nodiscard]] std::string generator_text(const GeneratorConf& conf,
                                         const std::vector<std::string>& head);
/// Every key that the reader asks for, for configs/reference.yaml.
[[nodiscard]] std::vector<ConfigKey> generator_keys();

}  // namespace rehearse
