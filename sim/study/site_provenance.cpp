// sim/study/site_provenance.cpp — the inputs of a run by role and name, each hashed once.
#include "sim/study/site_provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "sim/output/sha256.hpp"

namespace rehearse {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Without its text: jobs may fill gigabytes.
InputFile hashed(std::string role, std::string name, const std::filesystem::path& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  std::ifstream file(path, std::ios::binary);
  std::string piece(kPiece, '\0');
  Sha256 sum;
  std::uint64_t bytes = 0;
  do {
    file.read(piece.data(), static_cast<std::streamsize>(kPiece));
    const auto taken = static_cast<std::size_t>(file.gcount());
    sum.add(std::string_view(piece).substr(0, taken));
    bytes += taken;
  } while (file);
  return {std::move(role), std::move(name), sum.finish(), bytes, {}};
}

/// A path as it stands inside the site, where it does.
std::string name_in(const std::filesystem::path& root, const std::filesystem::path& path) {
  const auto relative = path.lexically_relative(root);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return inside ? relative.generic_string() : path.filename().generic_string();
}

class Inputs {
 public:
  explicit Inputs(const std::filesystem::path& root) : root_(root) {}

  void add_texts(std::string_view role,
                 const std::vector<std::pair<std::string, std::string>>& sources) {
    for (const auto& [file, text] : sources) {
      const std::string name = name_in(root_, file);
      add(make_input(role.empty() ? name : std::string(role), name, text));
    }
  }

  enum class Text : std::uint8_t { Kept, HashOnly };
  void add_file(std::string_view role, const std::optional<std::filesystem::path>& path,
                Text text) {
    if (!path || !std::filesystem::is_regular_file(*path)) return;  // `-` cannot be read again
    const std::string name = name_in(root_, *path);
    if (text == Text::Kept) {
      add(make_input(std::string(role), name, bytes_of(*path)));
    } else {
      add(hashed(std::string(role), name, *path));
    }
  }

  [[nodiscard]] std::vector<InputFile> take() { return std::move(all_); }

 private:
  /// A file that is included twice stands once; files of one name, from outside, get a number.
  void add(InputFile input) {
    const std::string name = input.name;
    for (std::size_t number = 2;; ++number) {
      const auto same = std::find_if(all_.begin(), all_.end(), [&](const InputFile& each) {
        return each.role == input.role && each.name == input.name;
      });
      if (same == all_.end()) break;
      if (same->sha256 == input.sha256) return;
      input.name = fmt::format("{} ({})", name, number);
    }
    all_.push_back(std::move(input));
  }

  std::filesystem::path root_;
  std::vector<InputFile> all_;
};

}  // namespace

Provenance provenance_of(const LoadedSite& site, const LoadOptions& options,
                         const ProgramVersion& program, std::string command) {
  Provenance made;
  made.version = program.release;
  made.commit = program.commit;
  made.command_line = std::move(command);
  made.slurm_version = to_text(site.inputs.site.slurm_version);
  made.seeds = {{"seed", site.inputs.site.seed}};
  made.configuration =
      configuration_json(site.inputs.slurm_conf, site.inputs.site, context_of(site));

  Inputs inputs(site.folder.root);
  inputs.add_texts("slurm.conf", site.inputs.slurm_conf.sources);
  inputs.add_texts("gres.conf", site.inputs.gres_conf.sources);
  inputs.add_file("topology.conf", site.folder.topology_conf, Inputs::Text::Kept);
  inputs.add_texts("", site.inputs.accounting.sources);
  inputs.add_texts("", site.folder.sources);
  inputs.add_texts("gpu_models", site.gpu_catalogue->sources());
  inputs.add_file("usage", site.folder.usage, Inputs::Text::Kept);
  if (site.inputs.site.controller.costs_from_sdiag) {
    inputs.add_file("sdiag", site.folder.root / "sdiag.txt", Inputs::Text::Kept);
  }
  inputs.add_file("events", site.folder.events, Inputs::Text::Kept);
  for (const AdminCommandAt& each : site.commands) {
    const SlurmConf* file = conf_read_by(each.action);
    if (file != nullptr) inputs.add_texts("slurm.conf", file->sources);
  }
  inputs.add_file("reservations", site.folder.reservations, Inputs::Text::Kept);
  inputs.add_file("node_events", site.folder.node_events, Inputs::Text::Kept);
  if (site.start && site.start->is_snapshot) {
    for (const char* name : {"taken.txt", "squeue.txt", "nodes.txt"}) {
      const std::filesystem::path path = site.folder.root / "snapshot" / name;
      inputs.add_file(std::string("snapshot/") + name, path, Inputs::Text::Kept);
    }
  }
  inputs.add_file("runtimes", site.folder.runtimes, Inputs::Text::HashOnly);
  inputs.add_file("jobs", options.jobs ? options.jobs : site.folder.jobs, Inputs::Text::HashOnly);
  made.inputs = inputs.take();
  return made;
}

}  // namespace rehearse
