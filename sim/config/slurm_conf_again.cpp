// sim/config/slurm_conf_again.cpp — Includes are read anew, relative to the main file.
#include "sim/config/slurm_conf_again.hpp"

#include <filesystem>

namespace rehearse {

SlurmConf read_again(const SlurmConf& conf, const std::vector<std::string>& changes,
                     SlurmVersion version, Diagnostics& found) {
  const auto& [file, text] = conf.sources.front();
  return parse_slurm_conf(text, file, std::filesystem::path(file).parent_path(), changes, found,
                          version);
}

}  // namespace rehearse
