// sim/study/pass_orders.hpp — the orders in which a pass and the facts of its second may have been.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/controller/forced_history.hpp"

namespace rehearse {

/// The facts whose place before or after the pass the recording does not tell.
struct OpenFacts {
  std::vector<std::size_t> ends;        ///< runs that end in the second
  std::vector<std::size_t> completing;  ///< ended runs whose nodes may be clean by now
  std::size_t submitted_min = 0;        ///< submissions that certainly came first …
  std::size_t submitted_max = 0;        ///< … and those that may have
  std::vector<std::size_t> earlier;     ///< starts that certainly came first
  std::vector<std::size_t> others;      ///< starts of another loop, all or none first
};

/// All orders, likeliest first; of more than a hundred, those that treat like facts alike.
[[nodiscard]] std::vector<PassQuestion> possible_orders(const OpenFacts& facts, StartedBy loop);

}  // namespace rehearse
