// sim/output/kpi/asked_gpus.cpp — by the ReqTRES of the job, and the Gres= of nodes.
#include "sim/output/kpi/asked_gpus.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

std::uint64_t number_in(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// What a unit is of a GPU, by the mean over the nodes that have such.
double milli_of_one(const ClusterFacts& cluster, std::string_view kind) {
  double milli = 0, units = 0;
  for (const NodeFacts& node : cluster.nodes) {
    const std::uint64_t own = units_of(node.gres, kind);
    if (own > 0) milli += node.gpu_milli;
    units += static_cast<double>(own);
  }
  return units > 0 ? milli / units : 0;
}

}  // namespace

std::uint64_t asked_units(std::string_view tres, std::string_view kind) {
  std::uint64_t typed = 0;
  for (const text::Piece& each : text::split_at(tres, ',')) {
    std::string_view word = each.text;
    const std::string head = "gres/" + std::string(kind);
    if (!word.starts_with(head)) continue;
    word.remove_prefix(head.size());
    const std::size_t equals = word.find('=');
    if (equals == word.npos) continue;
    const std::uint64_t amount = number_in(word.substr(equals + 1));
    if (equals == 0) return amount;
    if (word.front() == ':') typed += amount;
  }
  return typed;
}

std::uint64_t units_of(std::string_view gres, std::string_view kind) {
  std::uint64_t units = 0;
  for (const text::Piece& each : text::split_at(gres, ',')) {
    const std::string_view word = each.text.substr(0, each.text.find('('));
    const std::size_t name = word.find(':');
    if (name == word.npos || word.substr(0, name) != kind) continue;
    units += number_in(word.substr(word.rfind(':') + 1));
  }
  return units;
}

AskedGpus::AskedGpus(const Result& result)
    : result_(result), by_tres_(result.names.tres_set.size()) {
  for (const std::string_view kind : {"shard", "mps"}) {
    const double each = milli_of_one(result.cluster, kind);
    for (std::uint32_t code = 0; code < by_tres_.size(); ++code) {
      const std::uint64_t units = asked_units(text_of(result.names.tres_set, code), kind);
      if (units == 0) continue;
      Shared& own = by_tres_[code];
      if (own.kind.empty()) own.kind = kind;
      own.milli = std::max(
          own.milli, static_cast<std::uint32_t>(std::ceil(static_cast<double>(units) * each)));
    }
  }
}

std::string_view AskedGpus::shares(std::size_t row) const {
  return result_.runs.requested_gpus[row] > 0 ? std::string_view() : shared(row).kind;
}

std::uint32_t AskedGpus::milli(std::size_t row) const {
  const std::uint32_t whole = result_.runs.requested_gpus[row];
  return whole > 0 ? whole * 1000 : shared(row).milli;
}

std::uint64_t gpu_count(const Result& result, std::size_t row) {
  const RunColumns& runs = result.runs;
  if (runs.start[row] != kNoTime) return (std::uint64_t{runs.gpu_milli[row]} + 999) / 1000;
  if (runs.requested_gpus[row] > 0) return runs.requested_gpus[row];
  const std::string& tres = text_of(result.names.tres_set, runs.requested_tres[row]);
  if (tres.find("gres/") == tres.npos) return 0;
  return (std::uint64_t{AskedGpus(result).milli(row)} + 999) / 1000;
}

}  // namespace rehearse
