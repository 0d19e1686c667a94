// sim/study/registry.cpp — points in, outcomes in, both by number.
#include "sim/study/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/config/suggest.hpp"
#include "sim/core/error.hpp"
#include "sim/study/registry_rewrite.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kFormat = "1";
constexpr const char* kSchema = R"(
CREATE TABLE study(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE inputs(role TEXT, name TEXT, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL,
                    PRIMARY KEY(role, name)) WITHOUT ROWID;
CREATE TABLE points(point INTEGER PRIMARY KEY, design INTEGER NOT NULL,
                    replication INTEGER NOT NULL, seed INTEGER NOT NULL, status TEXT NOT NULL,
                    error TEXT, schedule_fingerprint TEXT, event_fingerprint TEXT, file TEXT,
                    command TEXT NOT NULL);
CREATE TABLE parameters(point INTEGER, name TEXT, value NOT NULL,
                        PRIMARY KEY(point, name)) WITHOUT ROWID;
CREATE TABLE kpis(point INTEGER, name TEXT, value REAL, PRIMARY KEY(point, name)) WITHOUT ROWID;
)";

/// One transaction: all of it, or none.
class Transaction {
 public:
  explicit Transaction(SqlDatabase& database) : database_(database) {
    database_.execute("BEGIN IMMEDIATE");
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction(Transaction&&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction() {
    if (open_) (void)rolled_back();
  }
  void commit() {
    database_.execute("COMMIT");
    open_ = false;
  }

 private:
  bool rolled_back() {
    try {
      database_.execute("ROLLBACK");
    } catch (const std::exception&) {
      return false;  // SQLite has done it already
    }
    return true;
  }
  SqlDatabase& database_;
  bool open_ = true;
};

std::string quoted(const std::string& text, char mark) {
  std::string made(1, mark);
  for (const char c : text) made += c == mark ? std::string(2, mark) : std::string(1, c);
  return made + mark;
}

/// A row a point, whatever its parameters and objectives are called.
std::string view_of(const StudyDefinition& definition) {
  std::string sql = "CREATE VIEW results AS SELECT point, design, replication, status";
  const auto add = [&](const char* table, const std::string& name) {
    sql += fmt::format(
        ",\n  (SELECT value FROM {0} WHERE {0}.point = points.point AND name = {1}) AS {2}", table,
        quoted(name, '\''), quoted(name, '"'));
  };
  for (const std::string& name : definition.parameters) add("parameters", name);
  for (const std::string& name : definition.objectives) add("kpis", name);
  return sql + "\n  FROM points;";
}

PointStatus status_of(const std::string& text) {
  for (const PointStatus each : {PointStatus::Complete, PointStatus::Failed}) {
    if (text == to_text(each)) return each;
  }
  return PointStatus::Waiting;
}

std::string fingerprint_text(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

/// What the file may be opened as: nothing yet, or SQLite's.
const std::filesystem::path& checked(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && std::filesystem::file_size(file, ignored) > 0 &&
      !is_sqlite(file)) {
    throw InputError({file.string(), 0, 0}, "is not a registry (SQLite)",
                     "name another file: -o FILE");
  }
  return file;
}

}  // namespace

bool is_sqlite(const std::filesystem::path& file) {
  constexpr std::string_view kHead = "SQLite format 3";
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return false;  // a pipe may never say a word
  std::ifstream stream(file, std::ios::binary);
  std::string head(kHead.size(), '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  return stream && head == kHead;
}

StudyDefinition define_study(const PointRunner& runner, const ProgramVersion& program) {
  const StudyConf& study = runner.study();
  StudyDefinition definition;
  auto parameters = nlohmann::ordered_json::array();
  for (const StudyParameter& each : study.parameters) {
    parameters.push_back({{"name", each.name}, {"change", each.change}, {"form", each.form}});
    definition.parameters.push_back(each.name);
  }
  auto objectives = nlohmann::ordered_json::array();
  for (const StudyObjective& each : study.objectives) {
    objectives.push_back({{each.most ? "most" : "least", each.name()}});
    definition.objectives.push_back(each.name());
  }
  definition.entries = {
      {"format", std::string(kFormat)},
      {"program", fmt::format("{} ({})", program.release, program.commit)},
      {"site", study.site_text},
      {"set", nlohmann::ordered_json(study.set).dump()},
      {"jobs", study.jobs},
      {"from", study.from},
      {"to", study.to},
      {"parameters", parameters.dump()},
      {"objectives", objectives.dump()},
      {"results", study.results},
  };
  definition.inputs = runner.inputs();
  return definition;
}

StudyRegistry::StudyRegistry(const std::filesystem::path& file)
    : lock_(checked(file)), database_(file, SqlDatabase::Open::ToWrite) {
  database_.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
}

StudyRegistry::~StudyRegistry() {
  try {
    // A plain file again, which needs no right to write where it is read.
    database_.execute("PRAGMA journal_mode=DELETE;");
    if (!rows_.empty() && counts().waiting == 0) rewrite(database_);
  } catch (const std::exception&) {
    return;  // somebody reads it, or the disk is full: it stays as it is, which is as good
  }
}

StudyRegistry::Identity StudyRegistry::identity_of(const StudyPoint& point) {
  return {point.values, {point.replication, point.seed}};
}

void StudyRegistry::create(const StudyDefinition& definition) {
  database_.execute(kSchema);
  database_.execute(view_of(definition));
  SqlStatement entry = database_.prepare("INSERT INTO study VALUES(?, ?)");
  for (const auto& [key, value] : definition.entries) {
    entry.bind(0, std::string_view(key)).bind(1, std::string_view(value)).run();
  }
  SqlStatement input = database_.prepare("INSERT OR IGNORE INTO inputs VALUES(?, ?, ?, ?)");
  for (const InputFile& each : definition.inputs) {
    input.bind(0, std::string_view(each.role)).bind(1, std::string_view(each.name));
    input.bind(2, std::string_view(each.sha256)).bind(3, static_cast<std::int64_t>(each.bytes));
    input.run();
  }
}

void StudyRegistry::compare(const StudyDefinition& definition) {
  const SourcePosition where{database_.file().string(), 0, 0};
  constexpr const char* kHint = "keep the study as it was, or begin another registry: -o FILE";
  std::map<std::string, std::string> known;
  SqlStatement entries = database_.prepare("SELECT key, value FROM study");
  while (entries.step()) known[entries.text(0)] = entries.text(1);
  Diagnostics found;
  for (const auto& [key, value] : definition.entries) {
    if (known[key] == value) continue;
    if (key == "program") {
      found.error(where,
                  fmt::format("was begun by another program: {}, this is {}", known[key], value),
                  "points of two programs do not compare; begin another registry: -o FILE");
    } else {
      found.error(where,
                  fmt::format("{}: the study says {}, the registry was begun with {}", key,
                              value.empty() ? "nothing" : value,
                              known[key].empty() ? "nothing" : known[key]),
                  kHint);
    }
  }
  std::map<std::pair<std::string, std::string>, std::string> inputs;
  SqlStatement rows = database_.prepare("SELECT role, name, sha256 FROM inputs");
  while (rows.step()) inputs[{rows.text(0), rows.text(1)}] = rows.text(2);
  for (const InputFile& each : definition.inputs) {
    const auto at = inputs.find({each.role, each.name});
    if (at == inputs.end() || at->second != each.sha256) {
      found.error(
          where,
          fmt::format("{} ({}) has changed since the registry was begun", each.name, each.role),
          kHint);
    }
  }
  for (const auto& [key, ignored] : inputs) {
    const bool is_there = std::any_of(definition.inputs.begin(), definition.inputs.end(),
                                      [&wanted = key](const InputFile& each) {
                                        return std::pair{each.role, each.name} == wanted;
                                      });
    if (!is_there) {
      found.error(where, fmt::format("{} ({}) is no longer there", key.second, key.first), kHint);
    }
  }
  found.throw_if_errors();
}

void StudyRegistry::read_rows() {
  rows_.clear();
  SqlStatement points = database_.prepare(
      "SELECT point, design, replication, seed, status FROM points ORDER BY point");
  while (points.step()) {
    Row row;
    row.point.number = static_cast<std::uint32_t>(points.integer(0));
    row.point.design = static_cast<std::uint32_t>(points.integer(1));
    row.point.replication = static_cast<std::uint32_t>(points.integer(2));
    row.point.seed = static_cast<std::uint64_t>(points.integer(3));
    row.status = status_of(points.text(4));
    row.point.values.resize(parameters_.size());
    rows_.push_back(std::move(row));
  }
  SqlStatement values = database_.prepare("SELECT point, name, value FROM parameters");
  while (values.step()) {
    const auto at = std::find(parameters_.begin(), parameters_.end(), values.text(1));
    const auto number = static_cast<std::size_t>(values.integer(0));
    if (at == parameters_.end() || number >= rows_.size()) continue;
    rows_[number].point.values[static_cast<std::size_t>(at - parameters_.begin())] = values.text(2);
  }
  for (const Row& row : rows_) {
    numbers_[identity_of(row.point)] = row.point.number;
    designs_[row.point.values] = row.point.design;
  }
}

void StudyRegistry::add(const StudyPoint& point, const PointRunner& runner) {
  StudyPoint added = point;
  added.number = static_cast<std::uint32_t>(rows_.size());
  const auto next = static_cast<std::uint32_t>(designs_.size());
  added.design = designs_.emplace(added.values, next).first->second;
  SqlStatement row = database_.prepare(
      "INSERT INTO points(point, design, replication, seed, status, command) "
      "VALUES(?, ?, ?, ?, ?, ?)");
  row.bind(0, std::int64_t{added.number}).bind(1, std::int64_t{added.design});
  row.bind(2, std::int64_t{added.replication}).bind(3, static_cast<std::int64_t>(added.seed));
  row.bind(4, to_text(PointStatus::Waiting));
  row.bind(5, std::string_view(command_of(runner.study(), added))).run();
  SqlStatement value = database_.prepare("INSERT INTO parameters VALUES(?, ?, ?)");
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    value.bind(0, std::int64_t{added.number}).bind(1, std::string_view(parameters_[i]));
    value.bind_value(2, added.values[i]).run();
  }
  numbers_[identity_of(added)] = added.number;
  rows_.push_back({std::move(added), PointStatus::Waiting});
}

void StudyRegistry::begin(const StudyDefinition& definition, const PointRunner& runner,
                          const std::vector<StudyPoint>& points) {
  parameters_ = definition.parameters;
  Transaction all(database_);
  SqlStatement tables =
      database_.prepare("SELECT count(*), sum(name = 'study') FROM sqlite_master");
  (void)tables.step();
  const bool is_new = tables.integer(0) == 0;
  if (!is_new && tables.integer(1) == 0) {
    throw InputError({database_.file().string(), 0, 0}, "is a database, but no registry",
                     "name another file: -o FILE");
  }
  if (is_new) {
    create(definition);
  } else {
    compare(definition);
    read_rows();
  }
  const std::size_t known = rows_.size();
  std::size_t kept = 0;
  for (const StudyPoint& point : points) {
    const auto at = numbers_.find(identity_of(point));
    if (at == numbers_.end()) {
      add(point, runner);
    } else if (at->second < known) {
      ++kept;
    }
  }
  const StudyDesign design = runner.study().design;
  const bool is_asked = design == StudyDesign::Outside || design == StudyDesign::Tune;
  if (kept < known && !is_asked) {
    throw InputError(
        {database_.file().string(), 0, 0},
        fmt::format("has {} points that the study does not have any more", known - kept),
        "values and replications can be added to a study, not taken away; or begin "
        "another registry: -o FILE");
  }
  tables.run();
  all.commit();
}

std::vector<StudyPoint> StudyRegistry::to_run(bool again) {
  std::vector<StudyPoint> points;
  if (again) {
    Transaction all(database_);
    database_.execute("UPDATE points SET status = 'waiting', error = NULL WHERE status = 'failed'");
    all.commit();
  }
  for (Row& row : rows_) {
    if (again && row.status == PointStatus::Failed) row.status = PointStatus::Waiting;
    if (row.status == PointStatus::Waiting) points.push_back(row.point);
  }
  return points;
}

std::vector<StudyPoint> StudyRegistry::points_with(const PointRunner& runner,
                                                   const std::vector<std::string>& values) {
  std::vector<StudyPoint> points = replicate(runner.study(), values, 0, 0);
  Transaction all(database_);
  for (StudyPoint& point : points) {
    const auto at = numbers_.find(identity_of(point));
    if (at == numbers_.end()) add(point, runner);
    point = rows_[at == numbers_.end() ? rows_.size() - 1 : at->second].point;
  }
  all.commit();
  return points;
}

std::optional<PointOutcome> StudyRegistry::outcome(std::uint32_t point) {
  if (rows_[point].status == PointStatus::Waiting) return std::nullopt;
  PointOutcome outcome;
  outcome.point = point;
  outcome.status = rows_[point].status;
  SqlStatement row = database_.prepare("SELECT error, file FROM points WHERE point = ?");
  row.bind(0, std::int64_t{point});
  if (row.step()) {
    outcome.error = row.text(0);
    outcome.file = row.text(1);
  }
  SqlStatement kpis = database_.prepare("SELECT name, value FROM kpis WHERE point = ?");
  kpis.bind(0, std::int64_t{point});
  while (kpis.step()) {
    outcome.kpis.emplace_back(
        kpis.text(0), kpis.is_null(1) ? std::numeric_limits<double>::quiet_NaN() : kpis.real(1));
  }
  return outcome;
}

bool StudyRegistry::record(const PointOutcome& outcome) {
  if (outcome.point >= rows_.size() || rows_[outcome.point].status != PointStatus::Waiting) {
    return false;
  }
  const bool complete = outcome.status == PointStatus::Complete;
  Transaction all(database_);
  SqlStatement row = database_.prepare(
      "UPDATE points SET status = ?, error = ?, schedule_fingerprint = ?, event_fingerprint = ?, "
      "file = ? WHERE point = ?");
  row.bind(0, to_text(outcome.status)).bind(5, std::int64_t{outcome.point});
  if (complete) {
    row.bind(2, std::string_view(fingerprint_text(outcome.schedule_fingerprint)));
    row.bind(3, std::string_view(fingerprint_text(outcome.event_fingerprint)));
    if (!outcome.file.empty()) row.bind(4, std::string_view(outcome.file));
  } else {
    row.bind(1, std::string_view(outcome.error));
  }
  row.run();
  SqlStatement kpi = database_.prepare("INSERT INTO kpis VALUES(?, ?, ?)");
  for (const auto& [name, value] : outcome.kpis) {
    kpi.bind(0, std::int64_t{outcome.point}).bind(1, std::string_view(name));
    kpi.bind_real(2, value).run();
  }
  all.commit();
  rows_[outcome.point].status = outcome.status;
  return true;
}

PointCounts StudyRegistry::counts() {
  PointCounts counts;
  for (const Row& row : rows_) {
    if (row.status == PointStatus::Waiting) ++counts.waiting;
    if (row.status == PointStatus::Complete) ++counts.complete;
    if (row.status == PointStatus::Failed) ++counts.failed;
  }
  return counts;
}

}  // namespace rehearse
