// sim/study/comparison/side.cpp — reads, or loads and runs.
#include "sim/study/comparison/side.hpp"

#include <system_error>
#include <utility>

namespace rehearse {

bool is_result_file(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) &&
         (is_hdf5(path) || path.extension() == ".h5");
}

Side load_side(const SideRequest& request, const ProgramVersion& program, const Watcher& watcher,
               const std::atomic<bool>* interrupted, Diagnostics& found) {
  Side side;
  side.label = request.label;
  if (is_result_file(request.path)) {
    ResultFile file = read_result(request.path);
    side.result = std::move(file.result);
    side.kpis = std::move(file.kpis);
    side.provenance = std::move(file.provenance);
    return side;
  }
  const auto site = load_site(request.path, request.options, found);
  if (!site->has_jobs) {
    throw InputError({site->folder.root.string(), 0, 0}, "there are no jobs to run",
                     "put sacct.txt into the folder, or name a file: --jobs FILE");
  }
  side.provenance = provenance_of(*site, request.options, program, request.label);
  const std::unique_ptr<Observer> watching = watcher ? watcher(*site) : nullptr;
  std::vector<Observer*> others;
  if (watching) others.push_back(watching.get());
  Simulation done = simulate(*site, others, interrupted);
  if (!done.refused_commands.empty()) {
    found.warning({site->folder.root.string(), 0, 0}, done.refused_commands,
                  "rehearse run SITE --trace prints each");
  }
  side.result = std::move(done.result);
  side.kpis = compute_kpis(side.result);
  return side;
}

}  // namespace rehearse
