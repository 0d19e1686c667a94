// sim/cluster/license_text.hpp — `matlab:2,comsol` or `matlab|comsol`: the licences that a job asks
// for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/request.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

struct LicenseList {
  std::vector<LicenseRequest> licenses;
  bool any = false;   ///< one of them will do
  std::string wrong;  ///< the count that is none; empty: all were read
};

/// Names with `:count` or `=count` (none: 1), parted by commas or semicolons, or by `|` alone: then
/// one of them will do. Both together exclude each other (scheduling.md §10): such an entry keeps
/// its
/// `|` and is the name of no licence. A name given twice stands twice. Entries without a name are
/// skipped, as Slurm does.
[[nodiscard]] LicenseList parse_licenses(std::string_view text, NamePool& names);

}  // namespace rehearse
