// sim/config/site_conf.cpp — opens a site: a folder, or a scenario that names one and changes it.
#include "sim/config/site_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include "sim/config/site_keys.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

namespace fs = std::filesystem;

// A scenario may change a scenario; more than this is a circle.
constexpr int kDeepestScenario = 8;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// True for a file. Something else of that name (a folder, a pipe, a link to nothing) is an error,
/// not an absence.
bool is_file_there(const fs::path& path, Diagnostics& found) {
  if (is_file(path)) return true;
  std::error_code ignored;
  const fs::file_status self = fs::symlink_status(path, ignored);
  if (!fs::exists(self)) return false;
  const fs::file_status target = fs::status(path, ignored);
  found.error({path.string()}, !fs::exists(target)        ? "is a link to nothing"
                               : fs::is_directory(target) ? "is a folder, not a file"
                                                          : "is not a regular file");
  return false;
}

bool is_yaml(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

/// Names in a folder, in order; hidden ones are left out.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.')) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ", ", shortened(names[i]));
  }
  if (names.size() > kMost) list += fmt::format(" and {} more", names.size() - kMost);
  return names.empty() ? "nothing" : list;
}

/// What a file that is no site probably is, by its first bytes and its name.
std::string kind_of(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return "no regular file";  // a pipe may never say a word
  std::array<char, 256> bytes{};
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::string_view head(bytes.data(), static_cast<std::size_t>(stream.gcount()));
  const std::string name = path.filename().string();
  if (head.starts_with("\x89HDF\r\n\x1A\n")) return "a result file (HDF5)";
  if (head.starts_with("SQLite format 3")) return "a study registry (SQLite)";
  if (head.starts_with("\x1F\x8B") ||
      head.starts_with("\xFD"
                       "7zXZ") ||
      head.starts_with("\x28\xB5\x2F\xFD") || head.starts_with("BZh")) {
    return "a compressed file";
  }
  if (name == "slurm.conf") return "a slurm.conf";
  if (head.starts_with("JobID") || head.find("|JobID") != head.npos)
    return "a list of jobs (sacct)";
  if (head.starts_with("; ") || path.extension() == ".swf") return "a list of jobs (SWF)";
  if (head.starts_with("{")) return "a JSON file";
  return "a file";
}

void choose_jobs(SiteFolder& site, Diagnostics& found) {
  std::vector<fs::path> there;
  for (const char* base : {"sacct.txt", "sacct.json", "jobs.swf"}) {
    for (const char* suffix : {"", ".gz", ".xz", ".zst", ".bz2"}) {
      const fs::path path = site.root / (std::string(base) + suffix);
      if (is_file_there(path, found)) there.push_back(path);
    }
  }
  if (there.empty()) return;
  site.jobs = there.front();
  for (std::size_t i = 1; i < there.size(); ++i) {
    found.warning({there[i].string()},
                  fmt::format("is not read: the jobs come from {}", there[0].filename().string()),
                  "keep one of them, or choose with --jobs");
  }
}

void read_site_yaml(SiteFolder& site, Diagnostics& found) {
  const auto text = text::read_file(*site.site_yaml, found);
  if (!text) return;
  site.sources.emplace_back(site.site_yaml->filename().string(), *text);
  const ConfigValue value = parse_yaml(*text, site.site_yaml->string(), found);
  ConfigNode node(value, "", found);
  read_site_keys(node, site.conf);
  node.finish();
}

/// Files that bear nearly the name of one that is read, and is not there: `reservation.txt`.
void tell_near_misses(const fs::path& root, Diagnostics& found) {
  constexpr std::string_view kRead[] = {
      "slurm.conf", "gres.conf",    "topology.conf", "cgroup.conf",      "assoc.dump",
      "assoc.txt",  "qos.txt",      "usage.txt",     "reservations.txt", "node_events.txt",
      "events.csv", "runtimes.csv", "sdiag.txt",     "sacct.txt",        "sacct.json",
      "jobs.swf",   "site.yaml"};
  const std::vector<std::string> names = names_in(root);
  const auto is_there = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string_view> absent;
  std::copy_if(std::begin(kRead), std::end(kRead), std::back_inserter(absent),
               [&](std::string_view name) { return !is_there(name); });
  for (const std::string& name : names) {
    const bool known = std::any_of(std::begin(kRead), std::end(kRead), [&](std::string_view read) {
      return name == read || name.starts_with(std::string(read) + ".");  // sacct.txt.xz
    });
    if (known) continue;
    if (name == "sacctmgr.txt") {
      if (is_there("assoc.dump") || is_there("assoc.txt")) continue;
      found.warning({(root / name).string()}, "is read by record alone",
                    "accounts are those of assoc.dump: sacctmgr dump CLUSTER file=assoc.dump");
      continue;
    }
    const std::string hint = did_you_mean(name, absent);
    if (!hint.empty()) found.warning({(root / name).string()}, "is not read", hint);
  }
}

SiteFolder open_folder(const fs::path& root, Diagnostics& found) {
  SiteFolder site;
  site.root = root;
  site.slurm_conf = root / "slurm.conf";
  site.gres_conf = root / "gres.conf";
  site.topology_conf = root / "topology.conf";
  site.cgroup_conf = root / "cgroup.conf";
  std::error_code ignored;
  const bool is_there = fs::exists(fs::symlink_status(site.slurm_conf, ignored));
  if (!is_file_there(site.slurm_conf, found) && !is_there) {
    found.error({root.string()}, "no slurm.conf in this folder",
                fmt::format("found: {}; a site needs the cluster's slurm.conf, unchanged",
                            list_of(names_in(root))));
  }
  choose_jobs(site, found);
  const auto if_there = [&](const char* name) -> std::optional<fs::path> {
    const fs::path path = root / name;
    if (is_file_there(path, found)) return path;
    return std::nullopt;
  };
  for (const char* name : {"gres.conf", "topology.conf", "cgroup.conf", "assoc.dump", "assoc.txt",
                           "qos.txt", "sdiag.txt"}) {
    (void)if_there(name);  // what is no file there is told; those who read it take it for absent
  }
  site.usage = if_there("usage.txt");
  site.events = if_there("events.csv");
  site.node_events = if_there("node_events.txt");
  site.runtimes = if_there("runtimes.csv");
  site.reservations = if_there("reservations.txt");
  site.site_yaml = if_there("site.yaml");
  if (!site.site_yaml && if_there("site.yml")) {
    found.error({(root / "site.yml").string()}, "is not read", "name it site.yaml");
  }
  if (site.site_yaml) read_site_yaml(site, found);
  tell_near_misses(root, found);
  return site;
}

SiteFolder open_at(const fs::path& path, int depth, Diagnostics& found);

SiteFolder open_scenario(const fs::path& path, int depth, Diagnostics& found) {
  const auto text = text::read_file(path, found);
  if (!text) return {};
  const ConfigValue value = parse_yaml(*text, path.string(), found);
  ConfigNode node(value, "", found);
  ScenarioConf scenario;
  read_scenario_keys(node, scenario, found);
  SiteFolder site;
  if (scenario.site.empty()) {
    if (!node.has("site")) {
      found.error(value.where.file.empty() ? SourcePosition{path.string()} : value.where,
                  "a scenario must name its site",
                  is_file(path.parent_path() / "slurm.conf")
                      ? "this file stands in a site: give the folder instead"
                      : "site: ../mysite");
    }
  } else if (depth >= kDeepestScenario) {
    found.error(node.where("site"), "scenarios name each other in a circle");
  } else {
    const fs::path target = (path.parent_path() / scenario.site).lexically_normal();
    std::error_code ignored;
    if (!fs::exists(target, ignored)) found.note(node.where("site"), "the site is named here");
    site = open_at(target, depth + 1, found);
  }
  read_site_keys(node, site.conf);
  node.finish();
  site.set.insert(site.set.end(), scenario.set.begin(), scenario.set.end());
  site.sources.emplace_back(path.filename().string(), *text);
  return site;
}

SiteFolder open_at(const fs::path& path, int depth, Diagnostics& found) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return open_folder(path, found);
  if (!fs::exists(path, ignored)) {
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const std::vector<std::string> names = names_in(parent);
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string nearest = did_you_mean(path.filename().string(), views);
    found.error(
        {path.string()}, "does not exist",
        nearest.empty() ? "a site is a folder with a slurm.conf, or a scenario .yaml" : nearest);
    return {};
  }
  if (is_yaml(path)) return open_scenario(path, depth, found);
  const bool is_part = is_file(path.parent_path() / "slurm.conf");
  found.error({path.string()}, fmt::format("is {}, not a site", kind_of(path)),
              is_part ? "give the folder that it is in"
                      : "a site is a folder with a slurm.conf, or a scenario .yaml");
  return {};
}

}  // namespace

SiteFolder open_site(const fs::path& site, Diagnostics& found) {
  fs::path path = site;
  if (!path.has_filename() && path.has_parent_path()) path = path.parent_path();  // "mysite/"
  return open_at(path, 0, found);
}

}  // namespace rehearse
