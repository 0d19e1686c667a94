// sim/cluster/license_text.hpp — `matlab:2,comsol`: the licences that a job asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/request.hpp"
#include "sim/core/name_pool.hpp"

namespace rehearse {

struct LicenseList {
  std::vector<LicenseRequest> licenses;
  std::string wrong;  ///< the count that is none; empty: all were read
};

/// Names with `:count` or `=count` (none: 1), parted by commas or semicolons. A name given twice
/// stands twice. Entries without a name are skipped, as Slurm does.
[[nodiscard]] LicenseList parse_licenses(std::string_view text, NamePool& names);

}  // namespace rehearse
