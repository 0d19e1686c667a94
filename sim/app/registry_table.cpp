// sim/app/registry_table.cpp — a table out of a registry, as text or JSON.
#include "sim/app/registry_table.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/config/text_scan.hpp"
#include "sim/output/kpi/kpi.hpp"
#include "sim/output/summary.hpp"
#include "sim/study/comparison/left_out.hpp"

namespace rehearse {
namespace {

/// Digits that a person compares by; the registry and -P have them all.
std::string shown_cell(const RegistryTable::Cell& cell) {
  const auto number = cell.is_number ? text::parse_real(cell.text) : std::nullopt;
  const bool is_whole = cell.text.find_first_of(".e") == std::string::npos;
  return number && !is_whole ? fmt::format("{:.6g}", *number) : cell.text;
}

std::string joined(const std::vector<std::string>& fields) {
  return fmt::format("{}\n", fmt::join(fields, "|"));
}

}  // namespace

std::string table_text(const RegistryTable& table, const TableOptions& format) {
  std::string text;
  if (format.parsable) {
    if (!format.no_header) text += joined(table.header);
    for (const auto& row : table.rows) {
      std::vector<std::string> fields;
      for (const auto& cell : row) fields.push_back(cell.text);
      text += joined(fields);
    }
    return text;
  }
  std::vector<std::size_t> widths;
  std::vector<bool> numbers(table.header.size(), true);
  for (const std::string& name : table.header) widths.push_back(name.size());
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : table.rows) {
    auto& fields = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      fields.push_back(shown_cell(row[i]));
      widths[i] = std::max(widths[i], fields.back().size());
      if (!row[i].is_number && !row[i].is_null) numbers[i] = false;
    }
  }
  const auto add = [&](const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) line += "  ";
      line += numbers[i] ? fmt::format("{:>{}}", fields[i], widths[i])
                         : fmt::format("{:<{}}", fields[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  if (!format.no_header) add(table.header);
  for (const auto& fields : rows) add(fields);
  return text;
}

void explain_best(const RegistryTable& table) {
  if (table.rows.empty()) {
    fmt::print(stderr,
               "note: no point has that figure: did any job start? jobs_rejected and "
               "jobs_never_started in the table kpis tell\n");
    return;
  }
  std::string units;
  for (const std::string& name : table.header) {
    const KpiDefinition* const figure = find_kpi_definition(name.substr(name.rfind('/') + 1));
    if (figure == nullptr || figure->units == "1") continue;
    units += fmt::format("{}{} in {}", units.empty() ? "" : ", ", name, figure->units);
  }
  if (!units.empty()) fmt::print(stderr, "note: {}\n", units);
  const auto spread = std::find_if(table.header.begin(), table.header.end(),
                                   [](const auto& name) { return name.ends_with("_sd"); });
  if (spread != table.header.end()) {
    fmt::print(stderr,
               "note: figures are means over a design's runs, _sd their standard deviation\n");
    const auto at = static_cast<std::size_t>(spread - table.header.begin());
    if (std::all_of(table.rows.begin(), table.rows.end(),
                    [&](const auto& row) { return row[at].text == "0"; })) {
      fmt::print(stderr,
                 "note: no run differs from the others of its design: nothing is drawn by chance "
                 "there, one replication tells as much\n");
    }
  }
  // A parameter of that name and form is what tune varies beside its keys.
  const auto week = std::find(table.header.begin(), table.header.end(), "week");
  if (week != table.header.end() &&
      table.rows.front()[static_cast<std::size_t>(week - table.header.begin())].text.find('/') !=
          std::string::npos) {
    fmt::print(
        stderr,
        "note: a row is a setting on one week, and weeks differ by their jobs: the command of "
        "rehearse tune that made this registry prints its front again\n");
  }
  const auto rows = std::count_if(table.rows.begin(), table.rows.end(),
                                  [](const auto& row) { return row.back().text == kLeavesOut; });
  if (rows == 0) return;
  fmt::print(
      stderr,
      "note: {} of these settings refuse, never start or kill over {:.0f} % more of the jobs than "
      "another one does (not_run): figures of waits are of the rest\n",
      rows, kLeftOutShare * 100);
}

std::string table_json(const RegistryTable& table) {
  nlohmann::ordered_json json;
  json["schema"] = "rehearse-query/1";
  auto& rows = json["rows"] = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json one = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      auto& cell = one[table.header[i]];
      if (row[i].is_null) continue;
      const auto number = row[i].is_number
                              ? nlohmann::ordered_json::parse(row[i].text, nullptr, false)
                              : nlohmann::ordered_json();
      cell = number.is_number() ? number : nlohmann::ordered_json(row[i].text);
    }
    rows.push_back(std::move(one));
  }
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace rehearse
