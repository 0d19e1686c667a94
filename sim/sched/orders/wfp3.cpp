// sim/sched/orders/wfp3.cpp — who has waited long against its limit, and is large, goes first.
//
// WFP3: (wait / limit)³ × size (Tang, Lan, Desai, Buettner: "Fault-aware, utility-based job
// scheduling on Blue Gene/P systems", CLUSTER 2009). Size: processors there, GPUs here where it
// asks for some.
#include "sim/sched/orders/rule.hpp"

namespace rehearse {

double wfp3(const OrderedJob& job) {
  const double part = job.waited / job.limit;
  return part * part * part * (job.gpus > 0 ? job.gpus : job.cpus);
}

}  // namespace rehearse
