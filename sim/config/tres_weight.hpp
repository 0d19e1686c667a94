// sim/config/tres_weight.hpp — a weight of a TRES, as partitions bill and priorities count.
#pragma once

#include <string>

namespace rehearse {

/// `name=weight` pairs of TRESBillingWeights or PriorityWeightTRES, per base unit (MiB for memory).
struct TresWeight {
  std::string tres;  ///< lower-case TRES name: "cpu", "mem", "gres/gpu:a100"
  double weight = 0;
};

}  // namespace rehearse
