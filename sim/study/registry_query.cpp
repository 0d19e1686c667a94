// sim/study/registry_query.cpp — SELECTs of a person's own, and the one that everybody wants.
#include "sim/study/registry_query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/core/error.hpp"
#include "sim/output/output_error.hpp"
#include "sim/study/comparison/left_out.hpp"

namespace rehearse {
namespace {

const std::filesystem::path& checked(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    throw InputError({file.string(), 0, 0}, "does not exist",
                     "a registry is what rehearse sweep STUDY.yaml -o FILE writes");
  }
  if (!is_sqlite(file)) {
    throw InputError({file.string(), 0, 0}, "is not a registry (SQLite)",
                     "a registry is what rehearse sweep STUDY.yaml -o FILE writes");
  }
  return file;
}

std::string column(const std::string& name) {
  std::string made = "\"";
  for (const char c : name) made += c == '"' ? std::string("\"\"") : std::string(1, c);
  return made + '"';
}

RegistryTable table_of(SqlStatement& statement) {
  RegistryTable table;
  for (int i = 0; i < statement.columns(); ++i) table.header.push_back(statement.name(i));
  while (statement.step()) {
    auto& row = table.rows.emplace_back();
    for (int i = 0; i < statement.columns(); ++i) {
      row.push_back({statement.text(i), statement.is_number(i), statement.is_null(i)});
    }
  }
  return table;
}

/// Of the jobs of a design's points (kpis j), those refused (x), never started (n) or killed (d).
std::string share_not_run() {
  return "(1.0 * sum(coalesce(x.value, 0) + coalesce(n.value, 0) + coalesce(d.value, 0)) / "
         "nullif(sum(j.value + coalesce(x.value, 0)), 0))";
}

}  // namespace

RegistryReader::RegistryReader(const std::filesystem::path& file)
    : database_(checked(file), SqlDatabase::Open::ToRead) {
  try {
    for (const auto& each : nlohmann::json::parse(entry("parameters"))) {
      parameters_.push_back(each.at("name").get<std::string>());
    }
    for (const auto& each : nlohmann::json::parse(entry("objectives"))) {
      const bool most = each.contains("most");
      objectives_.push_back({each.at(most ? "most" : "least").get<std::string>(), most});
    }
  } catch (const std::exception&) {
    objectives_.clear();
  }
  if (objectives_.empty()) {
    throw InputError({file.string(), 0, 0}, "is a database, but no registry of this program");
  }
}

std::string RegistryReader::entry(const std::string& key) {
  SqlStatement row = database_.prepare("SELECT value FROM study WHERE key = ?");
  row.bind(0, std::string_view(key));
  return row.step() ? row.text(0) : std::string();
}

RegistryTable RegistryReader::select(const std::string& sql) {
  try {
    SqlStatement statement = database_.prepare(sql);
    if (!statement.only_reads() || statement.columns() == 0) {
      throw InputError({"--sql", 0, 0}, "is no question",
                       "SELECT … FROM results; a registry is changed by sweep alone");
    }
    if (!statement.is_alone()) {
      throw InputError({"--sql", 0, 0}, "is more than one question", "ask them one by one");
    }
    return table_of(statement);
  } catch (const OutputError& error) {
    throw InputError({"--sql", 0, 0}, error.what(),
                     "tables: study, inputs, points, parameters, kpis; view: results");
  }
}

RegistryTable RegistryReader::best(const std::string& kpi, std::optional<bool> most,
                                   std::uint64_t rows) {
  SqlStatement names = database_.prepare("SELECT DISTINCT name FROM kpis ORDER BY name");
  std::vector<std::string> known;
  while (names.step()) known.push_back(names.text(0));
  if (known.empty()) {
    throw InputError({database_.file().string(), 0, 0}, "no point is complete yet",
                     "rehearse sweep continues the study");
  }
  if (std::find(known.begin(), known.end(), kpi) == known.end()) {
    const std::vector<std::string_view> views(known.begin(), known.end());
    const std::string meant = did_you_mean(kpi, views);
    throw InputError(
        {"--best", 0, 0}, fmt::format("no point has a figure {}", shown(kpi)),
        meant.empty() ? "rehearse query REGISTRY --sql 'SELECT DISTINCT name FROM kpis'" : meant);
  }
  const auto objective = std::find_if(objectives_.begin(), objectives_.end(),
                                      [&](const Objective& each) { return each.name == kpi; });
  const bool more = most.value_or(objective != objectives_.end() && objective->most);
  std::string sql = "SELECT r.design";
  for (const std::string& name : parameters_) sql += fmt::format(", r.{}", column(name));
  sql += ", count(k.value) AS runs, avg(k.value) AS " + column(kpi);
  for (const Objective& each : objectives_) {
    if (each.name != kpi) sql += fmt::format(", avg(r.{0}) AS {0}", column(each.name));
  }
  const std::string not_run = share_not_run();
  sql += fmt::format(", {0} AS not_run, iif({0} - min({0}) OVER () > {1}, '{2}', '') AS remark",
                     not_run, kLeftOutShare, kLeavesOut);
  sql += fmt::format(
      " FROM results r JOIN kpis k ON k.point = r.point AND k.name = ? "
      "LEFT JOIN kpis j ON j.point = r.point AND j.name = 'jobs' "
      "LEFT JOIN kpis x ON x.point = r.point AND x.name = 'jobs_rejected' "
      "LEFT JOIN kpis n ON n.point = r.point AND n.name = 'jobs_never_started' "
      "LEFT JOIN kpis d ON d.point = r.point AND d.name = 'jobs_killed' "
      "WHERE r.status = 'complete' GROUP BY r.design HAVING count(k.value) > 0 "
      "ORDER BY avg(k.value) {}, r.design LIMIT {}",
      more ? "DESC" : "ASC", rows);
  SqlStatement statement = database_.prepare(sql);
  statement.bind(0, std::string_view(kpi));
  RegistryTable table = table_of(statement);
  add_spread(table, kpi, 1 + parameters_.size() + 2);
  return table;
}

/// Behind column `at - 1`, the mean over a design's replications, their standard deviation; where
/// no design has two of them there is no such column.
void RegistryReader::add_spread(RegistryTable& table, const std::string& kpi, std::size_t at) {
  SqlStatement each = database_.prepare(
      "SELECT r.design, k.value FROM results r JOIN kpis k ON k.point = r.point AND k.name = ? "
      "WHERE r.status = 'complete' AND k.value IS NOT NULL ORDER BY r.design, r.point");
  each.bind(0, std::string_view(kpi));
  std::map<std::string, std::vector<double>> values;
  while (each.step()) values[each.text(0)].push_back(each.real(1));
  const bool any = std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return values[row.front().text].size() > 1;
  });
  if (!any) return;
  table.header.insert(table.header.begin() + static_cast<std::ptrdiff_t>(at), kpi + "_sd");
  for (auto& row : table.rows) {
    const std::vector<double>& runs = values[row.front().text];
    double mean = 0, squares = 0;
    for (const double value : runs) mean += value / static_cast<double>(runs.size());
    for (const double value : runs) squares += (value - mean) * (value - mean);
    const bool known = runs.size() > 1;
    const double spread = known ? std::sqrt(squares / static_cast<double>(runs.size() - 1)) : 0;
    row.insert(row.begin() + static_cast<std::ptrdiff_t>(at),
               {known ? fmt::format("{}", spread) : "", known, !known});
  }
}

PointCounts RegistryReader::counts() {
  PointCounts counts;
  SqlStatement rows = database_.prepare("SELECT status, count(*) FROM points GROUP BY status");
  while (rows.step()) {
    const std::string status = rows.text(0);
    const auto count = static_cast<std::uint64_t>(rows.integer(1));
    (status == to_text(PointStatus::Complete) ? counts.complete
     : status == to_text(PointStatus::Failed) ? counts.failed
                                              : counts.waiting) = count;
  }
  return counts;
}

}  // namespace rehearse
