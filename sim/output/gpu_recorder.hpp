// sim/output/gpu_recorder.hpp — follows the free GPUs of a run: what runs hold by SMs and watts,
// and how much of what is free could be used.
//
// Fragmentation is that of FGD (Weng et al., USENIX ATC 2023): the free GPU capacity that a job
// drawn from the workload could not use, in expectation. Here: a job is what a submitted job asks
// of one node (GPUs and their type or units of a share, CPUs, memory), drawn from all submissions
// so far that ask for GPUs; on a node where it does not fit all that is free is lost to it,
// elsewhere the devices that are partly held or of another type. The 32 most frequent kinds stand
// for all; partitions, features and named nodes are not asked. Stranded is what no pending job
// could use at that time: a sample without pending jobs says nothing.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "models/gpu/layouts.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/controller/observer.hpp"
#include "sim/output/gpu_columns.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// What is known of a site's GPUs; both outlive the run. Nothing known: null.
struct GpuKnowledge {
  const GpuInventory* inventory = nullptr;
  const GpuLayouts* layouts = nullptr;
};

class GpuRecorder {
 public:
  void begin(const Cluster& cluster, const GpuKnowledge& known, SlurmTime now, NamePool& texts);
  /// Samples what stood before `now`; to be called before each change.
  void advance(SlurmTime now);
  /// `count` jobs like this one came into the queue, or left it (below 0).
  void wanted(const Job& job, std::int64_t count);
  void available(NodeId node, bool takes_jobs);
  /// A share is taken (1) or given back (−1).
  void use(const NodeShare& share, std::int64_t sign);
  /// What row `row` of runs holds from now on.
  void hold(const Allocation& allocation, std::uint32_t row);
  /// Other devices are there: the record of the change, and what is free from now on.
  void recut(const Cluster& cluster, const GpuRecut& change, SlurmTime now, NamePool& texts);
  /// The record, with `rows` rows of runs.
  [[nodiscard]] GpuRecord take(std::size_t rows);

 private:
  /// What a job asks of one node.
  struct Ask {
    NameId type = kNoName;    ///< of whole GPUs
    NameId share = kNoName;   ///< mps or shard
    std::uint64_t count = 0;  ///< whole GPUs, or units of one device
    std::uint64_t cpus = 1, memory_mib = 0;
    bool whole_node = false;
    friend auto operator<=>(const Ask&, const Ask&) = default;
  };
  struct Counts {
    std::int64_t submitted = 0, pending = 0;
  };
  struct Device {
    NameId type = kNoName;
    std::uint32_t milli = 1000;  ///< by SMs
    std::uint64_t idle_mw = 0, load_mw = 0;
    std::uint64_t held = 0;  ///< as a whole device
    bool here = true;        ///< false: an instance that no GPU is cut into now
  };
  struct Share {
    NameId name = kNoName;
    std::uint16_t gres = 0;
    std::vector<std::uint64_t> units, held;  ///< by device
  };
  struct NodeGpus {
    std::uint16_t gres = UINT16_MAX;  ///< position of gpu; none: the node has no GPUs
    std::vector<Device> devices;
    std::vector<Share> shares;
    std::int64_t cpus = 0, memory_mib = 0;  ///< free
    std::int64_t memory_total = 0, jobs = 0;
    bool takes_jobs = true;
  };
  struct Weighted {
    const Ask* ask;
    std::int64_t weight;
  };

  void describe(const Node& node, const GpuKnowledge& known, NamePool& texts);
  [[nodiscard]] Device device_of(const GpuDevice& known, NameId type) const;
  [[nodiscard]] Ask ask_of(const Job& job) const;
  void sample(std::int64_t at);
  [[nodiscard]] std::vector<Weighted> most_frequent(std::int64_t Counts::*count) const;
  [[nodiscard]] static std::uint64_t free_milli(const NodeGpus& node, std::size_t device);
  [[nodiscard]] static bool fits(const NodeGpus& node, const Ask& ask);
  [[nodiscard]] static bool may_use(const NodeGpus& node, std::size_t device, const Ask& ask);

  const Cluster* cluster_ = nullptr;
  IdVector<NodeId, NodeGpus> nodes_;
  std::map<Ask, Counts> asks_;
  std::int64_t next_ = 0;  // whole hour of the next sample
  GpuRecord record_;
};

}  // namespace rehearse
