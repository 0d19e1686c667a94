// sim/sched/orders/shortest_first.cpp — shortest job first, by what it says of itself: its limit.
#include "sim/sched/orders/rule.hpp"

namespace rehearse {

double shortest_first(const OrderedJob& job) {
  return -job.limit;
}

}  // namespace rehearse
