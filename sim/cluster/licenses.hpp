// sim/cluster/licenses.hpp — the cluster's licences: how many, in whose hands (scheduling.md §10).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// By position in SlurmConf::licenses. Empty: licences are not asked about.
using LicenseCounts = std::vector<std::uint32_t>;

/// Where a licence stands in SlurmConf::licenses; none: the cluster has no such.
[[nodiscard]] std::optional<std::size_t> license_position(const Cluster& cluster, NameId name);

/// What is asked for, by position; a name that the cluster does not have is left out.
[[nodiscard]] LicenseCounts license_counts(const Cluster& cluster,
                                           std::span<const LicenseRequest> wanted);

/// True if the cluster has the licences that the job asks for, free or not.
[[nodiscard]] bool licenses_exist(const Cluster& cluster, const Job& job);

/// True if every licence that the job asks for is free. `reserved`: what reservations keep from it.
[[nodiscard]] bool licenses_free(const Cluster& cluster, const Job& job,
                                 const LicenseCounts& reserved);

void take_licenses(Cluster& cluster, const Job& job);
void give_back_licenses(Cluster& cluster, const Job& job);

}  // namespace rehearse
