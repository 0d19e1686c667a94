// sim/study/shared_inputs.cpp — when two sites read the same, and what the second then takes.
#include "sim/study/shared_inputs.hpp"

#include <algorithm>
#include <optional>

namespace rehearse {

std::map<std::string, std::uint32_t, std::less<>> cpus_by_name(const SlurmConf& conf) {
  std::map<std::string, std::uint32_t, std::less<>> cpus;
  for (const NodeConf& node : conf.nodes) cpus.emplace(node.name, node.cpus);
  return cpus;
}

bool reads_the_same(const LoadedSite& loaded, const LoadedSite& reader) {
  if (!loaded.has_jobs || !reader.has_jobs || reader.jobs_of != nullptr) return false;
  const bool same = loaded.jobs_path == reader.jobs_path && *loaded.jobs_path != "-" &&
                    loaded.folder.root == reader.folder.root &&
                    loaded.sacct.time_zone == reader.sacct.time_zone &&
                    loaded.sacct.cluster == reader.sacct.cluster &&
                    loaded.sacct.from == reader.sacct.from && loaded.sacct.to == reader.sacct.to &&
                    loaded.user_change == reader.user_change;
  if (!same) return false;
  const auto cpus = cpus_by_name(loaded.inputs.slurm_conf);
  return std::all_of(reader.cpus_asked.begin(), reader.cpus_asked.end(), [&](const auto& asked) {
    const auto at = cpus.find(asked.first);
    return asked.second == (at == cpus.end() ? std::nullopt : std::optional(at->second));
  });
}

void take_jobs_of(const LoadedSite& reader, LoadedSite& loaded) {
  loaded.jobs_of = &reader;
  loaded.users = reader.users;
  for (std::size_t i = 1; i < reader.names.size(); ++i) {
    (void)loaded.names.intern(reader.names.text(id_at<NameId>(i)));
  }
  for (std::size_t i = 0; i < reader.requests.size(); ++i) {
    (void)loaded.requests.intern(reader.requests[id_at<RequestId>(i)]);
  }
}

void take_catalogue_or_read(const std::vector<const LoadedSite*>& readers, LoadedSite& loaded,
                            Diagnostics& found) {
  const GpuConf& own = loaded.inputs.site.gpu;
  for (const LoadedSite* reader : readers) {
    if (reader->inputs.site.gpu.models != own.models) continue;
    loaded.gpu_catalogue = reader->gpu_catalogue;
    return;
  }
  loaded.gpu_catalogue.emplace(own, found);
}

}  // namespace rehearse
