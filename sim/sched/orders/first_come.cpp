// sim/sched/orders/first_come.cpp — all are equal: who came first goes first.
#include "sim/sched/orders/rule.hpp"

namespace rehearse {

double first_come(const OrderedJob& /*job*/) {
  return 0;
}

}  // namespace rehearse
