// sim/controller/later_files.cpp — rows `slurm.conf FILE`, before there is a cluster to read them.
#include "sim/controller/later_files.hpp"

#include <set>

#include "sim/controller/command_text.hpp"

namespace rehearse {

std::string later_file(const std::vector<std::string>& words) {
  if (words.size() != 2 || words[0] != "slurm.conf") return {};
  return words[1].find('=') == std::string::npos ? words[1] : std::string{};
}

std::vector<std::filesystem::path> later_files(const SiteFolder& folder) {
  std::vector<std::filesystem::path> files;
  if (!folder.events) return files;
  Diagnostics told;  // by load_site()
  std::set<std::string> seen;
  for (const AdminCommand& line : read_admin_events(*folder.events, told)) {
    const std::string name = later_file(split_words(line.command));
    if (name.empty() || !seen.insert(name).second) continue;
    files.push_back(folder.slurm_conf.parent_path() / name);
  }
  return files;
}

}  // namespace rehearse
