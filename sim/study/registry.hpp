// sim/study/registry.hpp — the registry of a study: its points, their parameters and figures, in
// SQLite.
//
//   study(key, value)                 what the study is: to be continued it must stay the same
//   inputs(role, name, sha256, bytes) the files that every point read
//   points(point, design, replication, seed, status, error, schedule_fingerprint,
//          event_fingerprint, file, command)
//   parameters(point, name, value)    as chosen
//   kpis(point, name, value)          figures of the whole run, and the objectives; NULL: none
//   results                           a view: a row a point, a column a parameter and an objective
//
// Nothing of when, where or in which order is kept: a study that was killed and continued has the
// dump of one that was not. One process writes at a time (a lock beside the file); a point is one
// transaction. WAL while it is written, so that sqlite3 may look in; a plain file afterwards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/output/provenance.hpp"
#include "sim/study/point.hpp"
#include "sim/study/registry_database.hpp"
#include "sim/study/registry_lock.hpp"

namespace rehearse {

/// What must be the same for a registry to be continued.
struct StudyDefinition {
  std::vector<std::pair<std::string, std::string>> entries;  ///< by key
  std::vector<InputFile> inputs;
  std::vector<std::string> parameters, objectives;  ///< columns of `results`
};
[[nodiscard]] StudyDefinition define_study(const PointRunner& runner,
                                           const ProgramVersion& program);

struct PointCounts {
  std::uint64_t waiting = 0, complete = 0, failed = 0;
  [[nodiscard]] std::uint64_t all() const { return waiting + complete + failed; }
};

class StudyRegistry {
 public:
  /// Opens the file, or makes it. Throws InputError: it is something else, or another sweep has it.
  explicit StudyRegistry(const std::filesystem::path& file);
  StudyRegistry(const StudyRegistry&) = delete;
  StudyRegistry& operator=(const StudyRegistry&) = delete;
  StudyRegistry(StudyRegistry&&) = delete;
  StudyRegistry& operator=(StudyRegistry&&) = delete;
  ~StudyRegistry();

  /// Begins the study, or continues it: the points that it has already keep their numbers, new ones
  /// come behind them. Throws InputError where the study, its inputs or the program have changed.
  void begin(const StudyDefinition& definition, const PointRunner& runner,
             const std::vector<StudyPoint>& points);

  /// The points that are yet to run, by number. `again`: failed ones too.
  [[nodiscard]] std::vector<StudyPoint> to_run(bool again);
  /// The replications of these values, which are added where they are not there yet.
  [[nodiscard]] std::vector<StudyPoint> points_with(const PointRunner& runner,
                                                    const std::vector<std::string>& values);
  /// What is known of a point: none while it waits.
  [[nodiscard]] std::optional<PointOutcome> outcome(std::uint32_t point);
  /// Keeps an outcome. False: the point has one already, which stays.
  bool record(const PointOutcome& outcome);
  [[nodiscard]] PointCounts counts();

 private:
  struct Row {
    StudyPoint point;
    PointStatus status = PointStatus::Waiting;
  };
  using Identity = std::pair<std::vector<std::string>, std::pair<std::uint64_t, std::uint64_t>>;

  void create(const StudyDefinition& definition);
  void compare(const StudyDefinition& definition);
  void read_rows();
  void add(const StudyPoint& point, const PointRunner& runner);
  [[nodiscard]] static Identity identity_of(const StudyPoint& point);

  RegistryLock lock_;
  SqlDatabase database_;
  std::vector<std::string> parameters_;
  std::vector<Row> rows_;                                      // by number
  std::map<Identity, std::uint32_t> numbers_;                  // of rows_
  std::map<std::vector<std::string>, std::uint32_t> designs_;  // by values
};

/// True if the file begins as SQLite's do.
[[nodiscard]] bool is_sqlite(const std::filesystem::path& file);

}  // namespace rehearse
