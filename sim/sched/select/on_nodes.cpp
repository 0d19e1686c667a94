// sim/sched/select/on_nodes.cpp — every field of a question but its candidates.
#include "sim/sched/select/on_nodes.hpp"

namespace rehearse {

PlacementQuery on_nodes(const PlacementQuery& query, const NodeSet& candidates) {
  return {.job = query.job,
          .request = query.request,
          .partition = query.partition,
          .ledger = query.ledger,
          .outline = query.outline,
          .candidates = candidates,
          .min_nodes = query.min_nodes,
          .max_nodes = query.max_nodes,
          .req_nodes = query.req_nodes,
          .ignore_use = query.ignore_use,
          .future = query.future,
          .on_copy = query.on_copy,
          .first = query.first,
          .all_weights = query.all_weights,
          .reserved_cores = query.reserved_cores,
          .preferred = query.preferred,
          .without_jobs = query.without_jobs,
          .tested = query.tested,
          .weights = query.weights,
          .extra_row = query.extra_row,
          .refused_cpus = query.refused_cpus,
          .lacks_cores = query.lacks_cores};
}

}  // namespace rehearse
