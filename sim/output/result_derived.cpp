// sim/output/result_derived.cpp — waits and amounts by TRES, spelled out row by row.
#include "sim/output/result_derived.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace rehearse {
namespace {

/// Amounts of GRES and licences by name, for each code of names.tres_set.
using Amounts = std::map<std::string, std::vector<std::uint64_t>, std::less<>>;

Amounts amounts_of(const NamePool& sets) {
  Amounts amounts;
  for (std::size_t code = 0; code < sets.size(); ++code) {
    const std::string_view set = sets.text(id_at<NameId>(code));
    for (std::size_t begin = 0; begin < set.size();) {
      const std::size_t end = std::min(set.find(',', begin), set.size());
      const std::string_view entry = set.substr(begin, end - begin);
      const std::size_t equals = std::min(entry.find('='), entry.size());
      begin = end + 1;
      if (!entry.starts_with("gres/") && !entry.starts_with("license/")) continue;
      std::uint64_t amount = 0;
      const char* const from = entry.data() + std::min(equals + 1, entry.size());
      std::from_chars(from, entry.data() + entry.size(), amount);
      auto& column = amounts[std::string(entry.substr(0, equals))];
      column.resize(sets.size());
      column[code] = amount;
    }
  }
  return amounts;
}

std::string column_name(const std::string& tres) {
  std::string name = "held_" + tres;
  std::replace_if(
      name.begin(), name.end(),
      [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
      },
      '_');
  return name;
}

}  // namespace

std::vector<DerivedColumn> derived_columns(const Result& result) {
  const RunColumns& r = result.runs;
  std::vector<std::int64_t> wait(r.size(), kNoTime);
  std::vector<std::int64_t> eligible(r.size(), kNoTime);
  std::vector<double> gpus(r.size());
  for (std::size_t row = 0; row < r.size(); ++row) {
    gpus[row] = static_cast<double>(r.gpu_milli[row]) / 1000;
    if (r.start[row] == kNoTime) continue;
    wait[row] = r.start[row] - r.submit[row];
    if (r.eligible[row] != kNoTime) eligible[row] = r.start[row] - r.eligible[row];
  }
  std::vector<DerivedColumn> columns;
  columns.push_back({"wait", "s", "wait from submission to start", std::move(wait), true});
  columns.push_back(
      {"wait_eligible", "s", "wait from eligibility to start", std::move(eligible), true});
  columns.push_back(
      {"gpus", "1", "GPUs held; a share of a device in part", std::move(gpus), false});
  add_speed_columns(result, columns);
  for (const auto& [tres, by_code] : amounts_of(result.names.tres_set)) {
    std::vector<std::uint64_t> held(r.size());
    for (std::size_t row = 0; row < r.size(); ++row) held[row] = by_code[r.held_tres[row]];
    columns.push_back({column_name(tres), "1", tres + " held", std::move(held), false});
  }
  return columns;
}

std::vector<std::size_t> refused_without_a_row(const Result& result) {
  std::set<std::uint32_t> ids(result.runs.job_id.begin(), result.runs.job_id.end());
  ids.insert(result.runs.array_job.begin(), result.runs.array_job.end());
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < result.rejections.size(); ++i) {
    if (!ids.contains(result.rejections.job_id[i])) rows.push_back(i);
  }
  return rows;
}

}  // namespace rehearse
