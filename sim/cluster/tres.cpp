// sim/cluster/tres.cpp — the TRES table and the two orders in which Slurm prints amounts.
#include "sim/cluster/tres.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::array<std::string_view, 8> kAlways = {"cpu",     "mem",     "energy", "node",
                                                     "billing", "fs/disk", "vmem",   "pages"};

/// `GRES/gpu:A100` → `gres/gpu:A100`: Slurm compares without case; the type keeps its spelling.
std::string canonical(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return to_lower(name);
  return to_lower(name.substr(0, slash)) + std::string(name.substr(slash));
}

std::string entry(const TresTable& table, TresIndex tres, std::uint64_t amount) {
  const std::string& name = table.name(tres);
  const bool is_memory = tres == TresTable::kMem || name.starts_with("bb/");
  return fmt::format("{}={}", name,
                     is_memory ? format_memory_mib(amount) : fmt::format("{}", amount));
}

std::vector<std::string> entries(const TresTable& table, const TresVector& amounts) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] > 0) list.push_back(entry(table, id_at<TresIndex>(i), amounts[i]));
  }
  return list;
}

}  // namespace

TresTable::TresTable(const std::vector<std::string>& accounting_storage_tres)
    : names_(kAlways.begin(), kAlways.end()) {
  for (const std::string& name : accounting_storage_tres) {
    if (!name.empty() && !find(name)) names_.push_back(canonical(name));
  }
}

std::optional<TresIndex> TresTable::find(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (equals_ignoring_case(names_[i], name)) return id_at<TresIndex>(i);
  }
  return std::nullopt;
}

std::string format_tres_sacct(const TresTable& table, const TresVector& amounts) {
  std::vector<std::string> list = entries(table, amounts);
  std::sort(list.begin(), list.end());  // by the whole text (limits.md §11.1)
  return fmt::format("{}", fmt::join(list, ","));
}

std::string format_tres_scontrol(const TresTable& table, const TresVector& amounts) {
  return fmt::format("{}", fmt::join(entries(table, amounts), ","));
}

}  // namespace rehearse
