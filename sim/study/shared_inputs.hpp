// sim/study/shared_inputs.hpp — what a site takes over from another that has read the same files.
//
// Many runs of one study read one trace: it is in memory once, and each site knows names and
// requests by the ids that the jobs have.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/study/load_site.hpp"

namespace rehearse {

[[nodiscard]] std::map<std::string, std::uint32_t, std::less<>> cpus_by_name(const SlurmConf& conf);

/// True if `loaded` would read from its files just the jobs that `reader` has read.
[[nodiscard]] bool reads_the_same(const LoadedSite& loaded, const LoadedSite& reader);

/// Names and requests under the ids that the jobs of `reader` know them by.
void take_jobs_of(const LoadedSite& reader, LoadedSite& loaded);

/// The GPU catalogue of a reader with the same files of models, else read anew, which takes longer
/// than all else of a small site.
void take_catalogue_or_read(const std::vector<const LoadedSite*>& readers, LoadedSite& loaded,
                            Diagnostics& found);

}  // namespace rehearse
