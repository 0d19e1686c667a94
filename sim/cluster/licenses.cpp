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

std::span<const LicenseRequest> licenses_of(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request_of(job);
  const std::span<const LicenseRequest> all = request.licenses;
  if (!request.any_license || all.empty()) return all;
  return all.subspan(std::min<std::size_t>(job.license_choice, all.size() - 1), 1);
}

bool licenses_exist(const Cluster& cluster, const Job& job) {
  const Request& request = cluster.request_of(job);
  if (request.any_license && !has(cluster.inputs.site.slurm_version, Change::LicensesWithOr)) {
    return false;
  }
  return std::all_of(request.licenses.begin(), request.licenses.end(),
                     [&](const LicenseRequest& each) {
                       const auto at = license_position(cluster, each.name);
                       return at && each.count <= cluster.licenses_total[*at];
                     });
}

namespace {

bool is_free(const Cluster& cluster, const LicenseRequest& wanted,
             std::span<const std::uint32_t> reserved) {
  const auto at = license_position(cluster, wanted.name);
  if (!at) return false;
  const std::uint32_t kept = reserved.empty() ? 0 : reserved[*at];
  const std::uint64_t all = std::uint64_t{cluster.licenses_used[*at]} + wanted.count + kept;
  return all <= cluster.licenses_total[*at];
}

}  // namespace

bool licenses_free(const Cluster& cluster, const Job& job, const LicenseCounts& reserved) {
  const Request& request = cluster.request_of(job);
  const auto free = [&](const LicenseRequest& each) { return is_free(cluster, each, reserved); };
  const auto begin = request.licenses.begin(), end = request.licenses.end();
  if (request.any_license) return std::any_of(begin, end, free);
  return std::all_of(begin, end, free);
}

void choose_license(const Cluster& cluster, Job& job, std::span<const std::uint32_t> reserved) {
  const Request& request = cluster.request_of(job);
  if (!request.any_license) return;
  job.license_choice = 0;
  for (std::size_t i = 0; i < request.licenses.size(); ++i) {
    if (!is_free(cluster, request.licenses[i], reserved)) continue;
    job.license_choice = static_cast<std::uint32_t>(i);
    return;
  }
}

LicenseCounts lacking_licenses(const Cluster& cluster, const Job& job,
                               std::span<const std::uint32_t> reserved) {
  LicenseCounts lacking = license_counts(cluster, licenses_of(cluster, job));
  bool some = false;
  for (std::size_t i = 0; i < lacking.size(); ++i) {
    const std::uint64_t total = cluster.licenses_total[i];
    const std::uint64_t held =
        std::uint64_t{cluster.licenses_used[i]} + (reserved.empty() ? 0 : reserved[i]);
    const std::uint64_t left = total - std::min(total, held);
    lacking[i] -= static_cast<std::uint32_t>(std::min<std::uint64_t>(lacking[i], left));
    some = some || lacking[i] > 0;
  }
  if (!some) lacking.clear();
  return lacking;
}

void take_licenses(Cluster& cluster, const Job& job) {
  for (const LicenseRequest& wanted : licenses_of(cluster, job)) {
    if (const auto at = license_position(cluster, wanted.name)) {
      cluster.licenses_used[*at] += wanted.count;
    }
  }
}

void give_back_licenses(Cluster& cluster, const Job& job) {
  for (const LicenseRequest& held : licenses_of(cluster, job)) {
    if (const auto at = license_position(cluster, held.name)) {
      cluster.licenses_used[*at] -= held.count;
    }
  }
}

}  // namespace rehearse
