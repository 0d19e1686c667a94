// sim/output/gpu_columns.hpp — what is recorded of GPUs beside who held them: what they are, what
// runs drew of them, how much of the free ones could be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rehearse {

/// The GPUs of each node that has any. Thousandths are of a whole physical GPU by its SMs.
struct GpuNodeColumns {
  std::vector<std::uint32_t> node;    ///< row of nodes
  std::vector<std::uint32_t> models;  ///< names.text: `a100-80`, several with `,`; 0: unknown
  std::vector<std::uint32_t> physical_milli;  ///< 1000 a physical GPU
  std::vector<std::uint32_t> offered_milli;   ///< of that, in devices that jobs can have
  std::vector<std::uint64_t> idle_mw;         ///< drawn by all of them at rest [mW]; 0: unknown
  [[nodiscard]] std::size_t size() const { return node.size(); }
};

/// By row of runs: what the run held, and drew.
struct GpuRunColumns {
  std::vector<std::uint32_t> compute_milli;
  std::vector<std::uint64_t> idle_mw;  ///< its part of what they draw at rest [mW]
  std::vector<std::uint64_t> load_mw;  ///< above that, while it ran [mW]
  [[nodiscard]] std::size_t size() const { return compute_milli.size(); }
};

/// Free GPUs and what they are good for, sampled on whole hours (sim/output/gpu_recorder.hpp).
struct GpuSampleColumns {
  std::vector<std::int64_t> time;
  std::vector<std::uint64_t> free_milli;        ///< on nodes that take jobs
  std::vector<std::uint64_t> fragmented_milli;  ///< expected part that a job could not use
  std::vector<std::uint64_t> stranded_milli;    ///< part that no pending job could use
  std::vector<std::uint8_t> wanted;             ///< 1: some pending job asks for GPUs
  [[nodiscard]] std::size_t size() const { return time.size(); }
};

/// GPUs that were cut anew while the cluster ran, by the end of the change.
struct GpuRecutColumns {
  std::vector<std::int64_t> due, idle, done;  ///< ordered; nothing held it; in service again
  std::vector<std::uint32_t> node, gpu;       ///< row of nodes; index of the physical GPU there
  std::vector<std::uint32_t> from, to;        ///< names.text: layouts
  /// What the devices of the node offer, in thousandths of a GPU by SMs.
  std::vector<std::uint32_t> offered_before, offered_after;
  [[nodiscard]] std::size_t size() const { return done.size(); }
};

struct GpuRecord {
  bool kept = false;           ///< false: the cluster has no GPUs
  bool knows_models = false;   ///< of one at least
  bool has_mig = false;        ///< of the known, and which GPU each instance is on is told
  std::int64_t instances = 0;  ///< MIG instances among the devices at the start
  bool knows_watts = false;    ///< of every GPU
  double price_gpu_hour = 0, price_kwh = 0;  ///< 0: not told
  std::string currency;
  GpuNodeColumns nodes;
  GpuRunColumns runs;
  GpuSampleColumns samples;
  GpuRecutColumns recuts;
};

}  // namespace rehearse
