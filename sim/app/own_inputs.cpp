// sim/app/own_inputs.cpp — outputs against inputs, as the filesystem tells files apart.
#include "sim/app/own_inputs.hpp"

#include <fmt/format.h>

#include <string>
#include <system_error>
#include <utility>

#include "sim/config/gres_conf.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/controller/later_files.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

/// Files of a site folder that no other list names.
constexpr const char* kFixedNames[] = {"assoc.dump", "assoc.txt",       "qos.txt",
                                       "sdiag.txt",  "meta.json",       "slurmctld.log",
                                       "snapshot",   "slurmctld.log.xz"};

using Sources = std::vector<std::pair<std::string, std::string>>;

void add_sources(const Sources& sources, std::vector<fs::path>& files) {
  for (const auto& [file, text] : sources) files.emplace_back(file);
}

}  // namespace

std::vector<fs::path> files_behind(const fs::path& named) {
  std::error_code none;
  std::vector<fs::path> files;
  if (!fs::exists(named, none)) return files;
  if (!fs::is_directory(named, none)) files.push_back(named);
  if (!fs::is_directory(named, none) && named.extension() != ".yaml") return files;
  Diagnostics told_later;  // by the verb, which reads them for good
  try {
    const SiteFolder site = open_site(named, told_later);
    for (const fs::path& each :
         {site.slurm_conf, site.gres_conf, site.topology_conf, site.cgroup_conf}) {
      files.push_back(each);
    }
    for (const auto& each : {site.jobs, site.usage, site.events, site.node_events, site.runtimes,
                             site.site_yaml, site.reservations}) {
      if (each) files.push_back(*each);
    }
    for (const char* name : kFixedNames) files.push_back(site.root / name);
    add_sources(site.sources, files);
    add_sources(read_slurm_conf(site.slurm_conf, {}, told_later).sources, files);
    for (const fs::path& later : later_files(site)) {
      if (!fs::is_regular_file(later, none)) continue;
      files.push_back(later);
      add_sources(read_slurm_conf(later, {}, told_later).sources, files);
    }
    add_sources(read_gres_conf(site.gres_conf, told_later).sources, files);
  } catch (const InputError&) {  // a .yaml of another kind, or a broken site: so far as it was read
  }
  return files;
}

std::optional<Exit> refuse_own_inputs(const Verb& verb) {
  const Verb::Files named = verb.files();
  std::vector<fs::path> inputs;
  for (const std::string& output : named.writes) {
    std::error_code none;
    if (output.empty() || output == "-" || !fs::is_regular_file(output, none)) continue;
    if (inputs.empty()) {
      for (const std::string& read : named.reads) {
        const std::vector<fs::path> behind = files_behind(read);
        inputs.insert(inputs.end(), behind.begin(), behind.end());
      }
    }
    for (const fs::path& input : inputs) {
      if (!fs::equivalent(output, input, none) || none) continue;
      return usage_error(
          verb.name(),
          fmt::format("{} is an input of this command, and would be written over", output),
          "name another file to write");
    }
  }
  return std::nullopt;
}

}  // namespace rehearse
