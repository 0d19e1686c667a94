// sim/sched/gres_tres.hpp — which TRES units of a GRES count for (limits.md §2).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/cluster/ids.hpp"

namespace rehearse {

/// A `gres/NAME[:TYPE]` of the TRES table.
struct GresTres {
  std::string name, type;
  std::size_t tres = 0;
};

/// Those that count units of one kind of GRES, which names are compared for once.
struct CountedGres {
  NameId name, type;
  std::vector<std::size_t> tres;
};

}  // namespace rehearse
