// sim/controller/later_files.hpp — which files come in the place of slurm.conf while a cluster
// runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/site_conf.hpp"

namespace rehearse {

/// FILE of the words `slurm.conf FILE`; empty: lines are edited, or it is another command.
[[nodiscard]] std::string later_file(const std::vector<std::string>& words);

/// The files of such rows of events.csv, each once, whether they are there or not.
[[nodiscard]] std::vector<std::filesystem::path> later_files(const SiteFolder& folder);

}  // namespace rehearse
