// sim/output/gpu_result_columns.hpp — every column of the result file's groups of GPUs.
#pragma once

#include "sim/output/result_columns.hpp"

namespace rehearse {

template <typename Nodes, typename Use>
void for_each_gpu_node_column(Nodes& n, Use&& use) {
  use({"node", "1", "row of /nodes", ColumnKind::Plain, "/names/node"}, n.node);
  use({"models", "1", "GPU models, as far as they are known", ColumnKind::Plain, "/names/text"},
      n.models);
  use({"physical_milli", "0.001", "physical GPUs, in thousandths"}, n.physical_milli);
  use({"offered_milli", "0.001", "of that, by SMs, in devices that jobs can have"},
      n.offered_milli);
  use({"idle_power", "mW", "drawn by all of them at rest; 0: not known"}, n.idle_mw);
}

template <typename Runs, typename Use>
void for_each_gpu_run_column(Runs& r, Use&& use) {
  use({"compute_milli", "0.001", "GPUs held by their SMs, in thousandths"}, r.compute_milli);
  use({"idle_power", "mW", "its part of what the GPUs draw at rest"}, r.idle_mw);
  use({"load_power", "mW", "what they draw above that while it runs; an assumption"}, r.load_mw);
}

template <typename Samples, typename Use>
void for_each_gpu_sample_column(Samples& s, Use&& use) {
  use({"time", "", "whole hour", ColumnKind::Instant}, s.time);
  use({"free_milli", "0.001", "free GPUs of nodes that take jobs, by SMs"}, s.free_milli);
  use({"fragmented_milli", "0.001", "of that, what a job drawn from the submitted could not use"},
      s.fragmented_milli);
  use({"stranded_milli", "0.001", "of that, what no pending job could use"}, s.stranded_milli);
  use({"wanted", "1", "1: some pending job asks for GPUs"}, s.wanted);
}

template <typename Recuts, typename Use>
void for_each_gpu_recut_column(Recuts& r, Use&& use) {
  use({"due", "", "the change was ordered", ColumnKind::Instant}, r.due);
  use({"idle", "", "nothing held it any more", ColumnKind::Instant}, r.idle);
  use({"done", "", "in service again", ColumnKind::Instant}, r.done);
  use({"node", "1", "row of /nodes", ColumnKind::Plain, "/names/node"}, r.node);
  use({"gpu", "1", "index of the physical GPU on its node"}, r.gpu);
  use({"from", "1", "layout before", ColumnKind::Plain, "/names/text"}, r.from);
  use({"to", "1", "layout after", ColumnKind::Plain, "/names/text"}, r.to);
  use({"offered_before_milli", "0.001", "GPUs that the node's devices offer, by SMs"},
      r.offered_before);
  use({"offered_after_milli", "0.001", "the same after the change"}, r.offered_after);
}

}  // namespace rehearse
