// sim/cluster/licenses.cpp — counts beside SlurmConf::licenses.
#include "sim/cluster/licenses.hpp"

#include <algorithm>

namespace rehearse {

std::optional<std::size_t> license_position(const Cluster& cluster, NameId name) {
  const std::string& text = cluster.names.text(name);
  const auto& all = cluster.conf.licenses;
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const LicenseConf& known) { return known.name == text; });
  if (at == all.end()) return std::nullopt;
  return static_cast<std::size_t>(at - all.begin());
}

LicenseCounts license_counts(const Cluster& cluster, std::span<const LicenseRequest> wanted) {
  LicenseCounts counts(cluster.conf.licenses.size(), 0);
  for (const LicenseRequest& each : wanted) {
    if (const auto at = license_position(cluster, each.name)) counts[*at] += each.count;
  }
  return counts;
}

bool licenses_exist(const Cluster& cluster, const Job& job) {
  const std::vector<LicenseRequest>& wanted = cluster.request_of(job).licenses;
  return std::all_of(wanted.begin(), wanted.end(), [&](const LicenseRequest& each) {
    const auto at = license_position(cluster, each.name);
    return at && each.count <= cluster.licenses_total[*at];
  });
}

bool licenses_free(const Cluster& cluster, const Job& job, const LicenseCounts& reserved) {
  for (const LicenseRequest& wanted : cluster.request_of(job).licenses) {
    const auto at = license_position(cluster, wanted.name);
    if (!at) return false;
    const std::uint64_t all =
        std::uint64_t{cluster.licenses_used[*at]} + wanted.count + reserved[*at];
    if (all > cluster.licenses_total[*at]) return false;
  }
  return true;
}

void take_licenses(Cluster& cluster, const Job& job) {
  for (const LicenseRequest& wanted : cluster.request_of(job).licenses) {
    if (const auto at = license_position(cluster, wanted.name)) {
      cluster.licenses_used[*at] += wanted.count;
    }
  }
}

void give_back_licenses(Cluster& cluster, const Job& job) {
  for (const LicenseRequest& held : cluster.request_of(job).licenses) {
    if (const auto at = license_position(cluster, held.name)) {
      cluster.licenses_used[*at] -= held.count;
    }
  }
}

}  // namespace rehearse
