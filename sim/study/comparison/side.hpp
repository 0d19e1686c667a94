// sim/study/comparison/side.hpp — one side of a comparison: a result file as it is, or a site that
// is run now.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/controller/observer.hpp"
#include "sim/study/comparison/comparison.hpp"
#include "sim/study/load_site.hpp"
#include "sim/study/simulate.hpp"
#include "sim/study/site_provenance.hpp"

namespace rehearse {

struct SideRequest {
  std::filesystem::path path;  ///< a site folder, a scenario .yaml, or a result file
  LoadOptions options;         ///< of a site
  std::string label;
};

/// True if it is a file that can only be read: options of a site mean nothing to it.
[[nodiscard]] bool is_result_file(const std::filesystem::path& path);

/// Who watches a run of that site; null: nobody.
using Watcher = std::function<std::unique_ptr<Observer>(const LoadedSite& site)>;

/// Throws InputError; warnings are left in `found`.
[[nodiscard]] Side load_side(const SideRequest& request, const ProgramVersion& program,
                             const Watcher& watcher, const std::atomic<bool>* interrupted,
                             Diagnostics& found);

}  // namespace rehearse
