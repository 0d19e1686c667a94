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

/// The licences that a job holds, or would: of `-L a|b` the one of its choice.
[[nodiscard]] std::span<const LicenseRequest> licenses_of(const Cluster& cluster, const Job& job);

/// True if the cluster has the licences that the job asks for, free or not.
[[nodiscard]] bool licenses_exist(const Cluster& cluster, const Job& job);

/// True if every licence that the job asks for is free, of `-L a|b` one. `reserved`: what
/// reservations keep from it.
[[nodiscard]] bool licenses_free(const Cluster& cluster, const Job& job,
                                 const LicenseCounts& reserved);

/// Of `-L a|b` the first that is free becomes the job's choice. `reserved` may be empty: nothing.
void choose_license(const Cluster& cluster, Job& job, std::span<const std::uint32_t> reserved);

/// How many of which are not free; empty: none is lacking. `reserved` may be empty: nothing.
[[nodiscard]] LicenseCounts lacking_licenses(const Cluster& cluster, const Job& job,
                                             std::span<const std::uint32_t> reserved);

void take_licenses(Cluster& cluster, const Job& job);
void give_back_licenses(Cluster& cluster, const Job& job);

}  // namespace rehearse
